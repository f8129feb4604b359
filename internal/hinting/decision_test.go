package hinting_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/hinting"
)

// TestTooManyZones: if an endpoint would have to serve more zones than a hint can name, there are
// no hints.
func TestTooManyZones(t *testing.T) {
	o := hinting.Options{Mode: hinting.PreferSameZone, Limit: 1, Weights: hinting.Weights{Zones: map[string]int64{}}}
	for zones := range 10 {
		o.Weights.Zones[fmt.Sprint("z", zones)] = 1
		want := "TopologyAwareHintsEnabled"
		if zones+1 > 8 {
			want = "TooManyZones"
		}
		in := []hinting.Slice{{Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"},
			Zone: &[]string{"z0"}[0]}}}}
		changes, d, err := hinting.Assign(o, in)
		if err != nil || d.Reason != want || d.On != (zones < 8) || (len(changes) > 0) != d.On {
			t.Errorf("an endpoint for %d zones: error %v, %+v, want %s", zones+1, err, d, want)
		}
	}
}

// A Message names at most ten, the first in order, and counts the others, whatever the order it
// meets them in.
func TestMessageNamesTheFirst(t *testing.T) {
	in := mustSlices("15_")
	for i := range in[0].Endpoints {
		in[0].Endpoints[i].Addresses[0] = fmt.Sprintf("10.0.0.%d", 10+(i*4)%15)
	}
	in[0].Endpoints = append(in[0].Endpoints, in[0].Endpoints...)
	slices.SortStableFunc(in[0].Endpoints, func(a, b discoveryv1.Endpoint) int {
		return strings.Compare(b.Addresses[0], a.Addresses[0])
	})
	_, d, err := hinting.Assign(auto("1,1", false), in)
	want := "ready endpoints without zone: 10.0.0.10 10.0.0.11 10.0.0.12 10.0.0.13 10.0.0.14 10.0.0.15 10.0.0.16 " +
		"10.0.0.17 10.0.0.18 10.0.0.19 and 5 more"
	if err != nil || d.Message != want {
		t.Errorf("of 15 endpoints in two port groups: %v, %v", d.Message, err)
	}
}

// An endpoint is named by its first address, without address by its target, and without either by
// nothing (H7).
func TestMessageNamesEndpoints(t *testing.T) {
	in := mustSlices("_ _ _")
	endpoints := in[0].Endpoints
	endpoints[1].Addresses, endpoints[1].TargetRef = nil, &corev1.ObjectReference{Kind: "Pod", Name: "web-1"}
	endpoints[2].Addresses = nil
	_, d, err := hinting.Assign(auto("1,1", false), in)
	if want := `ready endpoints without zone: "" 10.0.0.1 web-1`; err != nil || d.Message != want {
		t.Errorf("error %v, %q, want %q", err, d.Message, want)
	}
}
