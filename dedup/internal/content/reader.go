package content

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/address"
)

// Options say what of a slice is read.
type Options struct {
	Families                  address.Family
	AllAddresses, KeepAnyPort bool
	Labels                    []string
}

// Content is what a slice says.
type Content struct {
	Ports     []Port      // by name and protocol, each once
	Endpoints []*Endpoint // in the order of addresses, each once
	Problems  []Problem
}

// Reader reads slices, one after the other, with memory that it uses again.
type Reader struct {
	Options

	ports     []Port
	places    []Place
	endpoints []Endpoint // as the slice has them
	order     address.Ports
	sorted    []*Endpoint
	problems  []Problem
	keeper    keeper
}

// NewReader returns a reader without options.
func NewReader() *Reader {
	r := &Reader{}
	r.order.Names = func(a, b int32) int { return strings.Compare(r.endpoints[a].FQDN(), r.endpoints[b].FQDN()) }
	return r
}

// Reset forgets what was read.
func (r *Reader) Reset() {
	r.reset()
	r.keeper = keeper{}
}

func (r *Reader) reset() {
	clear(r.ports)
	clear(r.endpoints)
	clear(r.sorted)
	r.ports, r.endpoints, r.sorted, r.problems = r.ports[:0], r.endpoints[:0], r.sorted[:0], nil
}

// Read returns what a slice says, whose endpoints get the origin. Where the slice says the same as before, the result shares
// memory with before, which is zero for a new slice.
func (r *Reader) Read(slice *discoveryv1.EndpointSlice, origin *Origin, before Content) (Content, Change) {
	r.reset()
	f, ok := address.FamilyOf(slice.AddressType)
	switch {
	case !ok:
		r.problems = append(r.problems, UnknownAddressType(field.NewPath("addressType"), slice.AddressType))
	case r.Families&f != 0:
		r.readPorts(slice.Ports)
		if len(before.Endpoints) == 0 {
			r.endpoints, r.sorted = nil, nil // what is read lasts, and is not copied
		}
		for _, e := range before.Endpoints[:min(len(before.Endpoints), 16)] {
			r.keeper.know(e.Shared)
		}
		r.endpoints = slices.Grow(r.endpoints, len(slice.Endpoints))
		r.places = r.Addresses(r.places[:0], slice, f, func() *field.Path { return field.NewPath("endpoints") },
			func(p Problem) { r.problems = append(r.problems, p) })
		for _, p := range r.places {
			e, from := r.next(), &slice.Endpoints[p.Endpoint]
			e.Host = p.Host
			e.fill(from, origin, &r.keeper)
			if p.Host.IsName() {
				e.more().fqdn = strings.TrimSuffix(from.Addresses[p.Address], ".")
			}
		}
		r.sort()
	}
	endpoints, change := r.keeper.keep(before.Endpoints, r.sorted)
	if len(before.Endpoints) == 0 {
		r.endpoints, r.sorted = nil, nil
	}
	return Content{Ports: r.keeper.ports(before.Ports, r.ports), Endpoints: endpoints, Problems: r.problems}, change
}

// Place is a good address of a slice: where the slice has it, and whether it is spelled otherwise than the canonical way.
type Place struct {
	Host              address.Host
	Endpoint, Address int32
	Odd               bool
}

// Addresses appends the addresses of a slice whose endpoints are of family f, those that are good and of the families that count.
// setAside is called for what is not good; path is that of the endpoints.
func (o *Options) Addresses(to []Place, slice *discoveryv1.EndpointSlice, f address.Family, path func() *field.Path, setAside func(Problem)) []Place {
	to = slices.Grow(to, len(slice.Endpoints))
	more := false
	for i := range slice.Endpoints {
		addresses := slice.Endpoints[i].Addresses
		if len(addresses) == 0 {
			setAside(problem("NoAddress", field.Required(path().Index(i).Child("addresses"), "give the endpoint an address")))
			continue
		}
		if !o.AllAddresses && len(addresses) > 1 {
			more, addresses = true, addresses[:1]
		}
		for j, text := range addresses {
			h, result := address.Read(text, f)
			switch {
			case !result.Good():
				setAside(badAddress(path().Index(i).Child("addresses").Index(j), text, result))
			case h.IsName() || h.Family()&o.Families != 0:
				to = append(to, Place{h, int32(i), int32(j), result != address.Canonical})
			}
		}
	}
	if more {
		setAside(problem("MoreAddresses", field.Forbidden(path(),
			"only the first address of each is read; set AllAddresses for a reader that can use the others")))
	}
	return to
}

// next returns a zero endpoint at the end of the list.
func (r *Reader) next() *Endpoint {
	r.endpoints = slices.Grow(r.endpoints, 1)
	r.endpoints = r.endpoints[:len(r.endpoints)+1] // Reset clears what was used
	return &r.endpoints[len(r.endpoints)-1]
}

// Of returns what an endpoint of a slice says, apart from its addresses.
func Of(e *discoveryv1.Endpoint) *Endpoint {
	made := &Endpoint{}
	made.fill(e, nil, &keeper{})
	return made
}

// fill reads everything but addresses.
func (e *Endpoint) fill(from *discoveryv1.Endpoint, origin *Origin, k *keeper) {
	shared := Shared{Origin: origin, Usability: UsabilityOf(conditions.Of(from.Conditions))}
	if t := from.TargetRef; t != nil {
		shared.TargetKind, shared.TargetNamespace, e.TargetName, e.TargetUID = t.Kind, t.Namespace, t.Name, t.UID
	}
	if from.Zone != nil {
		shared.Zone = *from.Zone
	}
	if from.NodeName != nil {
		e.NodeName = *from.NodeName
	}
	if from.Hostname != nil && *from.Hostname != "" {
		e.more().hostname = *from.Hostname
	}
	if from.Hints != nil {
		shared.ForZones = inOrder(from.Hints.ForZones, compareForZones)
		if len(from.Hints.ForNodes) > 0 {
			e.more().forNodes = slices.Clone(inOrder(from.Hints.ForNodes, compareForNodes))
		}
	}
	e.Shared = k.shared(&shared)
}

func (e *Endpoint) more() *rare {
	if e.rare == nil {
		e.rare = &rare{}
	}
	return e.rare
}

// inOrder returns a list sorted, each element once, nil if it is empty. A list of one is the caller's own.
func inOrder[T comparable](list []T, compare func(a, b T) int) []T {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[:1:1]
	}
	list = slices.Clone(list)
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// sort puts the endpoints in order, each once.
func (r *Reader) sort() {
	l := &r.order
	l.List = slices.Grow(l.List[:0], len(r.endpoints))
	for i := range r.endpoints {
		l.List = append(l.List, address.Port{Host: r.endpoints[i].Host, Index: int32(i)})
	}
	l.Sort()
	r.sorted = slices.Grow(r.sorted, len(l.List))
	for rest := l.List; len(rest) > 0; {
		n, start := l.Same(rest), len(r.sorted)
		for _, p := range rest[:n] {
			r.sorted = append(r.sorted, &r.endpoints[p.Index])
		}
		if n > 1 {
			same := r.sorted[start:]
			slices.SortFunc(same, compare)
			same = slices.CompactFunc(same, func(a, b *Endpoint) bool { return compare(a, b) == 0 })
			r.sorted = r.sorted[:start+len(same)]
		}
		rest = rest[n:]
	}
}
