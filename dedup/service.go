package dedup

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// service is a Service while events change it.
type service struct {
	name    types.NamespacedName
	slices  int // how many belong to it
	ports   map[portName]*port
	dirty   []*port                  // ports that events of the last flush were about
	shown   persist.Sorted[portView] // as the last view has them
	known   bool                     // the last view has it
	isDirty bool
}

type portName struct {
	name     string
	protocol corev1.Protocol
}

// port returns a port of the service that an event is about, a new one if it is not there.
func (s *service) port(sp slicePort) *port {
	name := portName{sp.name, sp.protocol}
	p := s.ports[name]
	if p == nil {
		p = &port{name: ServicePort{Service: s.name, Port: sp.name, Protocol: sp.protocol}}
		s.ports[name] = p
	}
	if !p.isDirty {
		p.isDirty = true
		s.dirty = append(s.dirty, p)
	}
	return p
}

// comparePorts orders by name and protocol inside one Service.
func comparePorts(a, b *ServicePort) int {
	if c := strings.Compare(a.Port, b.Port); c != 0 {
		return c
	}
	return strings.Compare(string(a.Protocol), string(b.Protocol))
}

func (ix *Index) service(namespace, name string) *service {
	key := types.NamespacedName{Namespace: namespace, Name: name}
	s := ix.services[key]
	if s == nil {
		s = &service{name: key, ports: map[portName]*port{}}
		ix.services[key] = s
	}
	if !s.isDirty {
		s.isDirty = true
		ix.dirty = append(ix.dirty, s)
	}
	return s
}

// exchange notes at the ports how a slice's new holding differs from its last one.
func (ix *Index) exchange(t *scratch, namespace string, before, after *holding) {
	if before.service != after.service {
		ix.dropAll(t, namespace, before)
		ix.addAll(t, namespace, after)
		return
	}
	if after.service == "" {
		return
	}
	s := ix.service(namespace, after.service)
	c := &t.changes
	sameAge := after.source.sameAge()
	old, now := before.ports, after.ports
	for len(old) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || (len(old) > 0 && old[0].compare(now[0]) < 0):
			s.port(old[0]).drop(t, old[0].number, before.records)
			old = old[1:]
		case len(old) == 0 || old[0].compare(now[0]) > 0:
			s.port(now[0]).add(t, now[0].number, after.records)
			now = now[1:]
		default:
			p := s.port(now[0])
			p.note(t, remove, now[0].number, c.removed)
			p.note(t, add, now[0].number, c.added)
			if !sameAge && p.disputes.Len() > 0 {
				p.note(t, renew, now[0].number, c.kept(after.records))
			}
			old, now = old[1:], now[1:]
		}
	}
}

// dropAll takes everything that a slice held off its Service.
func (ix *Index) dropAll(t *scratch, namespace string, h *holding) {
	if h.service == "" {
		return
	}
	s := ix.service(namespace, h.service)
	s.slices--
	for _, p := range h.ports {
		s.port(p).drop(t, p.number, h.records)
	}
}

func (ix *Index) addAll(t *scratch, namespace string, h *holding) {
	if h.service == "" {
		return
	}
	s := ix.service(namespace, h.service)
	s.slices++
	for _, p := range h.ports {
		s.port(p).add(t, p.number, h.records)
	}
}

func (p *port) drop(t *scratch, number uint16, records []*record) {
	p.slices--
	p.note(t, remove, number, records)
}

func (p *port) add(t *scratch, number uint16, records []*record) {
	p.slices++
	p.note(t, add, number, records)
}

// flushService does what was noted at a Service's ports, adds to deltas what it changed, and reports whether its view
// is another one now. It costs by the ports that events were about. A Service without slices leaves the index.
func (ix *Index) flushService(t *scratch, s *service, deltas []Delta, report bool) ([]Delta, bool) {
	s.isDirty = false
	changed := s.known != (s.slices > 0)
	if changed && report {
		deltas = append(deltas, Delta{Port: ServicePort{Service: s.name}, Appeared: !s.known, Gone: s.known})
	}
	s.known = s.slices > 0
	slices.SortFunc(s.dirty, func(a, b *port) int { return comparePorts(&a.name, &b.name) })
	shown, begun := &t.ports, false
	for _, p := range s.dirty {
		delta := Delta{Port: p.name, Appeared: !p.known && p.slices > 0, Gone: p.known && p.slices == 0}
		p.known, p.isDirty = p.slices > 0, false
		if p.flush(t, &delta) || delta.Appeared || delta.Gone {
			if changed = true; !begun {
				begun = true
				shown.Begin(s.shown, len(s.dirty))
			}
			p.show(shown)
		}
		if report && !delta.empty() {
			deltas = append(deltas, delta)
		}
		if p.slices == 0 {
			delete(s.ports, portName{p.name.Port, p.name.Protocol})
		}
	}
	if s.dirty = emptied(s.dirty); begun {
		s.shown = shown.End()
	}
	if s.slices == 0 {
		delete(ix.services, s.name)
	}
	return deltas, changed
}

// view returns what readers see of the Service as it is now.
func (s *service) view() *serviceView { return &serviceView{name: s.name, ports: s.shown} }
