package main

import (
	"testing"

	"github.com/slicewright/slicewright/examples/internal/stories"
)

var command stories.Command = run

func TestStories(t *testing.T) { command.Run(t, "churn", "testdata/churn/*.txt") }

func TestWritesFail(t *testing.T) { command.WritesFail(t, "-endpoints 10 -traces flapping") }
