package scenario

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// verify checks what must hold for every plan, whatever the story: the inputs are as they were, another order of them
// gives the same plan, and a plan on what it leaves writes nothing.
func verify(in slicer.Input, plan slicer.Plan) error {
	if err := pure(in); err != nil {
		return err
	}
	for seed := range uint64(3) {
		other, err := slicer.Compute(shuffled(in, seed))
		if err != nil {
			return fmt.Errorf("with shuffled inputs: %w", err)
		}
		if err := same(plan, other); err != nil {
			return fmt.Errorf("shuffled inputs (seed %d) give another plan: %w", seed, err)
		}
	}
	return settled(in, plan)
}

// pure computes once more, on a deep copy that must stay as it is.
func pure(in slicer.Input) error {
	before, seen := copied(in), copied(in)
	if _, err := slicer.Compute(seen); err != nil {
		return err
	}
	if !reflect.DeepEqual(before, seen) {
		return fmt.Errorf("Compute changed its input: it was\n%+v\nand is\n%+v", before, seen)
	}
	return nil
}

// copied shares nothing with in that Compute could reach and change, but for unexported state of times.
func copied(in slicer.Input) slicer.Input {
	whole := discoveryv1.EndpointSliceList{}
	for _, g := range in.Groups {
		whole.Items = append(whole.Items, discoveryv1.EndpointSlice{Ports: g.Ports, Endpoints: g.Endpoints})
	}
	groups := whole.DeepCopy()
	in.Groups = slices.Clone(in.Groups)
	for i := range in.Groups {
		in.Groups[i].Ports, in.Groups[i].Endpoints = groups.Items[i].Ports, groups.Items[i].Endpoints
	}
	in.Existing = slices.Clone(in.Existing)
	for i, s := range in.Existing {
		in.Existing[i] = s.DeepCopy()
	}
	set := dressed(in.Set, "").DeepCopy()
	in.Set.Owners = set.OwnerReferences
	in.Set.Adopt = slices.Clone(in.Set.Adopt)
	in.Set.AddressTypes = slices.Clone(in.Set.AddressTypes)
	for _, m := range []*map[string]string{&in.Set.Key, &in.Set.Labels, &in.Set.Annotations} {
		carrier := discoveryv1.EndpointSlice{}
		carrier.Labels = *m
		*m = carrier.DeepCopy().Labels
	}
	return in
}

// shuffled is a copy of in with groups, ports, endpoints, slices and owners in another order.
func shuffled(in slicer.Input, seed uint64) slicer.Input {
	in = copied(in)
	r := rand.New(rand.NewPCG(seed, 1))
	shuffle(r, in.Groups)
	for _, g := range in.Groups {
		shuffle(r, g.Ports)
		shuffle(r, g.Endpoints)
	}
	shuffle(r, in.Existing)
	for _, s := range in.Existing {
		shuffle(r, s.Ports)
		shuffle(r, s.Endpoints)
	}
	shuffle(r, in.Set.AddressTypes)
	shuffle(r, in.Set.Adopt)
	return in
}

func shuffle[T any](r *rand.Rand, list []T) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// same compares what plans say but for the caller's pointers and the indices in paths, which follow the input's order.
func same(a, b slicer.Plan) error {
	if len(a.Steps) != len(b.Steps) {
		return fmt.Errorf("\n%s\n%s", a, b)
	}
	for i := range a.Steps {
		if a.Steps[i].String() != b.Steps[i].String() || !reflect.DeepEqual(a.Steps[i].New, b.Steps[i].New) {
			return fmt.Errorf("step %d:\n%v\n%+v\n%v\n%+v", i+1, a.Steps[i], a.Steps[i].New, b.Steps[i], b.Steps[i].New)
		}
	}
	a.Rejected, b.Rejected = withoutPaths(a.Rejected), withoutPaths(b.Rejected)
	if a.String() != b.String() {
		return fmt.Errorf("\n%s\n%s", a, b)
	}
	return nil
}

func withoutPaths(list []slicer.Rejection) []slicer.Rejection {
	list = slices.Clone(list)
	for i := range list {
		list[i].Err = nil
	}
	return list
}

// settled applies the plan to what it saw and plans again (G3).
func settled(in slicer.Input, plan slicer.Plan) error {
	server := &api{slices: slices.Clone(in.Existing)}
	if err := server.apply(plan.Steps); err != nil {
		return fmt.Errorf("the plan does not apply: %w", err)
	}
	in.Existing = server.slices
	again, err := slicer.Compute(in)
	if err != nil {
		return fmt.Errorf("planning again: %w", err)
	}
	if !again.Empty() {
		return fmt.Errorf("planning again on what the plan leaves writes:\n%s", again)
	}
	return nil
}
