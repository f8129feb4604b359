package dedup_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

var (
	sliceNames, versions = gen.SliceNames, gen.Versions

	drawSlice, drawOptions, print, copiesOf = gen.Slice, check.Options, check.Print, check.Copies

	slice = gen.WebSlice // of Service default/web, port http
)

type allFields = check.AllFields

// TestIncrementalIsRebuild compares an index with merges and with a plain reading of the slices
// that there are (D1 to D4). After the last delete nothing is left (D6).
func TestIncrementalIsRebuild(t *testing.T) { rapid.Check(t, incrementalIsRebuild) }

func FuzzIncrementalIsRebuild(f *testing.F) { f.Fuzz(rapid.MakeFuzz(incrementalIsRebuild)) }

func incrementalIsRebuild(t *rapid.T) {
	if sizes := check.Rebuild(t).Sizes(); slices.Max(sizes) != 0 {
		t.Fatalf("D6: sizes %v after the last delete", sizes)
	}
}
