package slicer

import discoveryv1 "k8s.io/api/discovery/v1"

// Compute returns the writes that make the existing slices hold exactly the wanted endpoints. The
// same values give the same plan, whatever the order of groups, endpoints, ports and slices.
// Nothing of the input is changed, and new objects share no memory with it. If Groups are nil or
// empty, nothing is wanted.
//
// existing are the slices in the set's namespace that have the labels of Set.Key, by default the
// parent's name. They may have any manager and any order, and none may be nil. A caller that lists
// the whole namespace gains two things: no new slice is named like a slice that does not have these
// labels, and Set.Adopt finds the slices that it names. If existing is nil or empty, the plan
// starts from nothing. The plan's Old, Unchanged and Ignored are these very pointers.
//
// A caller's mistake is an error, for example an empty ManagedBy, a nil slice, a slice without a
// name, or an unknown option. The error is made of *field.Errors, joined by errors.Join, with the
// path of each mistake. The plan is then empty, and calling again with the same values does not
// help. A bad endpoint, a group with bad ports and an owner without UID are not errors, unless
// Options.Invalid says so: they are listed in Plan.Skips. A prefix of which no name can be made is
// a mistake only if the plan creates a slice.
//
// Groups with equal ports are merged, so that a Group for each endpoint gives the same plan as one
// Group for all.
func Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	m := memories.Get().(*memory)
	defer memories.Put(m)
	defer m.release()
	return m.compute(in, existing)
}

// compute is the whole planner. Each value is made by one stage from the values before it. Only the
// placement changes while it is made. All others stay as their stage has returned them.
func (m *memory) compute(input Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	in := m.request.read(input, existing) // request.go: the input, and what it says apart from endpoints and slices
	if err := validate(in); err != nil {  // validate.go: the caller's mistakes
		return Plan{}, err
	}
	wanted := m.wanted.collect(in) // wanted.go: the items, which are the accepted endpoints, each once
	if err := wanted.mistakes(in); err != nil {
		return Plan{}, err
	}
	present := m.present.sort(in, wanted)            // present.go: which slices are ours
	placed := m.placement.place(in, wanted, present) // place.go: which slice each item goes to, with which hints
	if err := refusePrefix(placed); err != nil {
		return Plan{}, err
	}
	return write(placed), nil // emit.go: the steps, in an order that is safe to interrupt
}
