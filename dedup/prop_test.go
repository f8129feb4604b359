package dedup_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

var slice = gen.WebSlice // of Service default/web, port http

// TestIncrementalIsRebuild compares an Index with merges and with a plain reading of the slices
// that there are (D1 to D4). After the last delete nothing is left (D6).
func TestIncrementalIsRebuild(t *testing.T) { rapid.Check(t, incrementalIsRebuild) }

func FuzzIncrementalIsRebuild(f *testing.F) { f.Fuzz(rapid.MakeFuzz(incrementalIsRebuild)) }

func incrementalIsRebuild(t *rapid.T) {
	if n := dedup.Size(check.Rebuild(t)); n != 0 {
		t.Fatalf("D6: %d things are left after the last delete", n)
	}
}
