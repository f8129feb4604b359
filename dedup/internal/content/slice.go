// Package content reads one slice: its ports, its addresses, and what is wrong with it. The package
// also has the orders by which other packages choose between slices that disagree.
package content

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
)

// Options say which parts of slices are read.
type Options struct {
	Label                 string // the label with the name of the Service
	Families              address.Family
	AllAddresses, AnyPort bool
	Labels                []string
}

// Slice is what was read of one version of a slice. It never changes, except for Replaced.
type Slice struct {
	Origin
	API      *discoveryv1.EndpointSlice // the slice itself
	Service  types.NamespacedName       // its Name is empty if the slice belongs to no Service
	Headless bool                       // the slice has the label service.kubernetes.io/headless
	Labels   map[string]string          // the labels of the slice that are in Options.Labels
	Read     bool                       // Options.Families has the address type of the slice
	Ports    []Port                     // sorted by name and protocol, each once
	Places   []Place                    // the valid addresses, in the order of the slice
	Problems []Problem
	// Replaced says that an Index has a newer version of the slice, or that the slice was deleted.
	// Only the Flush that replaces the slice writes and reads it.
	Replaced bool
}

// Place is a valid address in a slice.
type Place struct {
	Host              address.Host
	Slice             *Slice
	Endpoint, Address int32 // indexes
}

// Reader reads slices. A Reader of NewReader puts several slices, which are needed only together,
// into a few pieces of memory.
type Reader struct {
	*Options
	slices []Slice
	places []Place
	ports  []Port
}

// NewReader returns a Reader with memory for a list of slices. It needs no more memory if each
// endpoint has one address.
func NewReader(o *Options, list []*discoveryv1.EndpointSlice) *Reader {
	places, ports := 0, 0
	for _, slice := range list {
		if slice != nil {
			places += len(slice.Endpoints)
			ports += len(slice.Ports)
		}
	}
	return &Reader{Options: o, slices: make([]Slice, 0, len(list)), places: make([]Place, 0, places),
		ports: make([]Port, 0, ports)}
}

// Of returns the content of a slice. at is the path of the slice, nil if its name identifies it.
// service is the name of its Service.
func (o *Reader) Of(at *field.Path, slice *discoveryv1.EndpointSlice, service string) *Slice {
	o.slices = append(o.slices, Slice{
		Origin: OriginOf(slice), API: slice,
		Service: types.NamespacedName{Namespace: slice.Namespace, Name: service},
	})
	s := &o.slices[len(o.slices)-1]
	_, s.Headless = slice.Labels[corev1.IsHeadlessService]
	f := address.FamilyOf(slice.AddressType)
	if f == 0 {
		s.add(UnknownAddressType(at.Child("addressType"), slice.AddressType))
	} else if s.Read = f&o.Families != 0; s.Read {
		s.Ports = o.ports[len(o.ports):]
		s.readPorts(at, o.AnyPort)
		o.ports = o.ports[:min(len(o.ports)+len(slice.Ports), cap(o.ports))]
		s.Places = o.places[len(o.places):]
		s.readAddresses(at, f, o.AllAddresses)
		o.places = o.places[:min(len(o.places)+len(s.Places), cap(o.places))]
		s.Labels = o.labels(slice)
	}
	return s
}

func (s *Slice) add(p Problem) { s.Problems = append(s.Problems, p.InSlice(s.Name)) }

// labels returns the labels of a slice that are in o.Labels, or nil if it has none of them.
func (o *Options) labels(slice *discoveryv1.EndpointSlice) (some map[string]string) {
	for _, key := range o.Labels {
		if value, has := slice.Labels[key]; has {
			if some == nil {
				some = map[string]string{}
			}
			some[key] = value
		}
	}
	return some
}

// readAddresses adds the addresses of the slice. Each endpoint without an address and each invalid
// address is a problem. If addresses after the first one are not read, that is one problem.
func (s *Slice) readAddresses(at *field.Path, f address.Family, all bool) {
	s.Places = slices.Grow(s.Places, len(s.API.Endpoints))
	more := false
	for i := range s.API.Endpoints {
		addresses := s.API.Endpoints[i].Addresses
		if len(addresses) == 0 {
			s.add(noAddress(at.Child("endpoints").Index(i).Child("addresses")))
			continue
		}
		if !all && len(addresses) > 1 {
			more = true
			addresses = addresses[:1]
		}
		for j, text := range addresses {
			if h, ok := address.Read(text, f); ok {
				s.Places = append(s.Places, Place{Host: h, Slice: s, Endpoint: int32(i), Address: int32(j)})
			} else {
				s.add(badAddress(at.Child("endpoints").Index(i).Child("addresses").Index(j), text))
			}
		}
	}
	if more {
		s.add(moreAddresses(at.Child("endpoints")))
	}
}

// IsVersion reports whether a slice has the UID and the resourceVersion of the version that was
// read. It is false if either of them is empty, as in tests and files, because empty values do not
// identify a version.
func (s *Slice) IsVersion(slice *discoveryv1.EndpointSlice) bool {
	return s.API.UID != "" && s.API.ResourceVersion != "" && s.API.ResourceVersion == slice.ResourceVersion &&
		s.API.UID == slice.UID
}

// Distinct returns the indexes of the slices to read, sorted by namespace and name. Slices without
// a name stay in the order of the list. If several slices have the same name, only the newest is
// read, and each other one is a problem, unless it is the same object. A nil slice is a problem. If
// named is set, so is a slice without a name or namespace.
func Distinct(list []*discoveryv1.EndpointSlice, named bool, addProblem func(Problem)) []int32 {
	order := make([]int32, 0, len(list))
	for i, slice := range list {
		if slice == nil {
			addProblem(NilSlice(field.NewPath("slices").Index(i)))
		} else if named && (slice.Name == "" || slice.Namespace == "") {
			addProblem(Unnamed(field.NewPath("slices").Index(i), slice))
		} else {
			order = append(order, int32(i))
		}
	}
	byName := func(i, j int32) int { return CompareNames(NameOf(list[i]), NameOf(list[j])) }
	if !slices.IsSortedFunc(order, byName) {
		slices.SortStableFunc(order, byName)
	}
	kept := order[:0]
	for _, i := range order {
		slice := list[i]
		if len(kept) == 0 || slice.Name == "" || NameOf(list[kept[len(kept)-1]]) != NameOf(slice) {
			kept = append(kept, i)
			continue
		}
		last := &kept[len(kept)-1]
		if other := list[*last]; other != slice {
			addProblem(SameName(field.NewPath("slices").Index(int(i)), slice))
			if Newest(other, slice) == slice {
				*last = i
			}
		}
	}
	return kept
}
