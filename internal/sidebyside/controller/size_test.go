package controller

import (
	"bytes"
	"os"
	"testing"
)

// TestSize shows that our side stays small: it is what somebody would write who uses the library.
func TestSize(t *testing.T) {
	text, err := os.ReadFile("controller.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 200 {
		t.Errorf("%d lines, want at most 200", n)
	}
}
