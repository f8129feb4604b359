package view_test

import (
	"testing"

	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestViews compares the views of an index with a plain reading of the slices that there are: what
// is found, and in which order.
func TestViews(t *testing.T) { rapid.Check(t, func(t *rapid.T) { check.Rebuild(t) }) }
