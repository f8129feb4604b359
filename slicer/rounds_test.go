package slicer_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// TestRoundsEnd bounds how often the stages of Compute are repeated because a slice above the maximum must take other
// hints, in worlds that are made for it: the slices are clean and too large, and hold hints that no longer fit.
func TestRoundsEnd(t *testing.T) {
	r := rand.New(rand.NewSource(nightly.Seed(t, 0)))
	seen := map[int]int{}
	for n := range nightly.Cases(t, 6000) {
		in := crowdedWorld(t, r)
		rounds, grew := slicer.Rounds(in.Input, in.Existing)
		if seen[rounds]++; rounds > 2+2 || !grew { // by two address types
			t.Fatalf("world %d: %d rounds; in each of them more slices are split: %t", n, rounds, grew)
		}
		if n%20 == 0 {
			planned(t, in)
		}
	}
	if 3*seen[2] < seen[1] { // no world is known that needs a third round
		t.Errorf("few worlds need a second round, so that the bound says little: %v", seen)
	}
	t.Logf("worlds by rounds: %v", seen)
}

// crowdedWorld has endpoints of three zones in two address types, in clean slices of which some are too large.
func crowdedWorld(t *testing.T, r *rand.Rand) given.World {
	in := input(t, "want\nhttp:80 | 10.0.0.1\n")
	in.Groups = nil
	in.Options.MaxEndpointsPerSlice = 1 + r.Intn(3)
	zones := []string{"a", "b", "c"}
	in.Options.Hints.Mode = hints.Proportional
	in.Options.Hints.Weights.Zones = map[string]int64{"a": 1 + r.Int63n(3), "b": 1 + r.Int63n(3), "c": 1 + r.Int63n(3)}
	in.Options.Hints.Thresholds = hints.Thresholds{Aim: 10, Start: 10 + r.Intn(200), Stop: 300}
	if r.Intn(2) == 0 {
		in.Options.Packing = slicer.Compact
	}
	for _, prefix := range []string{"10.0.%d.%d", "fd00::%d:%d"} {
		g := slicer.Group{Ports: portsOf(80)}
		for s := range 1 + r.Intn(5) {
			slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: portsOf(80)}
			if prefix[0] == 'f' {
				slice.AddressType = discoveryv1.AddressTypeIPv6
			}
			slice.Namespace, slice.Name = in.Set.Namespace, fmt.Sprintf("s%d", len(in.Existing))
			slice.UID, slice.ResourceVersion = "uid", fmt.Sprint(len(in.Existing)+1)
			slice.Labels = map[string]string{discoveryv1.LabelManagedBy: in.Set.ManagedBy, discoveryv1.LabelServiceName: in.Set.Name}
			slice.OwnerReferences = in.Set.Owners
			for e := range 1 + r.Intn(5) {
				zone := zones[r.Intn(3)]
				held := discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf(prefix, s+1, e+1)}, Zone: &zone}
				g.Endpoints = append(g.Endpoints, *held.DeepCopy())
				hint := zone
				if r.Intn(12) == 0 {
					hint = zones[r.Intn(3)]
				}
				if r.Intn(24) > 0 {
					held.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: hint}}}
				}
				slice.Endpoints = append(slice.Endpoints, held)
			}
			in.Existing = append(in.Existing, slice)
		}
		in.Groups = append(in.Groups, g)
	}
	return in
}

// TestSplits: the first round splits the slices that ask for it, and a second one all slices of their address types, so that
// hints which move on from slice to slice need no round for each. Slices of an address type that goes are never split.
func TestSplits(t *testing.T) {
	rounds := slicer.Splits([]int32{0, 0, 1, -1, 0, 1}, 0, 1)
	want := [][]bool{{true, false, false, false, false, false}, {true, true, false, false, true, false}}
	if d := cmp.Diff(want, rounds); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func portsOf(number int32) []discoveryv1.EndpointPort {
	name := "http"
	return []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
}
