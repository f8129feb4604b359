package slicer_test

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// TestOrderOfSkips: Skips are in the order that Plan.Skips states, whatever order they were given
// in. Each line comes before the next one, and differs from it in one thing, which nothing after it
// outweighs.
func TestOrderOfSkips(t *testing.T) {
	pod := func(namespace, kind, name string) corev1.ObjectReference {
		return corev1.ObjectReference{Namespace: namespace, Kind: kind, Name: name}
	}
	b, c := errors.New("b"), errors.New("c")
	sorted := []slicer.Skip{
		{AddressType: "", Port: "z", Address: "10.0.0.9", Object: pod("z", "Z", "z"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "a", Address: "10.0.0.9", Object: pod("z", "Z", "z"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "", Object: pod("z", "Z", "z"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.9", Object: pod("z", "Z", "z"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("a", "Z", "z"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("b", "A", "z"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("b", "B", "a"), Reason: "Z", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("b", "B", "b"), Reason: "A", Err: c, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("b", "B", "b"), Reason: "B", Err: b, Path: "z"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("b", "B", "b"), Reason: "B", Err: c, Path: "a"},
		{AddressType: "IPv4", Port: "b", Address: "10.0.0.10", Object: pod("b", "B", "b"), Reason: "B", Err: c, Path: "b"},
		{AddressType: "IPv6"},
	}
	in := input(t, "want\nhttp:80 | 10.0.0.1\n")
	for seed := range int64(20) {
		in.Skips = slices.Clone(sorted)
		rand.New(rand.NewSource(seed)).Shuffle(len(sorted), func(i, j int) {
			in.Skips[i], in.Skips[j] = in.Skips[j], in.Skips[i]
		})
		if plan := planned(t, in); !slices.Equal(plan.Skips, sorted) {
			t.Fatalf("%+v", plan.Skips)
		}
	}
}

// TestOrderOfGaps: Gaps are sorted by After, Until, address type, address, object and ports, and
// ports that are missing in the same steps are one Gap.
func TestOrderOfGaps(t *testing.T) {
	slice := func(typ discoveryv1.AddressType, endpoints []discoveryv1.Endpoint,
		ports ...string) *discoveryv1.EndpointSlice {
		s := &discoveryv1.EndpointSlice{AddressType: typ, Endpoints: endpoints}
		for _, p := range ports {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr(p)})
		}
		return s
	}
	of := func(addresses ...string) (list []discoveryv1.Endpoint) {
		for _, a := range addresses {
			list = append(list, endpoint(a))
		}
		return list
	}
	pods := of("10.0.0.7", "10.0.0.7")
	pods[0].TargetRef, pods[1].TargetRef = &corev1.ObjectReference{Name: "b"}, &corev1.ObjectReference{Name: "a"}
	plan := slicer.Plan{Steps: []slicer.Step{
		{Verb: slicer.Delete, Old: slice("IPv6", of("fd00::1"), "a")},
		{Verb: slicer.Delete, Old: slice("IPv4", slices.Concat(of("10.0.0.1", "10.0.0.20", "10.0.0.3"), pods), "b", "a")},
		{Verb: slicer.Delete, Old: slice("IPv4", of("10.0.0.5"), "a")},
		{Verb: slicer.Delete, Old: slice("IPv6", of("fd00::2"), "a")},
		{Verb: slicer.Create, New: slice("IPv4", slices.Concat(of("10.0.0.20", "10.0.0.3", "10.0.0.1"), pods), "a", "b")},
		{Verb: slicer.Create, New: slice("IPv6", of("fd00::1", "fd00::2"), "a")},
		{Verb: slicer.Create, New: slice("IPv4", of("10.0.0.5"), "a")},
	}}
	want := []string{
		"IPv6 fd00::1 on a: missing after step 1 until step 6",
		"IPv4 10.0.0.1 on a, b: missing after step 2 until step 5",
		"IPv4 10.0.0.3 on a, b: missing after step 2 until step 5",
		"IPv4 10.0.0.7 on a, b: missing after step 2 until step 5",
		"IPv4 10.0.0.7 on a, b: missing after step 2 until step 5",
		"IPv4 10.0.0.20 on a, b: missing after step 2 until step 5",
		"IPv4 10.0.0.5 on a: missing after step 3 until step 7",
		"IPv6 fd00::2 on a: missing after step 4 until step 6",
	}
	for range 20 { // a map has another order each time
		gaps := plan.Gaps()
		var texts []string
		for _, g := range gaps {
			texts = append(texts, g.String())
		}
		if !slices.Equal(texts, want) || gaps[3].Object.Name != "a" || gaps[4].Object.Name != "b" {
			t.Fatalf("%+v", gaps)
		}
	}
	// After and Until count before all else.
	plan.Steps = []slicer.Step{
		{Verb: slicer.Delete, Old: slice("IPv4", of("10.0.0.1", "10.0.0.2"), "a")},
		{Verb: slicer.Create, New: slice("IPv4", of("10.0.0.2"), "a")},
		{Verb: slicer.Create, New: slice("IPv4", of("10.0.0.1"), "a")},
	}
	if gaps := plan.Gaps(); len(gaps) != 2 || gaps[0].Until != 2 || gaps[1].Until != 3 {
		t.Errorf("%+v", gaps)
	}
	// One endpoint on ports that come at different times: they are two Gaps, by their ports if
	// nothing else differs.
	plan.Steps = []slicer.Step{
		{Verb: slicer.Delete, Old: slice("IPv4", of("10.0.0.1"), "b", "a")},
		{Verb: slicer.Create, New: slice("IPv4", of("10.0.0.1"), "b")},
		{Verb: slicer.Create, New: slice("IPv4", of("10.0.0.1"), "a")},
	}
	if gaps := plan.Gaps(); fmt.Sprint(gaps) != "[IPv4 10.0.0.1 on b: missing after step 1 until step 2 IPv4 "+
		"10.0.0.1 on a: missing after step 1 until step 3]" {
		t.Errorf("%v", gaps)
	}
	// Two endpoints that differ in their hostname, which a Gap does not have. Each stays published
	// on one of two ports.
	host := slices.Concat(of("10.0.0.1"), of("10.0.0.1"))
	host[1].Hostname = ptr("x")
	plan = slicer.Plan{
		Unchanged: []*discoveryv1.EndpointSlice{slice("IPv4", host[:1], "a"), slice("IPv4", host[1:], "b")},
		Steps: []slicer.Step{{Verb: slicer.Delete, Old: slice("IPv4", host, "a", "b")},
			{Verb: slicer.Create, New: slice("IPv4", host, "a", "b")}},
	}
	for range 20 {
		if gaps := plan.Gaps(); fmt.Sprint(gaps) != "[IPv4 10.0.0.1 on a: missing after step 1 until step 2 IPv4 "+
			"10.0.0.1 on b: missing after step 1 until step 2]" {
			t.Fatalf("%v", gaps)
		}
	}
}

// TestPreconditions: a delete checks the UID and the resource version, as far as the slice has
// them, and a create nothing.
func TestPreconditions(t *testing.T) {
	old := exampleSlice("web-a", "7")
	old.UID = "u"
	if p := (slicer.Step{Old: old}).Preconditions(); p.UID == nil || *p.UID != "u" || p.ResourceVersion == nil ||
		*p.ResourceVersion != "7" {
		t.Errorf("%+v", p)
	}
	if p := (slicer.Step{Old: &discoveryv1.EndpointSlice{}}).Preconditions(); p.UID != nil || p.ResourceVersion != nil {
		t.Errorf("%+v", p)
	}
	if p := (slicer.Step{New: old}).Preconditions(); p != nil {
		t.Errorf("%+v", p)
	}
}

// TestUnknownTypeOfSlice: a slice of ours with an address type that this library does not know is
// deleted like others whose type the set does not have.
func TestUnknownTypeOfSlice(t *testing.T) {
	in := input(t, "want\nhttp:80 | 10.0.0.1\n\nslices\nweb-a | http:80 | 10.0.0.1\nweb-b | http:80 | 10.0.0.2\n")
	in.Existing[1].AddressType = "IPX"
	plan, err := in.Compute()
	if err != nil || len(plan.Steps) != 1 || plan.Steps[0].Old != in.Existing[1] ||
		!slices.Equal(plan.Steps[0].Reasons, []slicer.Reason{slicer.AddressTypeGone}) {
		t.Errorf("%v, %v", plan, err)
	}
}

// TestNamesThatCannotBeHints: with Pass, a Node whose name cannot be a hint is published, and the
// decision lists it.
func TestNamesThatCannotBeHints(t *testing.T) {
	in := input(t, "options invalid=Pass\n\nwant\nhttp:80 | 10.0.0.1 10.0.0.2\n")
	in.Hints.Mode = hints.PreferSameNode
	in.Groups[0].Endpoints[0].NodeName, in.Groups[0].Endpoints[1].NodeName = ptr("a_b"), ptr("node-1")
	plan, err := in.Compute()
	if err != nil || len(plan.Hints) != 1 || plan.Hints[0].Reason != "InvalidName" ||
		!strings.Contains(plan.Hints[0].Message, "a_b") {
		t.Errorf("%+v, %v", plan.Hints, err)
	}
	for _, e := range plan.Steps[0].New.Endpoints {
		if (e.Hints != nil) != (*e.NodeName == "node-1") {
			t.Errorf("%+v", e)
		}
	}
}
