package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Compute returns the writes that make the existing slices hold exactly the wanted endpoints, and
// those that stay because their objects are Pending. It is pure. existing are the slices that
// Key.Selector selects, of any age; more do no harm. If a create fails because its name is taken,
// get that slice and give it in existing.
//
// A refused endpoint is no error but a Notice in Warnings whose Path names its place in the Input.
// The error is a *field.Error for each mistake in the Input, joined by errors.Join.
func Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	if in.Unmanaged {
		var f faults
		f.key(&in.Key)
		return Plan{Warnings: in.Warnings, Normal: in.Normal, Retry: in.Retry}, f.Err()
	}
	m := memories.Get().(*memory)
	defer memories.Put(m)
	defer m.release()
	return m.compute(in, existing)
}

// compute runs the stages of the planner. Each stage makes one value from the values before it.
// Only the placement is changed by several functions of its stage. All other values stay as their
// stage returned them.
func (m *memory) compute(input Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	req := m.request.read(input, existing) // request.go: the input, and what follows from it
	if err := validate(req); err != nil {  // validate.go: the caller's mistakes
		return Plan{}, err
	}
	req.keepPending()                                 // pending.go: Groups for endpoints that are not known now
	wanted := m.wanted.collect(req)                   // wanted.go: the accepted endpoints without duplicates
	present := m.present.classify(req, wanted)        // present.go: which slices are ours
	placed := m.placement.place(req, wanted, present) // place.go: which slice each item goes to, with which hints
	if err := refusePrefix(placed); err != nil {
		return Plan{}, err
	}
	return planOf(placed), nil // emit.go: the steps, in an order that is safe to interrupt
}
