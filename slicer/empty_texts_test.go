package slicer_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/slicer"
)

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

// TestRepeatedHintsAreWritten: with Pass a wanted endpoint may have a zone twice. It is not what a slice holds that has two
// zones, one of them that one.
func TestRepeatedHintsAreWritten(t *testing.T) {
	zones := func(names ...string) *discoveryv1.EndpointHints {
		h := &discoveryv1.EndpointHints{}
		for _, n := range names {
			h.ForZones = append(h.ForZones, discoveryv1.ForZone{Name: n})
		}
		return h
	}
	in := input(t, "want\nhttp:80 | 10.0.0.1\n")
	in.Options.Hints.Mode, in.Options.Invalid = hints.Given, slicer.Pass
	e := &in.Groups[0].Endpoints[0]
	e.Hints = zones("a", "b")
	in.Existing = planned(t, in).After()
	in.Existing[0].UID, in.Existing[0].ResourceVersion = "uid", "1"
	e.Hints = zones("b", "a")
	if p := planned(t, in); !p.Empty() {
		t.Errorf("another order of hints is written: %v", p)
	}
	e.Hints = zones("a", "a")
	if p := planned(t, in); len(p.Steps) != 1 || len(p.Steps[0].New.Endpoints[0].Hints.ForZones) != 2 {
		t.Errorf("want the hints written: %v", p)
	}
}
