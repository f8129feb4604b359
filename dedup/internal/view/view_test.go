package view_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup/internal/view"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestViews compares the views of an index with a plain reading of the slices that there are: what is found, and in which order.
func TestViews(t *testing.T) { rapid.Check(t, func(t *rapid.T) { check.Rebuild(t) }) }

// TestEmpty: a change with anything in one of its lists is not empty.
func TestEmpty(t *testing.T) {
	one := []view.Item{{}}
	for _, c := range []struct {
		change view.Change
		empty  bool
	}{{view.Change{}, true}, {view.Change{Added: one}, false}, {view.Change{Removed: one}, false}, {view.Change{Changed: make([]view.Pair, 1)}, false},
		{view.Change{Added: one, Removed: one, Changed: make([]view.Pair, 2)}, false}} {
		if c.change.Empty() != c.empty {
			t.Errorf("%+v is empty: %v", c.change, !c.empty)
		}
	}
}
