package dedup_test

import (
	"testing"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/drawn"
)

// TestEveryOptionIsDrawn: the tests of this package draw every field of all options.
func TestEveryOptionIsDrawn(t *testing.T) {
	drawn.Fields[dedup.Options](t, drawOptions)
	drawn.Fields[dedup.PortOptions](t, drawPortOptions)
	drawn.Fields[dedup.AddressOptions](t, drawAddressOptions)
}
