package slicer

import (
	"cmp"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/meta"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// Compute plans the writes that make the existing slices hold exactly the wanted endpoints. The same values give the
// same plan whatever the order of groups, endpoints, ports and slices; nothing of the input is changed, and new objects
// share no memory with it. nil and empty Groups want nothing.
//
// existing are the slices in the set's namespace that have the labels of Set.Key, by default the parent's name, of any manager,
// in any order, without nil. A caller who lists the whole namespace gains one thing: no new slice is named like a slice that
// lacks these labels. nil and empty start from nothing. The plan's Old, Unchanged and Ignored are these very pointers.
//
// A caller's mistake (no ManagedBy, a nil slice, a bad port list, an unknown option) is an error of *field.Errors joined
// by errors.Join, with the path of each; then the plan is empty. A bad endpoint is no error but set aside in
// Plan.Skips, unless Options.Invalid says otherwise. A prefix of which no name can be made is a mistake only where the plan
// creates something.
func Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	m := memories.Get().(*memory)
	defer memories.Put(m)
	return m.compute(in, existing)
}

// compute runs the stages in the memory of m, which is clear again afterwards. Each stage fills or changes what it is called
// on, or else its last argument, and only reads the others.
func (m *memory) compute(input Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	defer m.release()
	m.input = input
	in := &m.input
	rules, wanted, present := m.rulesOf(in), &m.wanted, &m.present
	homes, layout := &m.homes, &m.layout
	if err := validate(in, existing, rules, present); err != nil {
		return Plan{}, err
	}
	collect(in, rules, wanted)
	if in.Options.Invalid == Fail && len(wanted.rejected) > 0 {
		return Plan{}, wanted.mistakes()
	}
	sortExisting(in, existing, rules, wanted, present)
	m.held = held{Items: &wanted.ids, present: present, ids: m.held.ids}
	demand(rules, wanted, present, &m.demands)
	for split := (splits{}); ; {
		match(rules, wanted, present, split, homes)      // which slice is each item's home; what must be written
		reassignPorts(rules, wanted, present, homes)     // slices whose ports nobody wants take new ones
		homes.stay(present, layout)                      // everybody is at home
		layout.Fill(rules.layout, m.demands[:], &m.held) // a place for everybody else, and what becomes of every slice
		hints := decideHints(rules, wanted, present, homes, layout)
		if len(hints.overMax) > 0 {
			split = split.with(hints.overMax, len(present.slices)) // it only grows, so this ends
			continue
		}
		if len(layout.Creates) > 0 {
			if err := refusePrefix(&in.Set); err != nil {
				return Plan{}, err
			}
		}
		if len(hints.opened) > 0 {
			layout.Open(hints.opened, &m.held)
		}
		return emit(emission{memory: m, existing: existing, hints: hints}), nil
	}
}

func validate(in *Input, existing []*discoveryv1.EndpointSlice, r *rules, x *present) error {
	var f faults
	f.options(&in.Options)
	f.set(&in.Set)
	f.groups(in)
	f.existing(&in.Set, existing, r, x)
	return f.Err()
}

// rules are what an Input says apart from endpoints and slices.
type rules struct {
	options *Options
	layout  layout.Rules
	meta    meta.Metadata // what every slice carries
}

func (m *memory) rulesOf(in *Input) *rules {
	m.key = keyOf(m.key[:0], &in.Set)
	r := &m.rules
	r.options, r.meta = &in.Options, meta.Metadata{
		Key: m.key, Labels: in.Set.Labels, Annotations: in.Set.Annotations, Owners: in.Set.Owners,
		KeepLabels: in.Options.KeepForeignLabels, RemoveAnnotations: in.Options.RemoveForeignAnnotations,
	}
	most := cmp.Or(in.Options.MaxEndpointsPerSlice, defaultMaxEndpoints)
	r.layout = layout.Rules{
		Limits:  packing.Limits{Max: most, NoCreates: in.Set.Terminating},
		Compact: in.Options.Packing == Compact, DissolveUpTo: most * cmp.Or(in.Options.DissolveUpTo, 100) / 100,
	}
	return r
}

// keyOf lists the labels that tell the slices of the set from all others, managed-by last.
func keyOf(key []meta.Label, s *Set) []meta.Label {
	for name, value := range s.Key {
		key = append(key, meta.Label{Name: name, Value: value})
	}
	if len(s.Key) == 0 {
		key = append(key, meta.Label{Name: discoveryv1.LabelServiceName, Value: s.Name})
	}
	return append(key, meta.Label{Name: discoveryv1.LabelManagedBy, Value: s.ManagedBy})
}

// memory is what the stages fill. One Compute leaves it to the next, so that a plan which changes little allocates little.
// Between two calls it holds no pointer to anything of a caller's, and no plan points into it.
type memory struct {
	input   Input
	rules   rules
	key     []meta.Label
	wanted  wanted
	present present
	homes   homes
	demands [len(endpoint.AddressTypes)]layout.Demand
	held    held
	layout  layout.Layout
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// release clears what was used, and no more.
func (m *memory) release() {
	clear(m.key)
	m.input, m.rules, m.key = Input{}, rules{}, m.key[:0]
	m.wanted.release()
	m.present.release()
	m.homes.release()
}
