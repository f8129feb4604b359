package conditions_test

import (
	"testing"

	"github.com/slicewright/slicewright/conditions"
)

// TestSpec pins what the documentation promises about conditions, sentence by sentence.
func TestSpec(t *testing.T) {
	for _, row := range []struct {
		why   string
		holds bool
	}{
		{"S16: ready is the Pod's Ready condition, when it is false",
			!conditions.FromPod(pod(), false).Ready},
		{"S16: ready is the Pod's Ready condition, when it is true",
			conditions.FromPod(pod(ready), false).Ready},
		{"S16: never ready while terminating, for compatibility",
			!conditions.FromPod(pod(ready, deleting), false).Ready},
		{"S16: unless publishNotReadyAddresses is set",
			conditions.FromPod(pod(deleting), true).Ready},
		{"S16: nil is unknown and taken as ready",
			state("...").Ready && state("..+").Ready},
		{"S17: serving is as ready, when it is true",
			conditions.FromPod(pod(ready), false).Serving},
		{"S17: serving is as ready, when it is false, whatever is published",
			!conditions.FromPod(pod(), false).Serving && !conditions.FromPod(pod(), true).Serving},
		{"S17: but regardless of termination",
			conditions.FromPod(pod(ready, deleting), false).Serving},
		{"S18: terminating is a deletion timestamp, whatever is ready or published",
			conditions.FromPod(pod(deleting), false).Terminating && conditions.FromPod(pod(ready, deleting), true).Terminating},
		{"S18: and nothing else is, such as a Pod that fails its probe",
			!conditions.FromPod(pod(), false).Terminating && !conditions.FromPod(pod(ready), true).Terminating},
		{"S19: graceful shutdown is terminating, not ready, serving as long as the probe succeeds",
			conditions.FromPod(pod(ready, deleting), false) == state("-++") &&
				conditions.FromPod(pod(deleting), false) == state("--+")},
		{"S19: readers use serving-terminating endpoints when no ready one is left",
			len(conditions.Usable([]string{"-++", "--+"}, state)) == 1},
		{"S19: and only then",
			conditions.Usable([]string{"-++", "++-"}, state)[0] == "++-"},
	} {
		if !row.holds {
			t.Errorf("broken: %s", row.why)
		}
	}
}
