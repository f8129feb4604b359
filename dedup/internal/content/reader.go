package content

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
)

// Options say which slices count, and what of them is read.
type Options struct {
	Service                   func(*discoveryv1.EndpointSlice) (name string, counts bool)
	Label                     string // that names the Service, for problems; empty where no single label does
	Families                  address.Family
	AllAddresses, KeepAnyPort bool
	AllPorts                  bool // each slice has a further port, AllPorts, whatever ports it has
	Labels                    []string
}

// Reader reads slices, one after the other, with memory that it uses again.
type Reader struct {
	Options

	problems  []Problem // of the slice at hand, as all that follows
	places    []Place
	endpoints []Endpoint // as the slice has them
	order     address.Ports
	sorted    []*Endpoint
	shared    []*Shared // of endpoints so far, which the next ones share if they have the same
}

// NewReader returns a reader without options.
func NewReader() *Reader {
	r := &Reader{}
	r.order.Name = func(index int32) string { return r.endpoints[index].FQDN }
	return r
}

// Reset forgets what was read.
func (r *Reader) Reset() {
	clear(r.endpoints)
	clear(r.sorted)
	clear(r.shared)
	r.endpoints, r.sorted, r.shared, r.problems = r.endpoints[:0], r.sorted[:0], r.shared[:0], nil
}

// Read returns what a slice of a Service says, and how its endpoints differ from before, which is empty for a new slice. The result
// shares with before what did not change.
func (r *Reader) Read(slice *discoveryv1.EndpointSlice, service string, before *Slice) (*Slice, Change) {
	r.Reset()
	after := &Slice{
		Origin: OriginOf(slice), UID: slice.UID, Version: slice.ResourceVersion,
		Service: types.NamespacedName{Namespace: slice.Namespace, Name: service},
	}
	_, after.Headless = slice.Labels[corev1.IsHeadlessService]
	f := address.FamilyOf(slice.AddressType)
	if service == "" {
		r.setAside(NoService(field.NewPath("metadata"), r.Label))
	} else if f == 0 {
		r.setAside(UnknownAddressType(field.NewPath("addressType"), slice.AddressType))
	} else if r.Families&f != 0 {
		if after.Ports = r.readPorts(slice); slices.Equal(before.Ports, after.Ports) {
			after.Ports = before.Ports
		}
		r.readEndpoints(slice, f, before.Endpoints)
	}
	after.Problems = r.problems
	var change Change
	if after.Endpoints, change = keep(before.Endpoints, r.sorted); len(change.Added)+len(change.Removed) == 0 {
		after.Endpoints = before.Endpoints
	}
	return after, change
}

func (r *Reader) setAside(p Problem) { r.problems = append(r.problems, p) }

// readEndpoints puts the endpoints of a slice in order, each once. Where there are none before, they are in memory of their own,
// for the slice to keep; else in the reader's.
func (r *Reader) readEndpoints(slice *discoveryv1.EndpointSlice, f address.Family, before []*Endpoint) {
	r.places = r.Addresses(r.places[:0], slice, f, func() *field.Path { return field.NewPath("endpoints") }, r.setAside)
	r.order.List = r.order.List[:0]
	labels := r.labels(slice)
	for _, e := range before[:min(len(before), 16)] {
		if !slices.Contains(r.shared, e.Shared) && maps.Equal(e.Labels, labels) {
			r.shared = append(r.shared, e.Shared)
		}
	}
	if n := len(r.places); len(before) == 0 {
		r.endpoints = make([]Endpoint, n)
	} else {
		r.endpoints = slices.Grow(r.endpoints, n)[:n]
	}
	for i := range r.places {
		p, e := &r.places[i], &r.endpoints[i]
		from := &slice.Endpoints[p.Endpoint]
		one := Shared{Slice: slice.Name, Labels: labels}
		e.Host = p.Host
		e.fill(from, &one)
		if p.Host.IsName() {
			one.FQDN = strings.TrimSuffix(from.Addresses[p.Address], ".")
		}
		e.Shared = r.share(&one)
		r.order.List = append(r.order.List, address.Port{Host: p.Host, Index: int32(i)})
	}
	r.order.Sort()
	twice := false
	for i, p := range r.order.List {
		r.sorted = append(r.sorted, &r.endpoints[p.Index])
		twice = twice || i > 0 && p.Host == r.order.List[i-1].Host
	}
	if twice {
		slices.SortFunc(r.sorted, compare)
		r.sorted = slices.CompactFunc(r.sorted, func(a, b *Endpoint) bool { return compare(a, b) == 0 })
	}
	if len(before) == 0 {
		r.endpoints = nil
	}
}

// share returns one of the last Shared that is equal to s, or else a copy of s.
func (r *Reader) share(s *Shared) *Shared {
	for _, known := range r.shared[max(len(r.shared)-8, 0):] {
		if known.equal(s) {
			return known
		}
	}
	made := *s
	if made.ForNodes = slices.Clone(s.ForNodes); len(s.ForZones) > 0 {
		made.ForZones = append(made.zone[:0], s.ForZones...)
	}
	r.shared = append(r.shared, &made)
	return &made
}

// Place is where a slice has a good address, and whether the address has another spelling than the canonical one there (Odd).
type Place struct {
	Host                     address.Host
	Slice, Endpoint, Address int32 // Slice is the caller's
	Odd                      bool
}

// Addresses appends the good addresses of a slice whose endpoints are of family f, if they are of the families that count. It calls
// setAside for endpoints without address, for addresses that are not good, and once if addresses beyond the first are not read.
// path is that of the endpoints.
func (o *Options) Addresses(to []Place, slice *discoveryv1.EndpointSlice, f address.Family, path func() *field.Path, setAside func(Problem)) []Place {
	to = slices.Grow(to, len(slice.Endpoints))
	more := false
	for i := range slice.Endpoints {
		addresses := slice.Endpoints[i].Addresses
		if len(addresses) == 0 {
			setAside(problem("BadAddress", field.Required(path().Index(i).Child("addresses"), "give the endpoint an address")))
			continue
		}
		if !o.AllAddresses && len(addresses) > 1 {
			more, addresses = true, addresses[:1]
		}
		for j, text := range addresses {
			h, canonical, ok := address.Read(text, f)
			if !ok {
				setAside(badAddress(path().Index(i).Child("addresses").Index(j), text))
			} else if h.IsName() || h.Family()&o.Families != 0 {
				to = append(to, Place{Host: h, Endpoint: int32(i), Address: int32(j), Odd: !canonical})
			}
		}
	}
	if more {
		setAside(problem("MoreAddresses", field.Forbidden(path(),
			"only the first address of each is read; set AllAddresses for a reader that can use the others")))
	}
	return to
}
