package store_test

import (
	"testing"

	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestRebuild compares an index with merges and with a plain reading of the slices that there are, and what it says about changes with
// the difference of its views.
func TestRebuild(t *testing.T) { rapid.Check(t, func(t *rapid.T) { check.Rebuild(t) }) }
