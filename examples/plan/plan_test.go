package main

import (
	"testing"

	"github.com/slicewright/slicewright/examples/internal/scenarios"
)

var command scenarios.Command = run

func TestScenarioFiles(t *testing.T) { command.Run(t, "plan", "testdata/plan/*.txt") }

// TestWritesFail: what cannot be printed is a mistake, in each format.
func TestWritesFail(t *testing.T) {
	const file = " ../../testdata/manifests/dual-stack.yaml"
	command.WritesFail(t, "-o table"+file, "-o yaml"+file)
}
