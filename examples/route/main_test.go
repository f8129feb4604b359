package main

import (
	"testing"

	"github.com/slicewright/slicewright/examples/internal/scenarios"
)

var command scenarios.Command = run

func TestScenarioFiles(t *testing.T) { command.Run(t, "route", "examples/route/testdata/*.txt") }

func TestWritesFail(t *testing.T) {
	command.WritesFail(t, "-zone a ../../testdata/manifests/dual-stack.yaml")
}
