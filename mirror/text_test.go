package mirror_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/enum/enumtest"
	"github.com/slicewright/slicewright/mirror"
)

func TestWords(t *testing.T) {
	enumtest.Check(t,
		enumtest.Of[mirror.Reason](),
		enumtest.Of[mirror.Excess](),
		enumtest.Of[mirror.Carry](),
		enumtest.Of[mirror.SkipReason](),
	)
}
