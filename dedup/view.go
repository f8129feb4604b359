package dedup

import (
	"iter"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// View is the endpoints of all service ports at one moment. It never changes, so any number of goroutines may read it
// and keep it; views of one Index share what is the same. The zero value is empty. Readers yield in a stable order:
// Services by namespace and name, ports by name and protocol, endpoints by address and then by port number. Names come
// before IPs, and IPs are in the order of numbers, not of text, an IPv4 address being the IPv6 address that maps it.
type View struct{ root *root }

// root is all there is to a view.
type root struct {
	services persist.Sorted[*serviceView]
	slices   persist.Sorted[*holding]
	troubles persist.Sorted[trouble]
	unnamed  []Problem
}

type serviceView struct {
	name  types.NamespacedName
	ports persist.Sorted[portView]
}

type portView struct {
	name     ServicePort
	items    persist.Sorted[item]
	disputes persist.Sorted[dispute]
}

// trouble is the problems of one slice, none if they are solved.
type trouble struct {
	slice    types.NamespacedName
	problems []Problem
}

func compareServices(a, b **serviceView) int { return compareNames((*a).name, (*b).name) }
func comparePortViews(a, b *portView) int    { return comparePorts(&a.name, &b.name) }
func compareTroubles(a, b *trouble) int      { return compareNames(a.slice, b.slice) }

// next returns the root after Services, slices and the problems of slices, all in order, changed.
func (r *root) next(services []*service, held []*holding, troubles []trouble, unnamed []Problem) *root {
	byHolding := persist.Editor[*holding]{Compare: compareHoldings}
	byHolding.Begin(r.slices, len(held))
	for i := range held {
		if held[i].source != nil {
			byHolding.Put(&held[i])
		} else {
			byHolding.Remove(&held[i])
		}
	}
	byName := persist.Editor[*serviceView]{Compare: compareServices}
	byName.Begin(r.services, len(services))
	for _, s := range services {
		if view := s.view(); s.slices > 0 {
			byName.Put(&view)
		} else {
			byName.Remove(&view)
		}
	}
	bySlice := persist.Editor[trouble]{Compare: compareTroubles}
	bySlice.Begin(r.troubles, len(troubles))
	for i := range troubles {
		if len(troubles[i].problems) > 0 {
			bySlice.Put(&troubles[i])
		} else {
			bySlice.Remove(&troubles[i])
		}
	}
	return &root{services: byName.End(), slices: byHolding.End(), troubles: bySlice.End(), unnamed: unnamed}
}

// knows reports whether these are the problems of a slice, and no others.
func (r *root) knows(slice types.NamespacedName, problems []Problem) bool {
	return slices.EqualFunc(r.problemsOf(slice), problems, func(a, b Problem) bool {
		return a.Reason == b.Reason && a.Err.Error() == b.Err.Error()
	})
}

func (r *root) problemsOf(slice types.NamespacedName) []Problem {
	if found := r.troubles.Find(&trouble{slice: slice}, compareTroubles); found != nil {
		return found.problems
	}
	return nil
}

// news returns the problems of a slice that it did not have.
func (r *root) news(t *trouble) (news []Problem) {
	type saying struct {
		reason ProblemReason
		text   string
	}
	known := map[saying]bool{}
	for _, p := range r.problemsOf(t.slice) {
		known[saying{p.Reason, p.Err.Error()}] = true
	}
	for _, p := range t.problems {
		if !known[saying{p.Reason, p.Err.Error()}] {
			news = append(news, p)
		}
	}
	return news
}

func (v View) service(name types.NamespacedName) *serviceView {
	if v.root == nil {
		return nil
	}
	probe := &serviceView{name: name}
	if found := v.root.services.Find(&probe, compareServices); found != nil {
		return *found
	}
	return nil
}

func (v View) port(name ServicePort) *portView {
	s := v.service(name.Service)
	if s == nil {
		return nil
	}
	name.Protocol = protocolOf(name.Protocol)
	return s.ports.Find(&portView{name: name}, comparePortViews)
}

// Services yields the Services that slices belong to, those without endpoints or ports included.
func (v View) Services() iter.Seq[types.NamespacedName] {
	return func(yield func(types.NamespacedName) bool) {
		v.eachService(func(s *serviceView) bool { return yield(s.name) })
	}
}

func (v View) eachService(yield func(*serviceView) bool) {
	if v.root != nil {
		v.root.services.All(func(s **serviceView) bool { return yield(*s) })
	}
}

// Has reports whether a slice belongs to the Service. A Service without endpoints is known and empty, which is not the
// same as unknown (a DNS server answers the one with no data, the other with no such name).
func (v View) Has(service types.NamespacedName) bool { return v.service(service) != nil }

// Ports yields the ports of a Service, those without endpoints included; none if it is not known.
func (v View) Ports(service types.NamespacedName) iter.Seq[ServicePort] {
	return func(yield func(ServicePort) bool) {
		if s := v.service(service); s != nil {
			s.ports.All(func(p *portView) bool { return yield(p.name) })
		}
	}
}

// Endpoints yields the endpoints of a service port; none if it is not known.
func (v View) Endpoints(port ServicePort) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		if p := v.port(port); p != nil {
			p.items.All(func(it *item) bool { return yield(it.endpoint()) })
		}
	}
}

// Len returns the number of endpoints of a service port; 0 if it is not known.
func (v View) Len(port ServicePort) int {
	if p := v.port(port); p != nil {
		return p.items.Len()
	}
	return 0
}

// Endpoint returns the endpoint with an IP and port number, and whether there is one. An IPv4 address in IPv6 form is
// the IPv4 address. Port number 0 is any port (Options.KeepAnyPort).
func (v View) Endpoint(port ServicePort, at netip.AddrPort) (Endpoint, bool) {
	p := v.port(port)
	if p == nil || !at.Addr().IsValid() || at.Addr().Zone() != "" || at.Addr() == netip.IPv6Unspecified() {
		return Endpoint{}, false
	}
	found := p.items.Find(&item{record: &record{host: hostOf(at.Addr())}, number: at.Port()}, compareItems)
	if found == nil {
		return Endpoint{}, false
	}
	return found.endpoint(), true
}

// All yields every endpoint with its service port. Services and ports without endpoints do not show.
func (v View) All() iter.Seq2[ServicePort, Endpoint] {
	return func(yield func(ServicePort, Endpoint) bool) {
		v.eachPort(func(p *portView) bool {
			more := true
			p.items.All(func(it *item) bool {
				more = yield(p.name, it.endpoint())
				return more
			})
			return more
		})
	}
}

func (v View) eachPort(yield func(*portView) bool) {
	v.eachService(func(s *serviceView) bool {
		more := true
		s.ports.All(func(p *portView) bool {
			more = yield(p)
			return more
		})
		return more
	})
}

// Conflicts yields the addresses and ports about which slices disagree. Slices that hold an endpoint alike, as they do
// while it moves, do not disagree. It costs by the endpoints that several slices have.
func (v View) Conflicts() iter.Seq[Conflict] {
	return func(yield func(Conflict) bool) {
		v.eachPort(func(p *portView) bool {
			more := true
			p.disputes.All(func(d *dispute) bool {
				if c, ok := d.conflict(p.name); ok {
					more = yield(c)
				}
				return more
			})
			return more
		})
	}
}

// Err returns the problems as one error that joins them, nil if there are none: what was set aside, for a log. The endpoints
// of the view are good whatever it says.
func (v View) Err() error { return Problems(slices.Collect(v.Problems())).Err() }

// Problems yields what was set aside: first what could not be named, or was named twice, in the last Flush or Merge,
// then the problems of the slices in force, by the slice's namespace and name.
func (v View) Problems() iter.Seq[Problem] {
	return func(yield func(Problem) bool) {
		if v.root == nil {
			return
		}
		for _, p := range v.root.unnamed {
			if !yield(p) {
				return
			}
		}
		v.root.troubles.All(func(t *trouble) bool {
			for _, p := range t.problems {
				if !yield(p) {
					return false
				}
			}
			return true
		})
	}
}
