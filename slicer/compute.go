package slicer

import (
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/internal/layout"
)

// Compute plans the writes that make the existing slices hold exactly the wanted endpoints. The same values give the
// same plan whatever the order of groups, endpoints, ports and slices; nothing of the input is changed, and new objects
// share no memory with it. nil and empty Groups want nothing.
//
// existing are the slices in the set's namespace that have the labels of Set.Key, by default the parent's name, of any manager, in
// any order, without nil. A caller who lists the whole namespace gains two things: no new slice is named like a slice that lacks
// these labels, and Set.Adopt finds those that it names. nil and empty start from nothing. The plan's Old, Unchanged and Ignored
// are these very pointers.
//
// A caller's mistake (no ManagedBy, a nil slice or one without name, an unknown option) is an error of *field.Errors joined
// by errors.Join, with the path of each; then the plan is empty, and calling again with the same values does not help. A bad
// endpoint, a group with bad ports and an owner without UID are no error but set aside in Plan.Skips, unless Options.Invalid
// says otherwise. A Group for each endpoint is as good as one for all: groups with equal ports are merged. A prefix of which
// no name can be made is a mistake only where the plan creates something.
func Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	m := memories.Get().(*memory)
	defer memories.Put(m)
	return m.compute(in, existing)
}

// compute runs the stages in the memory of m, which is clear again afterwards. Each stage fills what it is called on, or else its
// last argument or its result, and only reads the others.
func (m *memory) compute(input Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	defer m.release()
	m.input = input
	in, rules, wanted, present, homes, layout := &m.input, &m.rules, &m.wanted, &m.present, &m.homes, &m.layout

	rules.read(in)                                 // what the input says apart from endpoints and slices
	related := present.relate(in, existing, rules) // the parent's slices, by name
	if err := validate(in, existing, related); err != nil {
		return Plan{}, err
	}
	collect(in, rules, wanted) // the accepted endpoints, each once
	if in.Options.Invalid == Fail && len(wanted.rejected) > 0 {
		return Plan{}, wanted.mistakes()
	}
	sortExisting(in, existing, related, rules, wanted, present) // which slices are ours
	endpoints := &m.held
	endpoints.Items, endpoints.present = &wanted.ids, present
	for oversize := []bool(nil); ; {
		match(rules, wanted, present, oversize, homes)              // which slice is each endpoint's home; what must be written
		reassignPorts(rules, wanted, present, homes)                // slices whose ports nobody wants take new ones
		homes.stay(present, layout)                                 // at first every endpoint is at home
		layout.Fill(rules.layout, present.empty[:], endpoints)      // where the others go; what becomes of every slice
		hints := decideHints(rules, wanted, present, homes, layout) // for which zone or Node each endpoint is
		if len(hints.overMax) > 0 {                                 // clean slices that their hints make too full
			oversize = split(oversize, hints.overMax, len(present.slices)) // it only grows, so this ends
			continue
		}
		layout.Open(hints.opened, endpoints) // clean slices that are written for their hints
		if len(layout.Creates) > 0 {
			if err := refusePrefix(&in.Set); err != nil {
				return Plan{}, err
			}
		}
		triggers := triggersOf(in, wanted, present, homes, layout) // which trigger time a slice gets
		order := updateOrder(wanted, present, homes, layout)       // which update waits for which
		return emit(decided{in, rules, wanted, present, homes, layout, hints, triggers, order}, existing), nil
	}
}

// memory is what the stages fill. One Compute leaves it to the next, so that a plan which changes little allocates little.
// Between two calls it holds no pointer to anything of a caller's, and no plan points into it.
type memory struct {
	input   Input
	rules   rules
	wanted  wanted
	present present
	held    held
	homes   homes
	layout  layout.Layout
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// release clears what was used, and no more.
func (m *memory) release() {
	m.input = Input{}
	m.rules.release()
	m.wanted.release()
	m.present.release()
	m.homes.release()
}
