package slicer_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/check"
	"github.com/slicewright/slicewright/internal/gen"
)

func TestWorlds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, err := check.Compute(gen.World(t)); err != nil {
			t.Fatal(err)
		}
	})
}
