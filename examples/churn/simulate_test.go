package main

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

// TestWhatIsThere checks that after every plan the slices have the Pods that are there, each once.
// Plans of a batch period change them to the same as a plan for each round.
func TestWhatIsThere(t *testing.T) {
	for _, m := range trace.Makers {
		rounds := m.Make(25, 1).Rounds
		checkRounds(t, m.Name, rounds)
		every, last := newCluster(slicer.Options{}), newCluster(slicer.Options{})
		batches := batched(rounds, 5*time.Second)
		checkRounds(t, m.Name+", batches", batches)
		for _, r := range rounds {
			every.change(r)
		}
		for _, r := range batches {
			last.change(r)
		}
		if !reflect.DeepEqual(every.pods, last.pods) || 3*len(batches) > len(rounds) {
			t.Errorf("%s: %d batches of %d rounds, after which other Pods are there", m.Name, len(batches), len(rounds))
		}
	}
}

func checkRounds(t *testing.T, name string, rounds []trace.Round) {
	t.Helper()
	c := newCluster(slicer.Options{MaxEndpointsPerSlice: 7, Packing: slicer.Compact})
	for i, r := range rounds {
		c.change(r)
		plan, err := slicer.Compute(c.input, c.slices)
		if err != nil {
			t.Fatal(err)
		}
		c.write(plan)
		has, count := map[string]bool{}, 0
		for _, s := range c.slices {
			for j := range s.Endpoints {
				has[s.Endpoints[j].Addresses[0]] = true
				count++
			}
		}
		for n := range c.pods {
			if !has[endpoint(n).Addresses[0]] {
				t.Fatalf("%s, round %d: Pod %d is missing", name, i, n)
			}
		}
		if count != len(c.pods) {
			t.Fatalf("%s, round %d: %d endpoints for %d Pods", name, i, count, len(c.pods))
		}
	}
}

// TestMistakes checks that a mistake in the flags is one clear error.
func TestMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"-endpoints 0": "-endpoints 0: want 1 to 1000000", "-max 1001": "-max 1001: want 1 to 1000",
		"-batch-period -1s": "-batch-period -1s: want 0s to 24h",
		"-watchers 0":       "-watchers 0: want 1 to 1000000", "web.json": `unexpected argument "web.json" (-h lists the flags)`,
	} {
		if err := run(strings.Fields(args), nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
