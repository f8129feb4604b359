package store

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// update is what became of a slice for one port of its Service.
type update struct {
	slice          *content.Slice
	port           *content.Port // the slice's; none for a slice without ports
	slices         int           // by how much the number of the port's slices grows: 1, 0 or -1
	members        int           // by how much the number of the Service's slices grows; 0 except at one port of a slice
	removed, added []*content.Endpoint
	renewed        []*content.Endpoint // those that stay, if the slice became newer or older
}

// none is the port in updates of a slice without ports. It comes before all ports of a Service, because it has no protocol.
var none content.Port

// note notes the updates between two versions of a slice, both of one Service. One of them may be nil.
func (m *memory) note(before, after *content.Slice, c content.Change) {
	if before != nil && after != nil && slices.Equal(before.Ports, after.Ports) {
		u := update{slice: after, removed: c.Removed, added: c.Added}
		if before.Age != after.Age {
			u.renewed = after.Endpoints
		}
		for i := range after.Ports {
			u.port = &after.Ports[i]
			m.updates = append(m.updates, u)
		}
		return
	}
	if before != nil {
		m.noteAll(update{slice: before, slices: -1, removed: before.Endpoints})
	}
	if after != nil {
		m.noteAll(update{slice: after, slices: 1, added: after.Endpoints})
	}
}

// noteAll notes an update for each port of its slice, none if the slice has no Service.
func (m *memory) noteAll(u update) {
	if u.slice.Service.Name == "" {
		return
	}
	u.members = u.slices
	if len(u.slice.Ports) == 0 {
		u.port = &none
		m.updates = append(m.updates, u)
	}
	for i := range u.slice.Ports {
		u.port = &u.slice.Ports[i]
		m.updates = append(m.updates, u)
		u.members = 0
	}
}

// flushServices makes anew the Services that updates are about.
func (m *memory) flushServices(s *Store, report Report) {
	slices.SortFunc(m.updates, func(u, v update) int {
		return cmp.Or(content.CompareNames(u.slice.Service, v.slice.Service), u.port.Compare(v.port.PortName))
	})
	for updates := range address.Runs(m.updates, func(u, v *update) bool { return u.slice.Service == v.slice.Service }) {
		before := s.Root().Service(updates[0].slice.Service)
		if after := m.flushService(s, before, updates, report); after != before {
			m.services = append(m.services, persist.Edit[*view.Service]{Element: after, Remove: after.Slices == 0})
		}
	}
}

// flushService returns a Service after updates, the same one if readers see no difference. It costs by the ports that the
// updates are about.
func (m *memory) flushService(s *Store, before *view.Service, updates []update, report Report) *view.Service {
	after := &view.Service{Name: updates[0].slice.Service, Slices: before.Slices}
	for i := range updates {
		after.Slices += updates[i].members
	}
	if appeared, gone := before.Slices == 0 && after.Slices != 0, before.Slices != 0 && after.Slices == 0; (appeared || gone) && report != nil {
		report(after.Name, nil, appeared, gone, view.Change{})
	}
	m.ports = emptied(m.ports)
	for updates := range address.Runs(updates, func(u, v *update) bool { return u.port.PortName == v.port.PortName }) {
		if name := updates[0].port.PortName; name != none.PortName {
			m.flushPort(s, after.Name, before.Port(name), updates, report)
		}
	}
	if after.Slices == before.Slices && len(m.ports) == 0 {
		return before
	}
	after.Ports = before.Ports.Apply(m.ports, view.ComparePorts)
	return after
}
