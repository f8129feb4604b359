package main

import (
	"testing"

	"github.com/slicewright/slicewright/examples/internal/scenarios"
)

var command scenarios.Command = run

func TestMain(m *testing.M) { command.Main(m) }

func TestHostile(t *testing.T) { command.Bounded(t, []int{200_000, 5_000_000}, "-zone", "a") }

func FuzzCommand(f *testing.F) { command.Fuzz(f, "-node node-1 -all") }

func TestScenarioFiles(t *testing.T) {
	command.Run(t, "route", "examples/route/testdata/*.txt", "testdata/manifests/small.txt")
}

func TestWritesFail(t *testing.T) {
	command.WritesFail(t, "-zone a ../../testdata/manifests/dual-stack.yaml")
}

// TestPrintsQuoted (H7): no text of an object reaches a terminal as it is.
func TestPrintsQuoted(t *testing.T) {
	command.PrintsQuoted(t, "-zone a -all -lenient", "-node n1", "-forecast", "-forecast -o json -lenient")
}
