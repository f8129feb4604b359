package hints_test

import (
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/words/wordstest"
)

func TestWords(t *testing.T) {
	wordstest.Check(t,
		wordstest.Of[hints.Mode](),
		wordstest.Of[hints.Reason](),
		wordstest.Of[hints.Scope](),
		wordstest.Of[hints.HintUse](),
	)
}
