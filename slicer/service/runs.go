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
	left   []int32                     // wanted endpoints that no slice has
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
func (r *runs) take(endpoints []discoveryv1.Endpoint, matches []match, family int) {
	const many = 16
	for i := 0; i < len(endpoints); {
		at := matches[i]
		switch n := r.alike(endpoints[i:], matches[i:]); {
		case !at.wanted:
		case at.made != none:
			r.make(at.made)
		case n >= many:
			r.list = append(r.list, run{family: uint8(family), set: at.set, endpoints: endpoints[i : i+n : i+n]})
			i += n
			continue
		default:
			e, _ := r.next(uint8(family), at.set)
			*e = endpoints[i]
			e.Hints, e.DeprecatedTopology = nil, nil
		}
		i++
	}
}

// alike returns how many of a slice's endpoints, from the first on, are just what is wanted and of one port set.
func (r *runs) alike(endpoints []discoveryv1.Endpoint, matches []match) int {
	for i, at := range matches {
		if !at.wanted || at.made != none || at.set != matches[0].set || r.mode == hints.Given && endpoints[i].Hints != nil {
			return i
		}
	}
	return len(matches)
}

// makeFrom makes the wanted endpoints from one on, those of one port set together.
func (r *runs) makeFrom(first int) {
	for i := first; i < len(r.w.endpoints); i++ {
		r.left = append(r.left, int32(i))
	}
	if len(r.w.ports.sets) > 1 {
		slices.SortStableFunc(r.left, func(a, b int32) int { return cmp.Compare(r.w.endpoints[a].set, r.w.endpoints[b].set) })
	}
	r.blocks.reserve(len(r.left))
	r.times.reserve(len(r.left))
	for _, i := range r.left {
		r.make(i)
	}
}

func (r *runs) make(i int32) {
	w := &r.w.endpoints[i]
	e, changed := r.next(w.family, w.set)
	r.w.make(i, e, &r.leaves)
	*changed = r.w.changed(w.workload)
}

// next returns the places for the next wanted endpoint and its time, in the last run if that lies before it and is of its
// kind.
func (r *runs) next(family uint8, set int32) (*discoveryv1.Endpoint, *time.Time) {
	e, changed := r.blocks.next(), r.times.next()
	end := len(r.blocks.block)
	if n := len(r.list); n > 0 {
		last := &r.list[n-1]
		k := len(last.endpoints)
		if last.family == family && last.set == set && k < end && &r.blocks.block[end-1-k] == &last.endpoints[0] {
			last.endpoints, last.changed = r.blocks.block[end-1-k:end:end], r.times.block[end-1-k:end:end]
			return e, changed
		}
	}
	r.list = append(r.list, run{family, set, r.blocks.block[end-1 : end : end], r.times.block[end-1 : end : end]})
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
	r.leaves.release()
	*r = runs{list: r.list[:0], left: r.left[:0], blocks: r.blocks, times: r.times, leaves: r.leaves}
}
