package dedup_test

import (
	"testing"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/words/wordstest"
)

func TestWords(t *testing.T) {
	wordstest.Check(t,
		wordstest.Of[dedup.LossReason](),
		wordstest.Of[dedup.ProblemReason](),
		wordstest.Of[dedup.PortMatch](),
	)
}
