package service

import (
	"cmp"
	"slices"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// runs lists wanted endpoints in the order in which they are to be given to slicer.Compute.
type runs struct {
	w      *wanted
	mode   hints.Mode
	list   []run
	blocks arena[discoveryv1.Endpoint] // endpoints that are copied or made, and
	times  arena[time.Time]            // when they changed, place by place
	leaves leaves
}

// run is a list of wanted endpoints of one family and port set.
type run struct {
	family    uint8
	set       int32
	endpoints []discoveryv1.Endpoint
	changed   []time.Time // as in slicer.Group
}

// begin makes ready to list wanted endpoints, those of n slices and others. mode says where their hints come from.
func (r *runs) begin(w *wanted, mode hints.Mode, n int) {
	r.w, r.mode = w, mode
	r.list = slices.Grow(r.list, n)
}

// take appends the wanted endpoints that a slice has, in its order: the slice's own values where many that lie together are
// just what is wanted, copies where few are. When these changed is left out, because what a slice has already is no news.
func (r *runs) take(endpoints []discoveryv1.Endpoint, matches []match) {
	const many = 16
	for i := 0; i < len(endpoints); {
		if matches[i].wanted == none {
			i++
			continue
		}
		if n := r.alike(endpoints[i:], matches[i:]); n >= many {
			w := &r.w.endpoints[matches[i].wanted]
			r.list = append(r.list, run{family: w.family, set: w.set, endpoints: endpoints[i : i+n : i+n]})
			i += n
			continue
		}
		r.takeOne(&endpoints[i], matches[i])
		i++
	}
}

// alike returns how many of a slice's endpoints, from the first on, are just what is wanted and of one port set.
func (r *runs) alike(endpoints []discoveryv1.Endpoint, matches []match) int {
	var first *wantedEndpoint
	for i, m := range matches {
		if !m.same || r.mode == hints.Given && endpoints[i].Hints != nil {
			return i
		}
		w := &r.w.endpoints[m.wanted]
		if i == 0 {
			first = w
		}
		if w.set != first.set {
			return i
		}
	}
	return len(matches)
}

func (r *runs) takeOne(held *discoveryv1.Endpoint, m match) {
	if !m.same {
		r.make(m.wanted)
		return
	}
	e, _ := r.next(&r.w.endpoints[m.wanted])
	*e = *held
	e.Hints, e.DeprecatedTopology = nil, nil
}

// makeAll makes wanted endpoints that no slice has.
func (r *runs) makeAll(list []int32) {
	r.blocks.reserve(len(list))
	r.times.reserve(len(list))
	for _, i := range list {
		r.make(i)
	}
}

func (r *runs) make(i int32) {
	e, changed := r.next(&r.w.endpoints[i])
	r.w.make(i, e, &r.leaves)
	*changed = r.w.changed(i)
}

// next returns the places for the next wanted endpoint and its time, in the last run if that lies before it and is of its
// kind.
func (r *runs) next(w *wantedEndpoint) (*discoveryv1.Endpoint, *time.Time) {
	e, changed := r.blocks.next(), r.times.next()
	end := len(r.blocks.block)
	if n := len(r.list); n > 0 {
		last := &r.list[n-1]
		k := len(last.endpoints)
		if last.family == w.family && last.set == w.set && k < end && &r.blocks.block[end-1-k] == &last.endpoints[0] {
			last.endpoints, last.changed = r.blocks.block[end-1-k:end:end], r.times.block[end-1-k:end:end]
			return e, changed
		}
	}
	r.list = append(r.list, run{w.family, w.set, r.blocks.block[end-1 : end : end], r.times.block[end-1 : end : end]})
	return e, changed
}

// appendGroups appends a group for each run, all runs of one family and port set one after the other.
func (r *runs) appendGroups(groups []slicer.Group) []slicer.Group {
	slices.SortStableFunc(r.list, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.set, b.set))
	})
	groups = slices.Grow(groups, len(r.list))
	for i, run := range r.list {
		g := slicer.Group{AddressType: families[run.family], Endpoints: run.endpoints, Changed: run.changed}
		if i > 0 && r.list[i-1].family == run.family && r.list[i-1].set == run.set {
			g.Ports = groups[i-1].Ports
		} else {
			g.Ports = r.w.ports.ports(run.set)
		}
		groups = append(groups, g)
	}
	return groups
}

// release forgets all endpoints.
func (r *runs) release() {
	clear(r.list)
	r.blocks.clear()
	r.times.clear()
	r.leaves.targets.clear()
	r.leaves.lists.clear()
	*r = runs{list: r.list[:0], blocks: r.blocks, times: r.times, leaves: r.leaves}
}
