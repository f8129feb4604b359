package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer"
)

// TestWorker gives random clusters to a worker, which gets just the selected Pods, and to the library with all Pods: both write the
// same. The benchmarks measure the worker, the differential tests are about the library.
func TestWorker(t *testing.T) {
	for name, change := range map[string]func(*slicer.Options){"zero": nil, "recommended": recommend} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := history(t)
				w := &Worker{weights: c.weights(), change: change}
				want, _, wantErr := Slicewright(c, change)
				have, err := w.Reconcile(c, c.selected())
				if d := cmp.Diff(want, have); d != "" || (err == nil) != (wantErr == nil) {
					t.Fatalf("errors %v and %v, -library +worker:\n%s", wantErr, err, d)
				}
			})
		})
	}
}
