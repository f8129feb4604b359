package slicer_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
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
