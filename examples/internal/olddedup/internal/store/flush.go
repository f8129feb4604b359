package store

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/decide"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/persist"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
)

// update is the change of one slice at one port of its Service.
type update struct {
	slice          *content.Slice
	port           *content.Port // a port of the slice; &none for a slice without ports
	slices         int           // how the number of slices that have the port changes: by 1, 0 or -1
	removed, added []*content.Endpoint
	// renewed are all endpoints of a slice that still has the port. The age of the slice may have
	// changed. If slices disagree, this may change the winner.
	renewed []*content.Endpoint
}

// none is the port in updates of a slice without ports. It sorts before all ports of a Service,
// because it has no protocol.
var none content.Port

// note adds the updates between two versions of a slice. c says how their endpoints differ.
func (m *memory) note(before, after *content.Slice, c content.Change) {
	if before.Service == after.Service && slices.Equal(before.Ports, after.Ports) {
		m.noteAll(update{slice: after, removed: c.Removed, added: c.Added, renewed: after.Endpoints})
		return
	}
	// Each version may have ports that the other version does not have.
	m.noteAll(update{slice: before, slices: -1, removed: before.Endpoints})
	m.noteAll(update{slice: after, slices: 1, added: after.Endpoints})
}

// noteAll adds an update for each port of its slice, and none if the slice has no Service.
func (m *memory) noteAll(u update) {
	if u.slice.Service.Name == "" {
		return
	}
	if len(u.slice.Ports) == 0 { // the slice still makes its Service known
		u.port = &none
		m.updates = append(m.updates, u)
	}
	for i := range u.slice.Ports {
		u.port = &u.slice.Ports[i]
		m.updates = append(m.updates, u)
	}
}

// flushServices rebuilds the Services that have updates.
func (m *memory) flushServices(s *Store, report Report) {
	slices.SortFunc(m.updates, func(u, v update) int {
		return cmp.Or(content.CompareNames(u.slice.Service, v.slice.Service), u.port.Compare(v.port.PortName))
	})
	for updates := range address.Runs(m.updates, func(u, v *update) bool {
		return u.slice.Service == v.slice.Service
	}) {
		before := s.root.Service(updates[0].slice.Service)
		if after := m.flushService(s, before, updates, report); after != before {
			m.services = append(m.services, persist.Edit[*view.Service]{Element: after, Remove: after.SlicePorts == 0})
		}
	}
}

// flushService returns a Service after updates. If readers see no difference, it returns before.
// The cost depends only on the ports with updates.
func (m *memory) flushService(s *Store, before *view.Service, updates []update, report Report) *view.Service {
	after := &view.Service{Name: updates[0].slice.Service, SlicePorts: before.SlicePorts}
	for i := range updates {
		after.SlicePorts += updates[i].slices
	}
	if appeared, gone := before.SlicePorts == 0, after.SlicePorts == 0; (appeared || gone) && report != nil {
		report(after.Name, nil, appeared, gone, view.Change{})
	}
	m.ports = m.ports[:0]
	for updates := range address.Runs(updates, func(u, v *update) bool { return u.port.PortName == v.port.PortName }) {
		if name := updates[0].port.PortName; name != none.PortName {
			m.flushPort(s, after.Name, before.Port(name), updates, report)
		}
	}
	if after.SlicePorts == before.SlicePorts && len(m.ports) == 0 {
		return before
	}
	after.Ports = before.Ports.Apply(m.ports, view.ComparePorts)
	return after
}

// Tags in memory.order: what happened to an endpoint at an address and port number.
const (
	removed uint8 = iota // the slice does not have it any more
	added                // the slice did not have it before
	renewed              // the slice still has it, and may have become newer or older
)

// flushPort rebuilds a port after updates. If readers see a difference, it adds the new port to
// m.ports and reports the change.
func (m *memory) flushPort(s *Store, service types.NamespacedName, before *view.Port, updates []update, report Report) {
	after := &view.Port{PortName: updates[0].port.PortName, Slices: before.Slices, Conflicts: before.Conflicts}
	m.updated = m.updated[:0]
	m.order.List = m.order.List[:0]
	for i := range updates {
		u := &updates[i]
		after.Slices += u.slices
		m.add(removed, u.port, u.removed)
		m.add(added, u.port, u.added)
		if before.Conflicts != 0 { // otherwise each address has only one copy, and its age does not matter
			m.add(renewed, u.port, u.renewed)
		}
	}
	m.order.Sort()
	m.items = m.items[:0]
	m.change = view.Change{}
	m.follows = report != nil
	for ops := range m.order.Runs {
		after.Conflicts += m.flushItem(s, service.Namespace, before, ops)
	}
	if len(m.items) == 0 && after.Slices == before.Slices {
		return
	}
	after.Items = before.Items.Apply(m.items, view.CompareItems)
	m.ports = append(m.ports, persist.Edit[*view.Port]{Element: after, Remove: after.Slices == 0})
	appeared, gone := before.Slices == 0, after.Slices == 0
	changed := len(m.change.Added)+len(m.change.Removed)+len(m.change.Changed) != 0
	if report != nil && (appeared || gone || changed) {
		report(service, after, appeared, gone, m.change)
	}
}

// add puts the endpoints of a slice at one port into m.order, with a tag.
func (m *memory) add(tag uint8, port *content.Port, endpoints []*content.Endpoint) {
	from := len(m.updated)
	m.updated = slices.Grow(m.updated, len(endpoints))
	m.order.List = slices.Grow(m.order.List, len(endpoints))
	for i, e := range endpoints {
		m.updated = append(m.updated, view.Claim{Endpoint: e, Port: port})
		m.order.List = append(m.order.List,
			address.Port{Host: e.Host, Number: port.Number, Tag: tag, Index: int32(from + i)})
	}
}

// flushItem rebuilds the item of a port at one address and port number. ops are the tagged
// endpoints with this address and port number. It returns the change of the number of conflicts.
func (m *memory) flushItem(s *Store, namespace string, port *view.Port, ops []address.Port) (conflicts int) {
	m.item = view.Item{Claim: m.updated[ops[0].Index]}
	var before *view.Item
	if port.Slices != 0 { // otherwise the port is new and has no items
		before = port.Items.Find(func(it *view.Item) int { return view.CompareItems(it, &m.item) })
	}
	if before == nil && len(ops) == 1 { // the usual case when many slices are loaded
		m.edit(nil, &m.item)
		return 0
	}
	if before != nil && before.Conflict != nil {
		conflicts--
	}
	m.claimsAfter(before, ops)
	switch len(m.claims) {
	case 0:
		m.edit(before, nil)
		return conflicts
	case 1:
		m.item = view.Item{Claim: m.claims[0]}
	default:
		m.resolve(s, namespace, before)
		conflicts++
	}
	m.edit(before, &m.item)
	return conflicts
}

// claimsAfter sets m.claims to all claims after ops. before is the item before ops, or nil if there
// was none.
func (m *memory) claimsAfter(before *view.Item, ops []address.Port) {
	m.claims = m.claims[:0]
	if before != nil {
		m.claims = append(m.claims, before.Claim)
		if before.Conflict != nil {
			for _, l := range before.Conflict.Losers {
				m.claims = append(m.claims, l.Claim)
			}
		}
	}
	// A slice keeps the pointers of endpoints that did not change, so a pointer identifies a claim.
	gone := map[*content.Endpoint]bool{}
	for _, op := range ops {
		if op.Tag == removed {
			gone[m.updated[op.Index].Endpoint] = true
		}
	}
	m.claims = slices.DeleteFunc(m.claims, func(c view.Claim) bool { return gone[c.Endpoint] })
	for _, op := range ops {
		if op.Tag == added {
			m.claims = append(m.claims, m.updated[op.Index])
		}
	}
}

// edit adds an edit of the port's list of items. before is nil for a new item, and after is nil for
// an item that is removed. If m.follows is set and readers see a difference, edit also adds it to
// m.change.
func (m *memory) edit(before, after *view.Item) {
	if before != nil && after != nil && *before == *after { // the same copies and the same Conflict
		return
	}
	m.items = append(m.items, persist.Edit[view.Item]{Element: *cmp.Or(after, before), Remove: after == nil})
	switch {
	case !m.follows:
	case after == nil:
		m.change.Removed = append(m.change.Removed, *before)
	case before == nil:
		m.change.Added = append(m.change.Added, *after)
	case before.Differences(after.Claim) != 0:
		m.change.Changed = append(m.change.Changed, view.Pair{Old: *before, New: *after})
	}
}

// resolve sets m.item to the winner of m.claims, with the others as its Conflict. There are at
// least two claims, from slices of the namespace. If the item had a Conflict with equal losers
// before, it keeps this Conflict.
func (m *memory) resolve(s *Store, namespace string, before *view.Item) {
	claims := m.claims
	m.rivals = m.rivals[:0]
	for _, c := range claims {
		// s.held knows how new the slice is now. The endpoint may be from an older version of the
		// slice.
		from := s.held[types.NamespacedName{Namespace: namespace, Name: c.Endpoint.Slice}]
		m.rivals = append(m.rivals, decide.Claim{From: &from.Origin, Target: c.Endpoint.Target(),
			State: c.Endpoint.State})
	}
	rivals := decide.Claims{List: m.rivals, Fields: func(i, j int32) int {
		return content.CompareFields(claims[i].Endpoint, claims[j].Endpoint)
	}}
	winner, losses := rivals.Decide()
	losers := make([]view.Loser, len(losses))
	for i, l := range losses {
		losers[i] = view.Loser{Claim: claims[l.Claim], Reason: l.Reason}
	}
	m.item = view.Item{Claim: claims[winner], Conflict: &view.Conflict{Losers: losers}}
	if before != nil && before.Conflict != nil && slices.Equal(before.Conflict.Losers, losers) {
		m.item.Conflict = before.Conflict
	}
}
