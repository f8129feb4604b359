package table

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Root has all Services, sorted by namespace and name. The slices that belong to no Service are in
// Services without a name.
type Root struct{ Services []*Service }

// Service is a Service that slices belong to.
type Service struct {
	Name   types.NamespacedName
	Slices []*content.Slice // sorted by name
	Ports  []*Port          // sorted; none if Port makes them when they are asked for

	once      sync.Once
	addresses *Port
}

var noService Service

// Service returns a Service. For a Service that is not known, it returns an empty one.
func (r *Root) Service(name types.NamespacedName) *Service {
	i, found := slices.BinarySearchFunc(r.Services, name, func(s *Service, name types.NamespacedName) int {
		return content.CompareNames(s.Name, name)
	})
	if !found {
		return &noService
	}
	return r.Services[i]
}

// Copies yields the claims to each address and port number of a port, in order, and returns at
// least how many times it yields. What it yields is valid until the next claims.
func (s *Service) Copies(name content.PortName, sorter *Sorter) (n int, all iter.Seq[[]Claim]) {
	if i, found := s.find(name); found {
		return len(s.Ports[i].winners), s.Ports[i].Copies
	}
	return sorter.Sort(s.Slices, name)
}

func (s *Service) find(name content.PortName) (int, bool) {
	return slices.BinarySearchFunc(s.Ports, name, func(p *Port, name content.PortName) int { return p.Compare(name) })
}

// PortNames returns the ports that slices of the Service have, sorted.
func (s *Service) PortNames() (names []content.PortName) {
	for _, slice := range s.Slices {
		for i := range slice.Ports {
			if !slice.Ports[i].Bad {
				names = append(names, slice.Ports[i].PortName)
			}
		}
	}
	slices.SortFunc(names, content.PortName.Compare)
	return slices.Compact(names)
}

// Addresses yields the claims to each address, whatever the port. They are sorted when they are
// first asked for.
func (s *Service) Addresses(yield func([]Claim) bool) {
	s.once.Do(func() { s.addresses = new(update).run(&Port{}, s.Slices) })
	s.addresses.Copies(yield)
}

// Edit is the change of one slice of a Service. Before and After are nil for a slice that was added
// or deleted. Before.Replaced must be set.
type Edit struct{ Before, After *content.Slice }

// Report is called for each port of an edited slice. Slices is 0 in before if the port is new, and
// in after if it is gone.
type Report func(service types.NamespacedName, before, after *Port, c *Change)

// Apply returns the Services after edits, which it sorts. It calls report, unless that is nil, in
// the order of Services and ports.
func (r *Root) Apply(edits []Edit, report Report) *Root {
	slices.SortStableFunc(edits, func(a, b Edit) int { return content.CompareNames(a.Service(), b.Service()) })
	after := &Root{Services: make([]*Service, 0, len(r.Services)+len(edits))}
	rest := r.Services
	u := update{report: report} // its working memory serves all ports
	for list := range address.Runs(edits, func(a, b *Edit) bool { return a.Service() == b.Service() }) {
		name := list[0].Service()
		i, found := slices.BinarySearchFunc(rest, name, func(s *Service, name types.NamespacedName) int {
			return content.CompareNames(s.Name, name)
		})
		after.Services = append(after.Services, rest[:i]...)
		before := &Service{Name: name}
		if rest = rest[i:]; found {
			before = rest[0]
			rest = rest[1:]
		}
		if s := before.apply(list, &u); len(s.Slices) > 0 {
			after.Services = append(after.Services, s)
		}
	}
	after.Services = append(after.Services, rest...)
	return after
}

// Service returns the Service of the edit.
func (e Edit) Service() types.NamespacedName {
	if e.After != nil {
		return e.After.Service
	}
	return e.Before.Service
}

// apply returns the Service after edits. Ports that no edited slice has are shared.
func (s *Service) apply(edits []Edit, u *update) *Service {
	after := &Service{Name: s.Name, Slices: make([]*content.Slice, 0, len(s.Slices)+len(edits))}
	for _, slice := range s.Slices {
		if !slice.Replaced {
			after.Slices = append(after.Slices, slice)
		}
	}
	ports := map[content.PortName][]*content.Slice{}
	for _, e := range edits {
		addTo(ports, e.Before)
		addTo(ports, e.After)
		if e.After != nil {
			after.Slices = append(after.Slices, e.After)
		}
	}
	slices.SortFunc(after.Slices, func(a, b *content.Slice) int { return content.CompareNames(a.Name, b.Name) })
	after.Ports = slices.Clone(s.Ports)
	for _, name := range slices.SortedFunc(maps.Keys(ports), content.PortName.Compare) {
		after.applyPort(name, ports[name], u)
	}
	return after
}

// addTo adds a slice, which may be nil, to the edited slices of its usable ports.
func addTo(ports map[content.PortName][]*content.Slice, s *content.Slice) {
	if s == nil {
		return
	}
	for i := range s.Ports {
		if name := s.Ports[i].PortName; !s.Ports[i].Bad {
			ports[name] = append(ports[name], s)
		}
	}
}

// applyPort replaces a port in s.Ports.
func (s *Service) applyPort(name content.PortName, edited []*content.Slice, u *update) {
	i, found := s.find(name)
	before := &Port{PortName: name}
	if found {
		before = s.Ports[i]
	}
	after := u.run(before, edited)
	switch {
	case after.Slices == 0:
		s.Ports = slices.Delete(s.Ports, i, i+1)
	case found:
		s.Ports[i] = after
	default:
		s.Ports = slices.Insert(s.Ports, i, after)
	}
	if u.report != nil {
		u.report(s.Name, before, after, u.change)
	}
}
