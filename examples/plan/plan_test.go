package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/examples/internal/scenarios"
)

const manifests = "../../testdata/manifests/*.yaml"

var command scenarios.Command = run

func TestScenarioFiles(t *testing.T) { command.Run(t, "plan", "testdata/plan/*.txt") }

// TestWritesFail: what cannot be printed is a mistake, in each format.
func TestWritesFail(t *testing.T) {
	const file = " ../../testdata/manifests/dual-stack.yaml"
	command.WritesFail(t, "-o table"+file, "-o yaml"+file)
}

// TestApplied does what a person with kubectl would, for each cluster: what is printed is applied, and planning again
// must find nothing to write (G3).
func TestApplied(t *testing.T) {
	files, err := filepath.Glob(manifests)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s (%v)", manifests, err)
	}
	for _, file := range files {
		var stdout, stderr bytes.Buffer
		if code := run([]string{"-o", "yaml", file}, nil, &stdout, &stderr); code != 0 {
			t.Fatalf("%s: exit %d: %s", file, code, &stderr)
		}
		world, err := manifest.Reader{}.Files(nil, file)
		if err != nil {
			t.Fatal(err)
		}
		printed := manifest.Objects{}
		if err := (manifest.Reader{}).Read(&printed, "printed", stdout.Bytes()); err != nil {
			t.Fatalf("%s: what is printed does not read back: %v", file, err)
		}
		apply(world, printed.EndpointSlices, stdout.String())
		c, err := parseFlags([]string{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		plans, err := planAll(world, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plans {
			if !p.plan.Empty() {
				t.Errorf("%s: there is still something to write:\n%s", file, p.plan)
			}
		}
	}
}

// apply puts the printed slices into the world, and takes out those that a kubectl delete names.
func apply(world *manifest.Objects, printed []*discoveryv1.EndpointSlice, text string) {
	world.EndpointSlices = slices.DeleteFunc(world.EndpointSlices, func(s *discoveryv1.EndpointSlice) bool {
		return strings.Contains(text, "kubectl delete endpointslice -n "+s.Namespace+" "+s.Name+" ") ||
			slices.ContainsFunc(printed, func(p *discoveryv1.EndpointSlice) bool { return p.Name == s.Name })
	})
	world.EndpointSlices = append(world.EndpointSlices, printed...)
}
