package slices

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
)

// copyWait is a slice that gives up a good copy, and the slice that will hold the endpoint.
type copyWait struct {
	from, to *slot
	pair     pair
}

// checkCopies: a good copy of an endpoint is not given up before the slice that will hold the endpoint was written, if
// that one has no good copy of its own, the third rule of G6. Of these waits, by the names of the slice that gives up and
// the one that will hold, each counts that closes no cycle with those of all rules before it.
func (o *outcome) checkCopies(waits *waits) {
	var all []copyWait
	for p := range o.spans() {
		all = append(all, o.copyWaits(p)...)
	}
	slices.SortFunc(all, func(a, b copyWait) int {
		return cmp.Or(strings.Compare(a.from.name(), b.from.name()), strings.Compare(a.to.name(), b.to.name()))
	})
	for _, w := range all {
		if waits.reaches(w.to, w.from) {
			continue
		}
		waits.add(w.from, w.to)
		if w.from.step < w.to.step {
			o.fail("G6", "(3) %s gives up a good copy of endpoint %s in step %d before step %d writes %s, which has none", w.from.name(), w.pair.id, w.from.step, w.to.step, w.to.name())
		}
	}
}

func (o *outcome) copyWaits(p pair) []copyWait {
	var good []*slot
	var to *slot
	for _, s := range o.slots {
		if s.group == p.group && slices.Contains(s.ids, p.id) {
			to = s
		}
		if s.old != nil && form.KeyOf(s.old) == p.group.key && p.hasGoodCopy(s.old) {
			good = append(good, s)
		}
	}
	if to == nil || to.old == nil || slices.Contains(good, to) {
		return nil
	}
	var waits []copyWait
	for _, s := range good {
		if s.now != nil {
			waits = append(waits, copyWait{s, to, p})
		}
	}
	return waits
}

// hasGoodCopy reports whether a slice holds the pair with the wanted addresses and, if it is wanted ready, ready.
func (p pair) hasGoodCopy(s *discoveryv1.EndpointSlice) bool {
	wanted := p.group.wanted[p.id].pick
	return slices.ContainsFunc(s.Endpoints, func(e discoveryv1.Endpoint) bool {
		return p.group.id(&e) == p.id && sameAddresses(e.Addresses, wanted.Addresses) && (form.Ready(&e) || !form.Ready(wanted))
	})
}
