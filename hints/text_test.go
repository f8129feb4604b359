package hints_test

import (
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/enum/enumtest"
)

func TestWords(t *testing.T) {
	enumtest.Check(t,
		enumtest.Of[hints.Mode](),
		enumtest.Of[hints.Reason](),
		enumtest.Of[hints.Scope](),
		enumtest.Of[hints.RouteReason](),
	)
}
