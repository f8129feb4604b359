package slicer_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestStats: full slices of two endpoints, one for each list of ports, and a placeholder.
func TestStats(t *testing.T) {
	s := planned(t, input(t, `options max=2
set types=ipv4,ipv6

slices
web-a ipv4 rv=3 | http:80 | 10.0.0.1
web-b ipv4 rv=4 | http:80 | 10.0.0.2

want
http:80 | 10.0.0.1 10.0.0.2
http:81 | 10.0.0.1 10.0.0.3 10.0.0.4`)).Stats()
	if want := (slicer.Stats{Slices: 5, DesiredSlices: 4, Endpoints: 5}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

// TestHandmadePlans: plans are plain data, and people build some in their tests; what lacks half of
// it does not panic.
func TestHandmadePlans(t *testing.T) {
	object := &discoveryv1.EndpointSlice{}
	for why, plan := range map[string]slicer.Plan{
		"nothing":                      {},
		"a step without anything":      {Steps: []slicer.Step{{}}},
		"steps without objects":        {Steps: []slicer.Step{{Verb: slicer.Create}, {Verb: slicer.Update}, {Verb: slicer.Delete}, {Verb: "patch"}}},
		"steps with the other object":  {Steps: []slicer.Step{{Verb: slicer.Create, Old: object}, {Verb: slicer.Delete, New: object}}},
		"an update without the old":    {Steps: []slicer.Step{{Verb: slicer.Update, New: object}}},
		"nil among the unchanged":      {Unchanged: []*discoveryv1.EndpointSlice{nil, object}},
		"nil among the ignored":        {Ignored: []*discoveryv1.EndpointSlice{nil}},
		"a Notice without error":       {Warnings: slicer.Notices{{}}, Normal: slicer.Notices{{}}},
		"a decision without its parts": {Hints: []hints.Decision{{}, {Mode: hints.Auto}, {Mode: "Nonsense"}}},
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: panic: %v", why, r)
				}
			}()
			_, _, _ = plan.String(), plan.After(), plan.Stats()
			for _, s := range plan.Steps {
				_ = s.String()
			}
		}()
	}
}

// TestCopiesOfOneVersion: of many slices that hold an endpoint, the first by name of those with the
// highest resourceVersion keeps it.
func TestCopiesOfOneVersion(t *testing.T) {
	in := input(t, "want\nhttp:80 | 10.0.0.1\n\nslices\nweb-00 rv=1 | http:80 | 10.0.0.1\n")
	for n := 1; n < 40; n++ {
		s := in.Existing[0].DeepCopy()
		s.Name, s.ResourceVersion = fmt.Sprintf("web-%02d", n), fmt.Sprint(1+n%2)
		in.Existing = append(in.Existing, s)
	}
	plan := planned(t, in)
	kept := slices.DeleteFunc(slices.Clone(in.Existing), func(s *discoveryv1.EndpointSlice) bool {
		return slices.ContainsFunc(plan.Steps, func(p slicer.Step) bool {
			return p.Verb == slicer.Delete && p.Old == s
		})
	})
	if len(kept) != 1 || kept[0].Name != "web-01" {
		t.Errorf("kept %d slices, want web-01 alone: %v", len(kept), plan)
	}
}

// TestMostPorts: a group has at most 20000 ports. All other bounds are in
// TestScenarios/callers-errors and bounds.
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
	if plan, err := in.Compute(); err != nil || len(plan.Warnings) != 1 ||
		!strings.Contains(plan.Warnings[0].String(), "Too many: 20001: must have at most 20000 items") {
		t.Errorf("%v, error %v", plan.Warnings, err)
	}
}

// TestNoticesAreBounded: a text of many Notices has twenty lines and the number of the others.
func TestNoticesAreBounded(t *testing.T) {
	var list slicer.Notices
	for i := range 22 {
		if text := list.String(); strings.Count(text, "NodeMissing") != min(i, 20) ||
			strings.HasSuffix(text, "\nand 1 more") != (i == 21) || strings.HasSuffix(text, "\n") {
			t.Errorf("of %d Notices: %s", i, text)
		}
		list = append(list, slicer.Notice{Reason: "NodeMissing", Path: fmt.Sprintf("pods[%d]", i)})
	}
}

// TestMostOwners: a set has at most 100 owners, because each is compared with each.
func TestMostOwners(t *testing.T) {
	in := slicer.Input{Key: slicer.Key{Namespace: "ns", Name: "web", ManagedBy: "me"}}
	for i := range 101 {
		in.Meta.OwnerReferences = append(in.Meta.OwnerReferences,
			metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: types.UID(fmt.Sprint(i))})
		_, err := slicer.Compute(in, nil)
		if (err != nil) != (i >= 100) ||
			err != nil && !strings.Contains(err.Error(), "meta.ownerReferences: Too many: 101: must have at most 100 items") {
			t.Errorf("%d owners: error %v", i+1, err)
		}
	}
}

// TestComputeKeepsNothing: what Compute was given can be collected afterwards, because its pooled
// memory holds no pointer to it.
func TestComputeKeepsNothing(t *testing.T) {
	const world = `
slices
web-a | http:80 | 10.0.0.1 10.0.0.2
web-b | old:81 | 10.0.0.3

want
http:80 | 10.0.0.1 10.0.0.3 10.0.0.4
`
	gone := func() (weak.Pointer[slicer.Endpoint], weak.Pointer[discoveryv1.EndpointSlice],
		weak.Pointer[discoveryv1.Endpoint]) {
		in, err := scenario.Input(world)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Compute(); err != nil {
			t.Fatal(err)
		}
		return weak.Make(&in.Groups[0].Endpoints[0]), weak.Make(in.Existing[0]), weak.Make(&in.Existing[1].Endpoints[0])
	}
	wanted, slice, held := gone()
	runtime.GC() // a pool lets go of what it has only after the second
	if wanted.Value() != nil || slice.Value() != nil || held.Value() != nil {
		t.Error("still alive:", wanted.Value() != nil, slice.Value() != nil, held.Value() != nil)
	}
}
