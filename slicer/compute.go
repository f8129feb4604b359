package slicer

import (
	"cmp"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

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
	homes, layout, contents := &m.homes, &m.layout, &m.contents
	if err := validate(in, existing, rules, present); err != nil {
		return Plan{}, err
	}
	collect(in, rules, wanted)
	if in.Options.Invalid == Fail && len(wanted.rejected) > 0 {
		return Plan{}, wanted.mistakes()
	}
	sortExisting(in, existing, rules, wanted, present)
	for split := (splits{}); ; {
		match(rules, wanted, present, split, homes)  // which slice is each item's home; what must be written
		reassignPorts(rules, wanted, present, homes) // slices whose ports nobody wants take new ones
		layout.stayHome(present, homes)              // everybody is at home
		dropSurplus(rules, wanted, homes, layout)    // up to the maximum
		assign(rules, wanted, present, layout)       // a place for everybody else
		contents.list(wanted, layout)
		hints := decideHints(rules, wanted, present, homes, layout, contents)
		if len(hints.overMax) > 0 {
			split = split.with(hints.overMax, len(present.slices)) // it only grows, so this ends
			continue
		}
		if len(layout.creates) > 0 {
			if err := refusePrefix(&in.Set); err != nil {
				return Plan{}, err
			}
		}
		if len(hints.opened) > 0 {
			for _, i := range hints.opened { // nothing changes in them but hints
				layout.slices[i].written = true
			}
			contents.list(wanted, layout)
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
	limits  packing.Limits
	meta    meta.Metadata // what every slice carries
}

func (m *memory) rulesOf(in *Input) *rules {
	m.key = keyOf(m.key[:0], &in.Set)
	r := &m.rules
	r.options, r.meta = &in.Options, meta.Metadata{
		Key: m.key, Labels: in.Set.Labels, Annotations: in.Set.Annotations, Owners: in.Set.Owners,
		KeepLabels: in.Options.KeepForeignLabels, RemoveAnnotations: in.Options.RemoveForeignAnnotations,
	}
	r.limits = packing.Limits{Max: cmp.Or(in.Options.MaxEndpointsPerSlice, defaultMaxEndpoints), NoCreates: in.Set.Terminating}
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
	input    Input
	rules    rules
	key      []meta.Label
	wanted   wanted
	present  present
	homes    homes
	layout   layout
	contents contents
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// release clears what was used, and no more.
func (m *memory) release() {
	clear(m.key)
	m.input, m.rules, m.key = Input{}, rules{}, m.key[:0]
	m.wanted.release()
	m.present.release()
	m.homes.release()
	m.layout = layout{places: m.layout.places[:0], slices: m.layout.slices[:0]}
	m.contents = contents{items: m.contents.items[:0]}
}
