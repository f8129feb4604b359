package slicer

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// This file orders the writes. Creates come first and deletes last, so that updates never have to
// wait for a create, and no update waits for a delete. Among the updates, those that raise the
// number of ready endpoints in their slice come first, and those that lower it come last. So the
// number of ready endpoints does not fall in between, for example while another replica becomes the
// leader. Ties are in the order of the slices' names. Only a wait changes this order:
//
//	rule        a slice that                               waits for a slice that        rank
//	leaveWaits  gives up an endpoint                       takes the endpoint            First
//	portWaits   holds an endpoint on ports not wanted now  takes it on wanted ports      Second, or a Choice
//	copyWaits   loses a right copy of an endpoint          will hold the endpoint        Third
//
// Each rule is a function that returns waits and knows nothing of the others. Package sequence
// finds the order. It drops a wait that would close a cycle with waits of the same or an earlier
// rank:
//
//   - leaveWaits make no cycle. A slice gives up endpoints for one of two reasons. It has too many,
//     and then it takes none. Or it dissolves, and then its port set has room for them in the
//     slices that stay. A slice that dissolves may take endpoints of another port set. But no port
//     set both gives up one slice and takes another. So if a waits for b and b waits for c, c waits
//     for no slice.
//   - portWaits may make a cycle, alone or with leaveWaits: two slices that swap endpoints of two
//     port sets wait for each other. In any order, one endpoint is then missing for some time, and
//     a Warning MissingDuringUpdate says so. If several slices hold or take an endpoint, one pair
//     of them is enough: the first pair by name in which a wait closes no cycle.
//   - Without a wait of copyWaits, readers may see a worse copy of an endpoint for some time.
//     Without a wait of the other rules an endpoint would be missing, which is worse.
//
// TestDrawnAgainstPermutations compares the order with all other possible orders. To add a rule,
// add one more function.

// updateOrder lists the slices to update, so that no endpoint is missing after any of them.
func updateOrder(p *placement) []int {
	live := p.live()
	var updates []int
	for n := range live {
		if live[n].written() {
			updates = append(updates, n)
		}
	}
	if len(updates) > 1 {
		updates = p.moreReadyFirst(updates)
		byPorts, choices := portWaits(p)
		waits := slices.Concat(leaveWaits(p), byPorts, copyWaits(p))
		waits = slices.DeleteFunc(waits, func(w sequence.Wait) bool { // a create comes first and a delete last anyway
			return w.Earlier >= len(live) || live[w.Later].outcome == deleted
		})
		updates = sequence.Order(updates, waits, choices)
	}
	return updates
}

// moreReadyFirst sorts updates: those that raise the number of ready endpoints come before those
// that keep it, and those that lower it come last.
func (p *placement) moreReadyFirst(updates []int) []int {
	more := make([]int, len(p.live())) // by slice: 1 if it will have more ready endpoints, or -1 if fewer
	for _, n := range updates {
		s := &p.slices[n]
		before := 0
		after := 0
		for j := range s.object.Endpoints {
			if conditions.Of(s.object.Endpoints[j].Conditions).Ready {
				before++
			}
		}
		for _, i := range s.items {
			if conditions.Of(p.items[i].endpoint.Conditions).Ready {
				after++
			}
		}
		more[n] = cmp.Compare(after, before)
	}
	slices.SortStableFunc(updates, func(a, b int) int { return cmp.Compare(more[b], more[a]) })
	return updates
}

// leaveWaits returns the waits of slices that give up an endpoint: the slice that the endpoint
// leaves is written after the slice that takes it, even if the latter holds a copy already. Here
// the maximum is 2, and web-a waits for web-b:
//
//	web-a [1 2 3] -> [1 2]
//	web-b [4]     -> [3 4]
//
// A published item always has a place, because no endpoint leaves its current slice if no slice can
// be created. If the current slice of an item does not have the item's ports yet, the item is not
// published there yet. portWaits handles it.
func leaveWaits(p *placement) []sequence.Wait {
	var waits []sequence.Wait
	for i := range p.items {
		if it := &p.items[i]; it.published && it.place != it.current {
			waits = append(waits, sequence.Wait{Later: int(it.current), Earlier: int(it.place), Rank: sequence.First})
		}
	}
	return waits
}

// copyWaits returns the waits of slices that lose a right copy of an endpoint: such a slice waits
// for the slice that will hold the endpoint, unless the copy there is right already. Here web-a
// is the current slice of endpoint 1, which is ready now, and web-b waits for web-a:
//
//	web-a [1{!ready}] -> [1]
//	web-b [1 2]       -> [2]
//
// An endpoint that has copies always has a place: see leaveWaits.
func copyWaits(p *placement) []sequence.Wait {
	safe := map[int32]bool{} // items for which the slice that will hold them has a right copy already
	for _, c := range p.copies {
		if it := &p.items[c.item]; c.slice == it.place && c.right(it) && p.req.visible(p.slices[c.slice].object) {
			safe[c.item] = true
		}
	}
	var waits []sequence.Wait
	for _, c := range p.copies {
		if it := &p.items[c.item]; !safe[c.item] && c.right(it) {
			waits = append(waits, sequence.Wait{Later: int(c.slice), Earlier: int(it.place), Rank: sequence.Third})
		}
	}
	return waits
}

// right reports whether the copy of an item has the wanted addresses, and is ready if the wanted
// endpoint is ready.
func (c *heldCopy) right(it *placedItem) bool {
	return endpoint.SameAddressList(c.endpoint.Addresses, it.endpoint.Addresses) &&
		(conditions.Of(c.endpoint.Conditions).Ready || !conditions.Of(it.endpoint.Conditions).Ready)
}

// portWaits returns the waits for endpoints that change their ports: slices hold such an endpoint
// only on ports on which no group wants it any more. One of the slices that hold the endpoint waits
// for one of the slices that take it, so that the endpoint stays on old ports until it is on new
// ports. If several slices hold or take it, the wait is a Choice. Here web-a waits for web-b:
//
//	web-a http:80 [1 2] -> http:8080 [2]
//	web-b http:81 [3]   -> http:8080 [1 3]
//
// No slice waits in three cases: some slice holds the endpoint before and after its update; a slice
// that takes the endpoint is created, which comes first; or a slice that holds the endpoint is
// deleted, which comes last.
func portWaits(p *placement) ([]sequence.Wait, []sequence.Choice) {
	m := portMoves{placement: p}
	m.find()
	if len(m.list) == 0 || !m.findHolders() {
		return nil, nil
	}
	m.findItems()
	var waits []sequence.Wait
	var choices []sequence.Choice
	for _, c := range m.listChoices() {
		if len(c.Later) == 1 && len(c.Earlier) == 1 {
			waits = append(waits, sequence.Wait{Later: c.Later[0], Earlier: c.Earlier[0], Rank: sequence.Second})
		} else {
			choices = append(choices, c)
		}
	}
	return waits, choices
}

// portMoves finds moves by the identity of their endpoint.
type portMoves struct {
	*placement
	list []portMove
	byID []int32 // by identity: the index in list plus 1, or 0 if it has no move
}

// portMove is an endpoint that a slice takes on ports on which no slice publishes it yet.
type portMove struct {
	holders []int   // updated slices that hold the endpoint
	items   []int32 // the items of this endpoint, on any ports
	safe    bool    // the endpoint is never missing, in any order of updates
}

// find lists the moves: items that an existing slice takes, and that no slice publishes on their
// ports yet.
func (m *portMoves) find() {
	types := m.typesWithMoves()
	for i := range m.items {
		it := &m.items[i]
		arrives := it.place != none && m.slices[it.place].object != nil && it.place != it.current
		if !types[m.wanted.portSets[it.portSet].typ] || !arrives || it.published {
			continue
		}
		if m.byID == nil {
			m.byID = make([]int32, m.wanted.index.count())
		}
		if m.byID[it.id] == 0 {
			m.list = append(m.list, portMove{})
			m.byID[it.id] = int32(len(m.list))
		}
	}
}

// typesWithMoves returns the address types in which moves are possible: some slice of the type is
// written or deleted, and may hold an endpoint that another port set wants.
func (m *portMoves) typesWithMoves() (types typeSet) {
	var portSets [len(endpoint.AddressTypes)]int
	for n := range m.wanted.portSets {
		portSets[m.wanted.portSets[n].typ]++
	}
	for n := range m.live() {
		if s := &m.slices[n]; s.typ != none && !s.unchanged() && (s.portsBefore == none || portSets[s.typ] > 1) {
			types[s.typ] = true
		}
	}
	return types
}

// findHolders notes which slices hold the endpoints of the moves, and reports whether there are
// any. It leaves out slices that do not change. These keep the endpoints that they hold, and
// listChoices finds the items in them.
func (m *portMoves) findHolders() (found bool) {
	for n := range m.live() {
		s := &m.slices[n]
		if s.unchanged() {
			continue
		}
		for j := range s.object.Endpoints {
			move := m.moveOf(&s.object.Endpoints[j], s.typ)
			found = found || move != nil
			switch {
			case move == nil:
			case s.outcome == deleted:
				move.safe = true
			default:
				move.holders = append(move.holders, n)
			}
		}
	}
	for _, object := range m.present.stale {
		for j := range object.Endpoints {
			if move := m.moveOf(&object.Endpoints[j], typeOf(object.AddressType)); move != nil {
				move.safe = true
			}
		}
	}
	return found
}

// findItems notes the items of each move's endpoint.
func (m *portMoves) findItems() {
	for i := range m.items {
		if n := m.byID[m.items[i].id]; n > 0 && len(m.list[n-1].holders) > 0 {
			m.list[n-1].items = append(m.list[n-1].items, int32(i))
		}
	}
}

// moveOf returns the move of an endpoint, or nil.
func (m *portMoves) moveOf(e *discoveryv1.Endpoint, typ int32) *portMove {
	if id, _ := m.wanted.index.identity(e, typ); id != none && m.byID[id] > 0 {
		return &m.list[m.byID[id]-1]
	}
	return nil
}

// listChoices returns, for each endpoint that may go missing, the slices that hold it and the
// slices that take it. A slice that does both publishes the endpoint all the time, and a
// sequence.Choice with that slice on both sides has no effect.
func (m *portMoves) listChoices() []sequence.Choice {
	var choices []sequence.Choice
	holds := make([]int, len(m.live())) // by slice: the index of the last move whose endpoint it holds, plus 1
	for k := range m.list {
		move := &m.list[k]
		for _, n := range move.holders {
			holds[n] = k + 1
		}
		var takers []int
		for _, i := range move.items {
			it := &m.items[i]
			if it.place == none {
				continue
			}
			to := &m.slices[it.place]
			if to.object == nil || to.unchanged() || it.published && holds[it.current] == k+1 {
				move.safe = true
			} else {
				takers = append(takers, int(it.place))
			}
		}
		if len(takers) > 0 && !move.safe {
			slices.Sort(takers)
			holders := slices.Compact(move.holders)
			choices = append(choices, sequence.Choice{Later: holders, Earlier: slices.Compact(takers)})
		}
	}
	return choices
}
