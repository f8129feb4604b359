package slicer_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestScenarios runs the stories of testdata/slicer.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/slicer/*.txt", scenario.NewWorld, scenario.TakesBlock)
}
