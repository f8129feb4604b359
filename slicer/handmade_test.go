package slicer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// TestHandmadePlans: plans are plain data, and people build some in their tests; what lacks half of it does not panic.
func TestHandmadePlans(t *testing.T) {
	object := &discoveryv1.EndpointSlice{}
	for why, plan := range map[string]slicer.Plan{
		"nothing":                      {},
		"a step without anything":      {Steps: []slicer.Step{{}}},
		"steps without objects":        {Steps: []slicer.Step{{Verb: slicer.Create}, {Verb: slicer.Update}, {Verb: slicer.Delete}, {Verb: "patch"}}},
		"steps with the other object":  {Steps: []slicer.Step{{Verb: slicer.Create, Old: object}, {Verb: slicer.Delete, New: object}}},
		"an update without the old":    {Steps: []slicer.Step{{Verb: slicer.Update, New: object}}},
		"nil among the unchanged":      {Unchanged: []*discoveryv1.EndpointSlice{nil, object}},
		"nil among the ignored":        {Ignored: []slicer.Ignored{{}}},
		"a rejection without error":    {Skips: []slicer.Skip{{}}},
		"a decision without its parts": {Hints: []hints.Decision{{}, {Mode: hints.Proportional}, {Mode: "Nonsense"}}},
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: panic: %v", why, r)
				}
			}()
			_, _, _, _ = plan.String(), plan.After(), plan.Stats(), plan.Empty()
			if cost := plan.Cost(3); cost.Writes != len(plan.Steps) || cost.WatchEvents != 3*len(plan.Steps) {
				t.Errorf("%s: %+v", why, cost)
			}
			for _, s := range plan.Steps {
				_, _ = s.String(), s.Preconditions()
			}
		}()
	}
}

// TestIgnoredString: what is ignored names the slice and the reason.
func TestIgnoredString(t *testing.T) {
	ignored := slicer.Ignored{Slice: exampleSlice("web-a", "1"), Reason: slicer.Foreign}
	if got := ignored.String(); got != "web-a: Foreign" {
		t.Errorf("%q", got)
	}
}

// TestCostSaturates: a number that is too large for its type is the largest, and not a negative one.
func TestCostSaturates(t *testing.T) {
	plan := planned(t, input(t, "options max=1\nwant\nhttp:80 | 10.0.0.1 10.0.0.2"))
	one := plan.Cost(1)
	for _, row := range []struct {
		why      string
		watchers int
		events   int
		sent     int64
	}{
		{"as many as there are", math.MaxInt, math.MaxInt, largest(math.MaxInt, one.SentBytes)},
		{"twice as many events as fit", math.MaxInt/2 + 1, math.MaxInt, largest(math.MaxInt/2+1, one.SentBytes)},
		{"as many events as fit", math.MaxInt / 2, math.MaxInt - 1, largest(math.MaxInt/2, one.SentBytes)},
		{"all fits", 1000, 2000, 1000 * one.SentBytes},
		{"none", 0, 0, 0},
		{"fewer than none", math.MinInt, 0, 0},
	} {
		have := plan.Cost(row.watchers)
		if have.WatchEvents != row.events || have.SentBytes != row.sent {
			t.Errorf("%s: %d events and %d bytes, want %d and %d", row.why, have.WatchEvents, have.SentBytes, row.events, row.sent)
		}
		if have.StoredBytes != one.StoredBytes || have.Writes != 2 {
			t.Errorf("%s: what is written does not depend on watchers: %+v", row.why, have)
		}
	}
}

// largest is what so many watchers are sent, on machines of 32 bits, or all that an int64 holds.
func largest(watchers int, each int64) int64 {
	if math.MaxInt == math.MaxInt32 {
		return int64(watchers) * each
	}
	return math.MaxInt64
}

// TestMostPorts: a group has at most 20000 ports. All other bounds are told by TestScenarios/callers-errors and bounds.
func TestMostPorts(t *testing.T) {
	in := input(t, "want\nhttp:80 | 10.0.0.1\n")
	in.Groups[0].Ports = nil
	for i := range 20000 {
		name := fmt.Sprint("p", i)
		in.Groups[0].Ports = append(in.Groups[0].Ports, discoveryv1.EndpointPort{Name: &name})
	}
	if _, err := in.Compute(); err != nil {
		t.Errorf("no mistake: %v", err)
	}
	in.Groups[0].Ports = append(in.Groups[0].Ports, discoveryv1.EndpointPort{Name: ptr("more")})
	if _, err := in.Compute(); err == nil || !strings.HasPrefix(err.Error(), "groups[0].ports: Too many: 20001: must have at most 20000 items") {
		t.Errorf("error %v", err)
	}
}
