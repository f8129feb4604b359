package content

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
)

// Options say which slices are read, and which parts of them.
type Options struct {
	Service func(*discoveryv1.EndpointSlice) (name string, counts bool)
	// the label with the name of the Service, for problems; empty if the caller set Service
	Label                     string
	Families                  address.Family
	AllAddresses, KeepAnyPort bool
	AllPorts                  bool // each slice has one more port, PortName.All, whatever ports it has
	Labels                    []string
}

// Reader reads slices one after the other, and reuses its memory.
type Reader struct {
	Options

	problems  []Problem // like all fields below, for the current slice
	places    []Place
	endpoints []Endpoint // in the order of the slice
	order     address.Ports
	sorted    []*Endpoint
	shared    []*Shared // all Shared values so far, for later endpoints with equal fields
}

func NewReader(o Options) *Reader {
	r := &Reader{Options: o}
	r.order.Name = func(index int32) string { return r.endpoints[index].FQDN }
	return r
}

// reset begins the next slice.
func (r *Reader) reset() {
	r.endpoints = r.endpoints[:0]
	r.sorted = r.sorted[:0]
	r.shared = r.shared[:0]
	r.problems = nil
}

// Read returns the content of a slice, and how its endpoints differ from those in its last version.
// The parameter before has the content of the last version, and is empty for a new slice. The
// result shares all equal parts with it.
func (r *Reader) Read(slice *discoveryv1.EndpointSlice, service string, before *Slice) (*Slice, Change) {
	r.reset()
	after := &Slice{
		Origin: OriginOf(slice), UID: slice.UID, Version: slice.ResourceVersion,
		Service: types.NamespacedName{Namespace: slice.Namespace, Name: service},
	}
	_, after.Headless = slice.Labels[corev1.IsHeadlessService]
	f := address.FamilyOf(slice.AddressType)
	if service == "" {
		r.addProblem(NoService(field.NewPath("metadata"), r.Label))
	} else if f == 0 {
		r.addProblem(UnknownAddressType(field.NewPath("addressType"), slice.AddressType))
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

func (r *Reader) addProblem(p Problem) { r.problems = append(r.problems, p) }

// readEndpoints sets r.sorted to the endpoints of a slice in order, each once. If before is empty,
// the endpoints are in new memory, which the Slice keeps. Otherwise they are in the memory of the
// reader.
func (r *Reader) readEndpoints(slice *discoveryv1.EndpointSlice, f address.Family, before []*Endpoint) {
	r.places = r.Addresses(r.places[:0], slice, f, func() *field.Path {
		return field.NewPath("endpoints")
	}, r.addProblem)
	r.order.List = r.order.List[:0]
	labels := r.labels(slice)
	// Start with the Shared values of the last version. Then an endpoint that did not change points
	// to the same Shared, so it is equal with == as well. The first 16 endpoints are enough: most
	// slices have one Shared for all ready endpoints of a zone.
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
	r.sortEndpoints()
	if len(before) == 0 {
		r.endpoints = nil
	}
}

// sortEndpoints appends the endpoints to r.sorted, in order and each once. r.order has them all, in
// the order of the slice.
func (r *Reader) sortEndpoints() {
	r.order.Sort()
	// It is rare that an address is in a slice twice. Only such addresses need a comparison of all
	// fields.
	twice := false
	for i, p := range r.order.List {
		r.sorted = append(r.sorted, &r.endpoints[p.Index])
		twice = twice || i > 0 && p.Host == r.order.List[i-1].Host
	}
	if twice {
		slices.SortFunc(r.sorted, compare)
		r.sorted = slices.CompactFunc(r.sorted, func(a, b *Endpoint) bool { return compare(a, b) == 0 })
	}
}

// share returns a recent Shared that is equal to s, or else a copy of s. It looks only at the last
// eight, so that the time is linear even if all endpoints of a slice need different Shared values.
func (r *Reader) share(s *Shared) *Shared {
	for _, known := range r.shared[max(len(r.shared)-8, 0):] {
		if known.equal(s) {
			return known
		}
	}
	made := *s
	// The lists still belong to the API object. A list of one zone, the usual hint, needs no
	// allocation.
	if made.ForNodes = slices.Clone(s.ForNodes); len(s.ForZones) > 0 {
		made.ForZones = append(made.zone[:0], s.ForZones...)
	}
	r.shared = append(r.shared, &made)
	return &made
}

// Place is a valid address in a slice. Odd says that the slice does not have the canonical
// spelling.
type Place struct {
	Host                     address.Host
	Slice, Endpoint, Address int32 // indexes; the caller of Addresses sets Slice
	Odd                      bool
}

// Addresses appends the valid addresses of a slice that are in Options.Families. f is the family of
// the slice, or several families if the slice has no address type. path returns the path of the
// endpoints. Addresses adds a problem for each endpoint without an address and for each invalid
// address. If addresses after the first one are not read, it adds one problem for the slice.
func (o *Options) Addresses(to []Place, slice *discoveryv1.EndpointSlice, f address.Family, path func() *field.Path,
	addProblem func(Problem)) []Place {
	to = slices.Grow(to, len(slice.Endpoints))
	more := false
	for i := range slice.Endpoints {
		addresses := slice.Endpoints[i].Addresses
		if len(addresses) == 0 {
			addProblem(problem("BadAddress",
				field.Required(path().Index(i).Child("addresses"), "give the endpoint an address")))
			continue
		}
		if !o.AllAddresses && len(addresses) > 1 {
			more, addresses = true, addresses[:1]
		}
		for j, text := range addresses {
			h, canonical, ok := address.Read(text, f)
			if !ok {
				addProblem(badAddress(path().Index(i).Child("addresses").Index(j), text))
			} else if h.IsName() || h.Family()&o.Families != 0 {
				to = append(to, Place{Host: h, Endpoint: int32(i), Address: int32(j), Odd: !canonical})
			}
		}
	}
	if more {
		addProblem(problem("MoreAddresses", field.Forbidden(path(),
			"only the first address of each endpoint is read; set AllAddresses if the reader can use the others")))
	}
	return to
}
