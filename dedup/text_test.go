package dedup_test

import (
	"testing"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/enum/enumtest"
)

func TestWords(t *testing.T) {
	enumtest.Check(t,
		enumtest.Of[dedup.Addresses](),
		enumtest.Of[dedup.AnyPort](),
		enumtest.Of[dedup.Freshness](),
		enumtest.Of[dedup.LossReason](),
		enumtest.Of[dedup.ProblemReason](),
		enumtest.Of[dedup.PortMatch](),
	)
}
