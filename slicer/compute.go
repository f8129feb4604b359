package slicer

import (
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// Compute returns the writes after which the slices hold exactly the wanted endpoints and those of
// Pending objects. It is pure. existing are the slices that Key.Selector selects, also from a stale
// cache. Other slices may be in the list. If a create fails because its name is taken, get that
// slice and give it in existing.
//
// A refused endpoint is not an error. It is a Notice in Warnings, and its Path is the position in
// the Input. The error is a *field.Error for each mistake in the Input, joined by errors.Join.
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

// memory has the values that the stages of a plan make. A later call of Compute uses its arrays
// again. Between two calls it has no pointer to an object of a caller, and no plan points into it.
type memory struct {
	request   request
	wanted    wantedItems
	present   presentSlices
	placement placement
}

// The pool saves almost half of the time of a plan that changes nothing, if one Service of 3 to
// 1 000 Pods is planned again and again. If many Services are planned in turn, it saves less.
var memories = sync.Pool{New: func() any { return &memory{} }}

// release clears only the part of the memory that was used. So the plan of a small Service is not
// slowed down by a large one before it.
func (m *memory) release() {
	m.request.release()
	m.wanted.release()
	m.present.release()
	m.placement.release()
}

func (req *request) release() {
	clear(req.meta.Key)
	*req = request{related: req.related[:0], meta: meta.Metadata{Key: req.meta.Key[:0]}}
}

func (w *wantedItems) release() {
	clear(w.items)
	w.numbers.release()
	w.index.release()
	*w = wantedItems{numbers: w.numbers, items: w.items[:0], index: w.index}
}

func (t *portSetTable) release() {
	clear(t.all)
	clear(t.ports)
	*t = portSetTable{all: t.all[:0], ports: t.ports[:0]}
}

func (x *index) release() {
	x.table.reset(0)
	*x = index{table: x.table, sample: x.sample[:0]}
}

func (x *presentSlices) release() {
	clear(x.slices)
	clear(x.ports)
	*x = presentSlices{slices: x.slices[:0], byVersion: x.byVersion[:0], ports: x.ports[:0]}
}

func (p *placement) release() {
	clear(p.items)
	clear(p.slices)
	*p = placement{items: p.items[:0], slices: p.slices[:0], found: p.found[:0], listed: p.listed[:0]}
}
