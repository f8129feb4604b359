package deduptest

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has garbage collected less often, because the tests play many short histories and keep none of them.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
