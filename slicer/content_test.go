package slicer_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/slices"
)

// TestDecisionNamesRefusedHints: SameZone and SameNode name the zones and Nodes that cannot be hints, each address type its own.
func TestDecisionNamesRefusedHints(t *testing.T) {
	for _, mode := range []hints.Mode{hints.SameZone, hints.SameNode} {
		in := input(t, "want\nipv4 http:80 | 10.0.0.1{zone=\"zone a\"} 10.0.0.2{zone=z2}\nipv6 http:80 | fd00::1{zone=z1}\n")
		in.Options.Hints.Mode = mode
		plan := planned(t, in)
		named := map[discoveryv1.AddressType][]string{}
		for _, d := range plan.Hints {
			if (d.Reason == hints.InvalidName) != (len(d.Names) > 0) {
				t.Errorf("%v: reason %v with names %v", mode, d.Reason, d.Names)
			}
			named[d.AddressType] = d.Names
		}
		if !slices.Equal(named[discoveryv1.AddressTypeIPv4], []string{"zone a"}) || len(named[discoveryv1.AddressTypeIPv6]) > 0 || len(named) != 2 {
			t.Errorf("%v: named %v", mode, named)
		}
	}
}

// TestGeneratedNamesAfter: where After shows what the API server will name, it takes no name of a slice that exists: one that
// stays, one that is updated or deleted, or another manager's.
func TestGeneratedNamesAfter(t *testing.T) {
	plan := planned(t, input(t, `options max=1

slices
web-1 | http:80 | 10.0.0.1
web-2 managed-by=other.example.com | http:80 | 10.0.0.2
web-4 | http:80 | 10.0.0.4
web-6 ipv6 | http:80 | fd00::1

want
http:80 | 10.0.0.1 10.0.0.4{!ready} 10.0.0.5 10.0.0.6 10.0.0.7`))
	var names []string
	for _, s := range plan.After() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if want := []string{"web-1", "web-3", "web-4", "web-5", "web-7"}; !slices.Equal(names, want) {
		t.Errorf("named %q, want %q\n%s", names, want, plan)
	}
}

// TestEmptyTextsHaveAnOrder: nil and empty texts are equal, and still the order of the input does not decide which of two
// such endpoints is listed first (G7).
func TestEmptyTextsHaveAnOrder(t *testing.T) {
	empty := ""
	for name, set := range map[string]func(e *discoveryv1.Endpoint){
		"hostname": func(e *discoveryv1.Endpoint) { e.Hostname = &empty },
		"node":     func(e *discoveryv1.Endpoint) { e.NodeName = &empty },
		"zone":     func(e *discoveryv1.Endpoint) { e.Zone = &empty },
		"hints":    func(e *discoveryv1.Endpoint) { e.Hints = &discoveryv1.EndpointHints{} },
	} {
		in := input(t, "want\nhttp:80 | 10.0.0.1{ready} 10.0.0.1{!ready} 10.0.0.1{!ready}\n")
		list := in.Groups[0].Endpoints // the first stays, the others are rejected
		set(&list[1])
		if _, err := check.Compute(in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		first := planned(t, in)
		slices.Reverse(list)
		if second := planned(t, in); len(first.Skips) != 2 || !slices.Equal(check.Text(first), check.Text(second)) {
			t.Errorf("%s: the order of the input counts:\n%v\n%v", name, check.Text(first), check.Text(second))
		}
	}
}
