package slicer

import discoveryv1 "k8s.io/api/discovery/v1"

// Compute returns the writes that make the existing slices hold exactly the wanted endpoints. The
// same values give the same plan. The order of groups, endpoints, ports and slices makes no
// difference. Groups with equal ports are merged, so a Group for each endpoint gives the same plan
// as one Group for all. If Groups are nil or empty, no endpoint is wanted. Compute changes nothing
// in its arguments, and new objects share no memory with them.
//
// existing are the slices of the set's namespace that have the labels of Set.Key. By default that
// is the label kubernetes.io/service-name with the parent's name. The slices may belong to any
// manager and come in any order. None may be nil. A caller that passes all slices of the namespace
// gains two things: a new slice never gets the name of an existing slice without these labels, and
// Set.Adopt finds the slices that it names. If existing is nil or empty, the plan starts without
// slices. Step.Old, Plan.Unchanged and Plan.Ignored have the pointers of existing.
//
// A caller's mistake is an error, for example an empty ManagedBy, a nil slice, a slice without a
// name, or an unknown option. The error is made of *field.Errors, joined by errors.Join, with the
// path of each mistake. The plan is then empty. A second call with the same values returns the same
// error.
//
// A bad endpoint, a group with bad ports and an owner without UID are not errors. They are listed
// in Plan.Skips. If Options.Invalid is Fail, they are errors. A NamePrefix that cannot start a
// valid name is an error only if the plan creates a slice.
func Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	m := memories.Get().(*memory)
	defer memories.Put(m)
	defer m.release()
	return m.compute(in, existing)
}

// compute runs the stages of the planner. Each stage makes one value from the values before it.
// Only the placement is changed by several functions of its stage. All other values stay as their
// stage returned them.
func (m *memory) compute(input Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	in := m.request.read(input, existing) // request.go: the input, and what follows from its Set and Options
	if err := validate(in); err != nil {  // validate.go: the caller's mistakes
		return Plan{}, err
	}
	wanted := m.wanted.collect(in) // wanted.go: the items, which are the accepted endpoints without duplicates
	if err := wanted.mistakes(in); err != nil {
		return Plan{}, err
	}
	present := m.present.classify(in, wanted)        // present.go: which slices are ours
	placed := m.placement.place(in, wanted, present) // place.go: which slice each item goes to, with which hints
	if err := refusePrefix(placed); err != nil {
		return Plan{}, err
	}
	return write(placed), nil // emit.go: the steps, in an order that is safe to interrupt
}
