package slicer

import (
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/internal/identity"
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
	defer m.release()
	m.input = in
	return m.compute(&m.input, existing)
}

// compute runs the stages. Each stage may change what it is given in place: what it returns is to be used from then on.
func (m *memory) compute(in *Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	r := m.rulesOf(in)
	if err := validate(in, existing, r, &m.present); err != nil {
		return Plan{}, err
	}
	w := collect(in, r, &m.groups, &m.items, &m.wanted)
	if in.Options.Invalid == Fail && len(w.rejected) > 0 {
		return Plan{}, w.mistakes()
	}
	x := sortExisting(in, existing, r, &w, &m.groups, &m.present)
	for split := (splits{}); ; {
		h := match(r, &w, &x, split, &m.homes)               // which slice is each item's home; what must be written
		h = reassignPorts(r, &w, &x, h)                      // slices whose ports nobody wants take new ones
		l := dropSurplus(r, &w, h, m.layout.stayHome(&x, h)) // everybody at home, up to the maximum
		l = place(r, &w, &x, l)                              // a place for everybody else
		c := m.contents.list(&w, l)
		d := decideHints(r, &w, &x, h, l, c)
		if len(d.crowded) > 0 {
			split = split.with(d.crowded, x.slices) // it only grows, so this ends
			continue
		}
		if len(l.creates) > 0 {
			if err := refusePrefix(&in.Set); err != nil {
				return Plan{}, err
			}
		}
		if len(d.opened) > 0 {
			l.write(d.opened)
			c = m.contents.list(&w, l)
		}
		return emit(emission{in: in, existing: existing, r: r, w: &w, x: &x, h: h, l: l, c: c, d: d}), nil
	}
}

func validate(in *Input, existing []*discoveryv1.EndpointSlice, r *rules, m *presentMemory) error {
	var f faults
	f.options(&in.Options)
	f.set(&in.Set)
	f.groups(in)
	f.existing(&in.Set, existing, r, m)
	return f.err()
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
	r.limits = packing.Limits{Max: in.Options.MaxEndpointsPerSlice, NoCreates: in.Set.Terminating}
	if r.limits.Max == 0 {
		r.limits.Max = defaultMaxEndpoints
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

// memory is what one Compute leaves to the next, so that a plan which changes little allocates little: for each stage what
// it fills. Between two calls it holds no pointer to anything of a caller's.
type memory struct {
	input    Input
	rules    rules
	key      []meta.Label
	groups   identity.Groups
	wanted   wantedMemory
	items    identity.Items
	present  presentMemory
	homes    homesMemory
	layout   layoutMemory
	contents contentsMemory
}

var memories = sync.Pool{New: func() any { return &memory{} }}

// release clears all that was used and gives it back to the pool.
func (m *memory) release() {
	clear(m.key)
	m.input, m.rules, m.key = Input{}, rules{}, m.key[:0]
	m.groups.Release()
	m.wanted.release()
	m.items.Release()
	m.present.release()
	m.homes.release()
	memories.Put(m)
}
