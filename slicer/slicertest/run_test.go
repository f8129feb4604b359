package slicertest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/slicer/slicertest"
)

const inner = "SLICERTEST_INNER"

// TestRunReports runs TestInner in a process of its own, and reads which of its subtests fail.
func TestRunReports(t *testing.T) {
	command := exec.Command(os.Args[0], "-test.run=^TestInner$", "-test.v")
	command.Env = append(os.Environ(), inner+"=1")
	out, err := command.CombinedOutput()
	if err == nil {
		t.Error("the test passes, although a guarantee is broken")
	}
	for _, want := range []string{
		"--- FAIL: TestInner/within-max", "within-max: no slice grows above the maximum", // broken
		"--- PASS: TestInner/no-gap", "known: one slice", // broken and known
		"--- FAIL: TestInner/no-panic", "not met in 60 histories: take \"no-panic: …\" off Options.Known, which says: issue 2", // known and not broken
		"--- PASS: TestInner/complete",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestInner fails, when TestRunReports asks for it.
func TestInner(t *testing.T) {
	if os.Getenv(inner) == "" {
		t.Skip("TestRunReports runs this")
	}
	const gap = "no-gap: … is wanted, was published, and is in no slice now"
	slicertest.Run(t, slicertest.Options{
		ManagedBy: manager, Max: 3, Histories: 60, Without: []string{"NamedPorts", "DualStack"},
		Known: map[string]string{gap: "one slice", "no-panic: …": "issue 2"},
	}, spoilt{spoil: func(k *keeper) { k.max, k.write = 1000, recreates }}.writer())
}
