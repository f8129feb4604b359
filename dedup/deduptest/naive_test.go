package deduptest_test

import (
	"cmp"
	"iter"
	"maps"
	"net/netip"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
)

// What readers of these tests have in common.

// lister keeps the slices that there are, as an informer's lister does.
type lister map[types.NamespacedName]*discoveryv1.EndpointSlice

func (l lister) event(e deduptest.Event) {
	if e.New != nil {
		l[nameOf(e)] = e.New
	} else {
		delete(l, nameOf(e))
	}
}

func nameOf(e deduptest.Event) types.NamespacedName {
	slice := cmp.Or(e.New, e.Old)
	return types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
}

func serviceOf(slice *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: slice.Namespace, Name: slice.Labels[discoveryv1.LabelServiceName]}
}

// list is in the order of names.
func (l lister) list() (list []*discoveryv1.EndpointSlice) {
	for _, name := range sortedNames(maps.Keys(l)) {
		list = append(list, l[name])
	}
	return list
}

// see shows the first copy of each place.
func (l lister) see() (all []deduptest.Seen) {
	for _, slice := range l.list() {
		for _, r := range endpointsOf(slice) {
			all = unlessThere(all, r)
		}
	}
	return all
}

func sortedNames(names iter.Seq[types.NamespacedName]) []types.NamespacedName {
	return slices.SortedFunc(names, compareNames)
}

func compareNames(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// read is an endpoint of a slice as a hand-written reader makes it.
type read struct {
	seen     deduptest.Seen
	endpoint *discoveryv1.Endpoint
}

// endpointsOf reads the first addresses of an IP slice, for ports with a number.
func endpointsOf(slice *discoveryv1.EndpointSlice) (all []read) {
	if slice.AddressType == discoveryv1.AddressTypeFQDN || serviceOf(slice).Name == "" {
		return nil
	}
	for _, p := range slice.Ports {
		for i := range slice.Endpoints {
			e := &slice.Endpoints[i]
			addr, err := netip.ParseAddr(e.Addresses[0])
			if p.Port != nil && err == nil {
				all = append(all, read{deduptest.Seen{
					Service: serviceOf(slice), Port: *p.Name, Protocol: *p.Protocol,
					Address: addr.String(), Number: *p.Port, State: stateOf(conditions.Of(e.Conditions)),
				}, e})
			}
		}
	}
	return all
}

func compareSeen(a, b deduptest.Seen) int {
	return cmp.Or(compareNames(a.Service, b.Service), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Protocol, b.Protocol),
		cmp.Compare(a.Address, b.Address), cmp.Compare(a.Number, b.Number), cmp.Compare(a.State, b.State))
}

// place is what a reader must show once.
func place(s deduptest.Seen) deduptest.Seen {
	s.State = ""
	return s
}

// myReader is a hand-written reader that is right: it keeps slices by name, and reads them anew for
// each look.
type myReader struct{ known lister }

func newMyReader() *myReader { return &myReader{lister{}} }

func (r *myReader) handle(old, new *discoveryv1.EndpointSlice) {
	r.known.event(deduptest.Event{Old: old, New: new})
}

func (r *myReader) endpoints() (all []deduptest.Seen) {
	for _, s := range seenIn(dedup.Merge(r.known.list(), dedup.Options{})) {
		if s.State == deduptest.Ready {
			all = append(all, s)
		}
	}
	return all
}
