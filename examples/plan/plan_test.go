package main

import (
	"testing"

	"github.com/slicewright/slicewright/examples/internal/scenarios"
)

var command scenarios.Command = run

func TestMain(m *testing.M) { command.Main(m) }

func FuzzCommand(f *testing.F) {
	command.Fuzz(f, "", "-o yaml -no-pods -hints PreferSameZone", "-explain web-1 -lenient")
}

func TestScenarioFiles(t *testing.T) {
	command.Run(t, "plan", "testdata/plan/*.txt", "testdata/manifests/small.txt")
}

func TestHostile(t *testing.T) { command.Bounded(t, []int{200_000, 5_000_000}) }

// TestWritesFail: what cannot be printed is a mistake, in each format.
func TestWritesFail(t *testing.T) {
	const file = " ../../testdata/manifests/dual-stack.yaml"
	command.WritesFail(t, "-o table"+file, "-o yaml"+file)
}

// TestPrintsQuoted (H7): no text of an object reaches a terminal as it is.
func TestPrintsQuoted(t *testing.T) {
	command.PrintsQuoted(t, "-lenient", "-o yaml -all -no-pods", "-all -lenient -explain shop/web-1",
		"-managed-by another -all -lenient", "")
}
