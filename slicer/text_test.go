package slicer_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/enum/enumtest"
	"github.com/slicewright/slicewright/slicer"
)

func TestWords(t *testing.T) {
	enumtest.Check(t,
		enumtest.Of[slicer.Packing](),
		enumtest.Of[slicer.Identity](),
		enumtest.Of[slicer.Oversize](),
		enumtest.Of[slicer.Placeholder](),
		enumtest.Of[slicer.Names](),
		enumtest.Of[slicer.Invalid](),
		enumtest.Of[slicer.Verb](),
		enumtest.Of[slicer.Reason](),
		enumtest.Of[slicer.IgnoreReason](),
		enumtest.Of[slicer.RejectReason](),
		enumtest.Of[slicer.MissingNode](),
		enumtest.Of[slicer.UnresolvedPort](),
		enumtest.Of[slicer.SkipReason](),
	)
}
