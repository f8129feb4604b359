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
	addresses []Item
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

// Port returns the items of a port.
func (s *Service) Port(name content.PortName) []Item {
	if i, found := s.find(name); found {
		return s.Ports[i].Items
	}
	return Items(s.Slices, &name)
}

// Copies is like Port, and yields for each item all claims. What it yields is valid until the next
// claims.
func (s *Service) Copies(name content.PortName, sorter *Sorter) (n int, all iter.Seq[[]Claim]) {
	at, found := s.find(name)
	if !found {
		return sorter.Sort(s.Slices, &name)
	}
	items := s.Ports[at].Items
	return len(items), func(yield func([]Claim) bool) {
		for i := range items {
			copies := append(sorter.copies[:0], items[i].Claim)
			if sorter.copies = copies; items[i].Copies != nil {
				copies = *items[i].Copies
			}
			if !yield(copies) {
				return
			}
		}
	}
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

// Addresses returns an item for each address, whatever the port. It is made when it is first asked
// for.
func (s *Service) Addresses() []Item {
	s.once.Do(func() { s.addresses = Items(s.Slices, nil) })
	return s.addresses
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

// portEdit is the change of a port.
type portEdit struct {
	slices int              // how the number of slices that have the port changes
	edited []*content.Slice // those that were replaced, and those that were added
}

// apply returns the Service after edits. Ports that no edited slice has are shared.
func (s *Service) apply(edits []Edit, u *update) *Service {
	after := &Service{Name: s.Name, Slices: make([]*content.Slice, 0, len(s.Slices)+len(edits))}
	for _, slice := range s.Slices {
		if !slice.Replaced {
			after.Slices = append(after.Slices, slice)
		}
	}
	ports := map[content.PortName]*portEdit{}
	for _, e := range edits {
		for _, p := range portsOf(e.Before, ports) {
			p.slices--
			p.edited = append(p.edited, e.Before)
		}
		for _, p := range portsOf(e.After, ports) {
			p.slices++
			p.edited = append(p.edited, e.After)
		}
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

// portsOf returns the edits of the usable ports of a slice, which may be nil.
func portsOf(s *content.Slice, ports map[content.PortName]*portEdit) (list []*portEdit) {
	if s == nil {
		return nil
	}
	for i := range s.Ports {
		name := s.Ports[i].PortName
		switch {
		case s.Ports[i].Bad:
			continue
		case ports[name] == nil:
			ports[name] = &portEdit{}
		}
		list = append(list, ports[name])
	}
	return list
}

// applyPort replaces a port in s.Ports.
func (s *Service) applyPort(name content.PortName, e *portEdit, u *update) {
	i, found := s.find(name)
	before, after := &Port{}, &Port{PortName: name}
	if found {
		before = s.Ports[i]
	}
	after.Slices = before.Slices + e.slices
	if u.report != nil {
		u.change = &Change{}
	}
	u.run(before.Items, e.edited, &name)
	after.Items = u.after
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
