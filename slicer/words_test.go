package slicer_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/words/wordstest"
	"github.com/slicewright/slicewright/slicer"
)

func TestWords(t *testing.T) {
	wordstest.Check(t,
		wordstest.Of[slicer.Packing](),
		wordstest.Of[slicer.Invalid](),
		wordstest.Of[slicer.Verb](),
		wordstest.Of[slicer.Reason](),
		wordstest.Of[slicer.IgnoreReason](),
	)
}
