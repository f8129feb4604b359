package slicer_test

import (
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

func ptr[T any](v T) *T { return &v }

func endpoint(address string) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{Addresses: []string{address}}
}

func ready(e discoveryv1.Endpoint, is bool) discoveryv1.Endpoint {
	e.Conditions.Ready = &is
	return e
}

// TestCausesArePrinted: an update that keeps its ports prints the endpoints that it counts and no
// others, and of each that changes a field or an address in which it does. An update without such
// endpoints prints what else differs.
func TestCausesArePrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, _ := gen.World(t).Compute()
		for _, s := range plan.Steps {
			if s.Verb != slicer.Update || !notation.SamePorts(s.Old.Ports, s.New.Ports) {
				continue
			}
			count := map[string]int{}
			for _, item := range notation.Changes(notation.Write{Old: s.Old, New: s.New, Added: s.Added,
				Removed: s.Removed, Changed: s.Changed}) {
				count[item.Sign]++
				if item.Sign == "~" && item.Suffix == "" && !strings.Contains(item.Addresses, "->") {
					t.Fatalf("no cause: %v", s)
				}
			}
			if count["~"] != s.Changed || count["-"] != s.Removed || count["+"] != s.Added {
				t.Fatalf("%d added, %d removed, %d changed: %v\nold %s\nnew %s", s.Added, s.Removed, s.Changed, s,
					notation.Endpoints(s.Old.Endpoints, s.Old.Namespace),
					notation.Endpoints(s.New.Endpoints, s.New.Namespace))
			}
			for why, words := range map[slicer.Reason]string{
				slicer.LabelsChanged: " labels ", slicer.AnnotationsChanged: " annotations ", slicer.OwnersChanged: " owners ",
			} {
				if slices.Contains(s.Reasons, why) && !strings.Contains(s.String(), words) {
					t.Fatalf("no cause for %s: %v", why, s)
				}
			}
		}
	})
}

func TestStatsByType(t *testing.T) {
	s := planned(t, input(t, `options max=2
set types=ipv4,ipv6

slices
web-a ipv4 rv=3 | http:80 | 10.0.0.1
web-b ipv4 rv=4 | http:80 | 10.0.0.2

want
http:80 | 10.0.0.1 10.0.0.2
http:81 | 10.0.0.1 10.0.0.3 10.0.0.4`)).Stats()
	if want := (slicer.TypeStats{Endpoints: 5, Slices: 4, Fewest: 3}); s.IPv4 != want {
		t.Errorf("IPv4: %+v, want %+v", s.IPv4, want)
	}
	if want := (slicer.TypeStats{Slices: 1, Fewest: 1}); s.IPv6 != want {
		t.Errorf("a placeholder: %+v, want %+v", s.IPv6, want)
	}
	if s.FQDN != (slicer.TypeStats{}) {
		t.Errorf("FQDN: %+v, want none", s.FQDN)
	}
}
