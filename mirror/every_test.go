package mirror_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/test/drawn"
	"github.com/slicewright/slicewright/mirror"
)

// TestEveryOptionIsDrawn: the tests of this package draw every field of all options, and every
// value of those that are enums.
func TestEveryOptionIsDrawn(t *testing.T) {
	drawn.Fields[mirror.Options](t, drawOptions, "ManagedBy")
	drawn.Fields[mirror.CopyOptions](t, drawFunctions, "TargetRef=Map")
	drawn.Fields[mirror.ViewOptions](t, drawViewOptions)
}
