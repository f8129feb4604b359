package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/examples/internal/scenarios"
	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

func configured(t *testing.T, args ...string) config {
	t.Helper()
	c, err := parseFlags(args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSimulationEndsWithWhatIsWanted: after every round the slices hold the Pods that are there, each once.
func TestSimulationEndsWithWhatIsWanted(t *testing.T) {
	for _, m := range trace.Makers {
		for _, packing := range []slicer.Packing{slicer.InPlace, slicer.Compact} {
			cluster, there := newCluster(slicer.Options{MaxEndpointsPerSlice: 7, Packing: packing}), map[string]bool{}
			for i, r := range m.Make(50, 1).Rounds {
				cluster.change(r)
				plan, err := slicer.Compute(cluster.input, cluster.slices)
				if err != nil {
					t.Fatal(err)
				}
				cluster.write(plan)
				for _, n := range append(r.Ready, r.Unready...) {
					there[endpoint(n).Addresses[0]] = slices.Contains(r.Ready, n)
				}
				for _, n := range r.Gone {
					delete(there, endpoint(n).Addresses[0])
				}
				held, endpoints := map[string]bool{}, 0
				for _, s := range cluster.slices {
					endpoints += len(s.Endpoints)
					for _, e := range s.Endpoints {
						held[e.Addresses[0]] = *e.Conditions.Ready
					}
				}
				if endpoints != len(there) || !reflect.DeepEqual(held, there) {
					t.Fatalf("%s, %v, round %d: the slices hold %v, want %v", m.Name, packing, i, held, there)
				}
			}
		}
	}
}

var command scenarios.Command = run

func TestScenarioFiles(t *testing.T) { command.Run(t, "churn", "testdata/churn/*.txt") }

func TestWritesFail(t *testing.T) { command.WritesFail(t, "-endpoints 10 -traces flapping") }

// TestDumps: files with lists alone are the states of one trace.
func TestDumps(t *testing.T) {
	list := func(addresses string) string {
		return `{"kind": "List", "items": [{"kind": "EndpointSlice", "metadata": {"name": "web-a"}, "endpoints": [` + addresses + `]}]}`
	}
	var files []string
	for i, text := range []string{list(`{"addresses": ["a"]}, {"addresses": ["b"]}`), list(`{"addresses": ["b"], "conditions": {"ready": false}}`), "+1"} {
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readTraces(files, nil)
	want := []trace.Trace{{Name: "0", Rounds: []trace.Round{{Ready: []int{0, 1}}, {Unready: []int{1}, Gone: []int{0}}}}, {Name: "2", Rounds: []trace.Round{{Ready: []int{1}}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}
