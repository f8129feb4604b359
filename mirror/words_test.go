package mirror_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/words/wordstest"
	"github.com/slicewright/slicewright/mirror"
)

func TestWords(t *testing.T) {
	wordstest.Check(t,
		wordstest.Of[mirror.SkipReason](),
	)
}
