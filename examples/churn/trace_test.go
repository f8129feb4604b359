package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/slicewright/slicewright/examples/internal/scenarios"
	"github.com/slicewright/slicewright/internal/trace"
)

func configured(t *testing.T, args ...string) config {
	t.Helper()
	c, err := parseFlags(args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var command scenarios.Command = run

func FuzzCommand(f *testing.F) {
	command.Fuzz(f, "-packings InPlace", "-packings Compact -max 2 -batch-period 1s -lenient")
}

func TestScenarioFiles(t *testing.T) {
	command.Run(t, "churn", "testdata/churn/*.txt", "testdata/manifests/small/churn.txt")
}

func TestMain(m *testing.M) { command.Main(m) }

func TestHostile(t *testing.T) { command.Bounded(t, []int{200_000}) }

func TestWritesFail(t *testing.T) { command.WritesFail(t, "-endpoints 10 -traces flapping") }

// TestDumps: files with lists alone are the states of one trace.
func TestDumps(t *testing.T) {
	list := func(addresses string) string {
		return `{"kind": "List", "apiVersion": "v1", "items": [{"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "metadata": {"name": "web-a"}, "endpoints": [` + addresses + `]}]}`
	}
	var files []string
	for i, text := range []string{
		list(`{"addresses": ["a"]}, {"addresses": ["b"]}`), list(`{"addresses": ["b"], "conditions": {"ready": false}}`),
		`{"type": "ADDED", "object": {"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "metadata": {"name": "web-a"}, "endpoints": [{"addresses": ["a"]}]}}`,
	} {
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := config{files: files}.readTraces(nil)
	rounds := []trace.Round{{Ready: []int{0, 1}}, {Unready: []int{1}, Gone: []int{0}}, {Ready: []int{0}, Gone: []int{1}}}
	want := []trace.Trace{{Name: "0", Rounds: rounds}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}
