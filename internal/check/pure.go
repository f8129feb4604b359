package check

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// pure calls slicer.Compute twice and checks that the input stays as it was, down to its last byte and pointer, and that
// the two plans share nothing they may be changed through (G8).
func pure(in slicer.Input) (slicer.Plan, error) {
	before := Copy(in)
	pointers := slices.Clone(in.Existing)
	plan, err := slicer.Compute(in)
	if !reflect.DeepEqual(in, before) || !slices.Equal(in.Existing, pointers) {
		return plan, Broken{fmt.Errorf("G8: Compute changed its input")}
	}
	again, errAgain := slicer.Compute(in)
	if (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error() {
		return plan, Broken{fmt.Errorf("G7: the same input gives %v, then %v", err, errAgain)}
	}
	if shared := checkMemory(in, plan, again); shared != nil {
		return plan, Broken{shared}
	}
	return plan, err
}

// Copy copies an input deeply, keeping nil nil and empty empty.
func Copy(in slicer.Input) slicer.Input {
	out := in
	out.Set.Key, out.Set.Labels, out.Set.Annotations = maps.Clone(in.Set.Key), maps.Clone(in.Set.Labels), maps.Clone(in.Set.Annotations)
	out.Set.Adopt, out.Set.AddressTypes = slices.Clone(in.Set.Adopt), slices.Clone(in.Set.AddressTypes)
	owners := discoveryv1.EndpointSlice{}
	owners.OwnerReferences = in.Set.Owners
	out.Set.Owners = owners.DeepCopy().OwnerReferences
	out.Groups = slices.Clone(in.Groups)
	for i, g := range in.Groups {
		c := (&discoveryv1.EndpointSlice{Ports: g.Ports, Endpoints: g.Endpoints}).DeepCopy()
		out.Groups[i].Ports, out.Groups[i].Endpoints = c.Ports, c.Endpoints
	}
	out.Existing = slices.Clone(in.Existing)
	for i, s := range in.Existing {
		out.Existing[i] = s.DeepCopy()
	}
	return out
}
