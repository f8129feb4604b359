package store

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// portUpdate is what a slice gave to a port of its Service and gives now, under one number.
type portUpdate struct {
	port           *content.Port
	slices         int // 1: the slice has the port now, -1: it had it
	removed, added []*content.Endpoint
	renewed        []*content.Endpoint // as before, of a slice that became newer or older
}

// flushServices makes the Services anew that slices were noted for.
func (m *memory) flushServices(s *Store, report Report) {
	slices.SortFunc(m.updates, func(a, b update) int { return view.CompareNames(a.service(), b.service()) })
	for rest := m.updates; len(rest) > 0; {
		n, name := 1, rest[0].service()
		for n < len(rest) && rest[n].service() == name {
			n++
		}
		before := s.Root().Service(name)
		if before == nil {
			before = &noService
		}
		after := m.flushService(s, name, before, rest[:n], report)
		if after != before {
			m.services = append(m.services, persist.Edit[*view.Service]{Element: after, Remove: after.Slices == 0})
		}
		rest = rest[n:]
	}
}

// flushService returns a Service after updates, the same one if readers see no difference. It costs by the ports that the
// updates are about.
func (m *memory) flushService(s *Store, name types.NamespacedName, before *view.Service, updates []update, report Report) *view.Service {
	count := before.Slices
	m.portUpdates = emptied(m.portUpdates)
	for i := range updates {
		count += m.portsOf(&updates[i])
	}
	appeared, gone := before.Slices == 0 && count > 0, before.Slices > 0 && count == 0
	if (appeared || gone) && report != nil {
		report(name, nil, appeared, gone, view.Change{})
	}
	slices.SortStableFunc(m.portUpdates, func(a, b portUpdate) int { return a.port.PortName.Compare(b.port.PortName) })
	m.ports = emptied(m.ports)
	for rest := m.portUpdates; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].port.PortName == rest[0].port.PortName {
			n++
		}
		m.flushPort(s, name, before.Port(rest[0].port.PortName), rest[:n], report)
		rest = rest[n:]
	}
	if count == before.Slices && len(m.ports) == 0 {
		return before
	}
	return &view.Service{Name: name, Slices: count, Ports: before.Ports.Apply(m.ports, view.ComparePorts)}
}

// portsOf notes what an update means for each port. It returns by how much the number of the Service's slices grows.
func (m *memory) portsOf(u *update) (grows int) {
	var before, after view.Slice
	if u.before != nil {
		before, grows = *u.before, grows-1
	}
	if u.after != nil {
		after, grows = *u.after, grows+1
	}
	old, now := before.Content, after.Content
	if slices.Equal(old.Ports, now.Ports) {
		p := portUpdate{removed: u.Removed, added: u.Added}
		if before.Age != after.Age {
			p.renewed = now.Endpoints
		}
		for i := range now.Ports {
			p.port = &now.Ports[i]
			m.portUpdates = append(m.portUpdates, p)
		}
		return grows
	}
	for i := range old.Ports {
		m.portUpdates = append(m.portUpdates, portUpdate{port: &old.Ports[i], slices: -1, removed: old.Endpoints})
	}
	for i := range now.Ports {
		m.portUpdates = append(m.portUpdates, portUpdate{port: &now.Ports[i], slices: 1, added: now.Endpoints})
	}
	return grows
}
