package store

import (
	"slices"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// What became of an endpoint, as tags of its address and number.
const (
	removed uint8 = iota // its slice does not have it any more
	added                // its slice has it now
	renewed              // its slice has it as before, and became newer or older
)

// flushPort notes what becomes of a port after updates, if readers see a difference.
func (m *memory) flushPort(s *Store, service *view.Service, updates []portUpdate, report Report) {
	name := updates[0].port
	before := service.Port(name.Name, name.Protocol)
	known := before != nil
	if !known {
		before = &view.Port{Name: name.Name, Protocol: name.Protocol}
	}
	count := before.Slices
	m.endpoints, m.order.List = emptied(m.endpoints), m.order.List[:0]
	for i := range updates {
		u := &updates[i]
		count += u.slices
		m.add(removed, u.port.Number, u.removed)
		m.add(added, u.port.Number, u.added)
		if before.Conflicts.Len() > 0 {
			m.add(renewed, u.port.Number, u.renewed)
		}
	}
	m.order.Sort()
	m.items, m.conflicts, m.change = emptied(m.items), emptied(m.conflicts), view.Change{}
	for rest := m.order.List; len(rest) > 0; {
		n := m.order.Same(rest)
		m.flushItem(s, service, before, rest[:n])
		rest = rest[n:]
	}
	appeared, gone := !known && count > 0, known && count == 0
	if len(m.items)+len(m.conflicts) == 0 && count == before.Slices {
		return
	}
	after := &view.Port{
		Name: before.Name, Protocol: before.Protocol, Slices: count,
		Items:     before.Items.Apply(m.items, view.CompareItems),
		Conflicts: before.Conflicts.Apply(m.conflicts, view.CompareConflicts),
	}
	if before.Items.Len() == 0 {
		m.change = view.Change{Filled: after.Items}
	}
	m.ports = append(m.ports, persist.Edit[*view.Port]{Element: after, Remove: count == 0})
	if report != nil && (appeared || gone || !m.change.Empty()) {
		report(service.Name, after, appeared, gone, m.change)
	}
}

func (m *memory) add(tag uint8, number uint16, endpoints []*content.Endpoint) {
	for _, e := range endpoints {
		m.order.List = append(m.order.List, address.Port{Host: e.Host, Number: number, Tag: tag, Index: int32(len(m.endpoints))})
		m.endpoints = append(m.endpoints, e)
	}
}

// flushItem notes what becomes of one address and number of a port, of which ops say what changed.
func (m *memory) flushItem(s *Store, service *view.Service, port *view.Port, ops []address.Port) {
	m.item = view.Item{Endpoint: m.endpoints[ops[0].Index], Number: ops[0].Number}
	if port.Items.Len() == 0 && len(ops) == 1 {
		m.items = append(m.items, persist.Edit[view.Item]{Element: m.item})
		return
	}
	before := port.Items.Find(&m.item, view.CompareItems)
	conflict := m.claimsOf(port, before)
	for _, op := range ops {
		if e := m.endpoints[op.Index]; op.Tag == removed {
			m.claims = slices.DeleteFunc(m.claims, func(c *content.Endpoint) bool { return c == e })
		}
	}
	for _, op := range ops {
		if op.Tag == added {
			m.claims = append(m.claims, m.endpoints[op.Index])
		}
	}
	var resolved *view.Conflict
	switch len(m.claims) {
	case 0:
		m.items = append(m.items, persist.Edit[view.Item]{Element: m.item, Remove: true})
		m.noteItem(port, before, nil)
	case 1:
		m.item.Endpoint = m.claims[0]
	default:
		resolved = m.resolve(s, service.Name.Namespace, m.item.Number)
		m.item = resolved.Item
	}
	if len(m.claims) > 0 && (before == nil || *before != m.item) {
		m.items = append(m.items, persist.Edit[view.Item]{Element: m.item})
		m.noteItem(port, before, &m.item)
	}
	m.replace(conflict, resolved)
}

// claimsOf makes m.claims the endpoints that claim an item, and returns the conflict that it is, nil for none.
func (m *memory) claimsOf(port *view.Port, item *view.Item) *view.Conflict {
	m.claims = emptied(m.claims)
	if item == nil {
		return nil
	}
	m.claims = append(m.claims, item.Endpoint)
	if !item.Conflict {
		return nil
	}
	probe := &view.Conflict{Item: *item}
	conflict := *port.Conflicts.Find(&probe, view.CompareConflicts)
	for _, l := range conflict.Losers {
		m.claims = append(m.claims, l.Endpoint)
	}
	return conflict
}

// noteItem notes an item of a port before and after for those who follow changes.
func (m *memory) noteItem(port *view.Port, before, after *view.Item) {
	switch {
	case before == nil:
		m.change.Added = append(m.change.Added, *after)
	case after == nil:
		m.change.Removed = append(m.change.Removed, *before)
	case !content.Same(before.Endpoint, after.Endpoint, port.Name, port.Protocol):
		m.change.Changed = append(m.change.Changed, view.Pair{Old: *before, New: *after})
	}
}
