package slicer_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// TestCompactTerminating: while the parent is terminating, Compact does what InPlace does.
func TestCompactTerminating(t *testing.T) { rapid.Check(t, compactTerminating) }

func compactTerminating(t *rapid.T) {
	in := gen.World(t)
	in.Set.Terminating = true
	in.Options.Packing, in.Options.DissolveUpTo = slicer.InPlace, 0
	inPlace, err := in.Compute()
	if check.Mistake(err) && in.Options.Invalid == slicer.Fail {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	in.Options.Packing, in.Options.DissolveUpTo = slicer.Compact, rapid.SampledFrom([]int{0, 1, 50}).Draw(t, "dissolve up to")
	compact, err := in.Compute()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(inPlace, compact, cmpopts.IgnoreUnexported(slicer.Plan{}), cmp.Comparer(func(a, b slicer.Skip) bool { return reflect.DeepEqual(a, b) })); d != "" {
		t.Fatalf("InPlace and Compact differ (-InPlace +Compact):\n%s", d)
	}
}

// TestCompactLarger judges plans on worlds that are larger than those that rapid draws. That they are the cheapest is what
// packing's brute force shows on small ones.
func TestCompactLarger(t *testing.T) {
	first := nightly.Seed(t, 0)
	for n := range nightly.Cases(t, 60) {
		seed := first + int64(n)
		r := rand.New(rand.NewSource(seed))
		in := scattered(r, 1+r.Intn(40), 1+r.Intn(4))
		in.Options.Packing = slicer.Compact
		in.Options.DissolveUpTo = r.Intn(2) * r.Intn(101)
		change(r, &in)
		if plan, err := in.Compute(); err != nil {
			t.Fatal(err)
		} else if err := check.Plan(in, plan); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// scattered is a world of so many slices, each of one of some port sets and filled to any degree. Nothing must be written.
func scattered(r *rand.Rand, slices, ports int) given.World {
	in := given.World{}
	in.Set = slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "test", Owners: smallOwners}
	in.Options.MaxEndpointsPerSlice = 2 + r.Intn(9)
	next := 0
	for i := range slices {
		s := emptySlice(i, 80+r.Intn(ports))
		for range 1 + r.Intn(in.Options.MaxEndpointsPerSlice) {
			s.Endpoints = append(s.Endpoints, readyEndpoint(next))
			in.Groups = append(in.Groups, oneEndpoint(int(*s.Ports[0].Port), next))
			next++
		}
		in.Existing = append(in.Existing, s)
	}
	return in
}

// change lets some endpoints go, come, change and move to another port set.
func change(r *rand.Rand, in *given.World) {
	often := 2 + r.Intn(12)
	in.Groups = slices.DeleteFunc(in.Groups, func(slicer.Group) bool { return r.Intn(often) == 0 })
	for i := range in.Groups {
		switch e := &in.Groups[i].Endpoints[0]; r.Intn(4 * often) {
		case 0:
			e.Conditions.Ready = new(bool)
		case 1:
			in.Groups[i].Ports = onePort(80 + r.Intn(5))
		}
	}
	for n := range r.Intn(3) * r.Intn(40) {
		in.Groups = append(in.Groups, oneEndpoint(80+r.Intn(4), 1000+n))
	}
}

var smallOwners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "web", UID: "now"}}

// emptySlice is the i-th slice, which has one port and needs no write except for its endpoints.
func emptySlice(i, port int) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: onePort(port)}
	s.Namespace, s.Name, s.ResourceVersion = "ns", fmt.Sprintf("s%d", i), fmt.Sprint(i+1)
	s.Labels = map[string]string{discoveryv1.LabelManagedBy: "test", discoveryv1.LabelServiceName: "web"}
	s.OwnerReferences = smallOwners
	return s
}

func oneEndpoint(port, e int) slicer.Group {
	return slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: onePort(port), Endpoints: []discoveryv1.Endpoint{readyEndpoint(e)}}
}

func onePort(port int) []discoveryv1.EndpointPort {
	number, name := int32(port), "http"
	return []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
}

func readyEndpoint(e int) discoveryv1.Endpoint {
	ready := true
	return discoveryv1.Endpoint{
		Addresses:  []string{fmt.Sprintf("10.0.%d.%d", (e+1)>>8, (e+1)&255)},
		Conditions: discoveryv1.EndpointConditions{Ready: &ready},
	}
}
