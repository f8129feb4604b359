package slicer

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
)

// wantedItems has the endpoints that the Groups of an Input want.
type wantedItems struct {
	portSets []wantedPorts // in the plan's order; each has at least one item
	items    []item
	types    typeSet // Set.AddressTypes or, if that is empty, the types of Groups
	rejected []Skip

	numbers portSetTable // finds port sets
	index   index        // finds items
}

// item is one accepted endpoint of a port set. No two items of a port set have the same identity.
type item struct {
	endpoint *discoveryv1.Endpoint // the caller's object
	source   source
	ip       uint32 // what endpoint.OnlyIPv4 returns for it
	portSet  int32
	id       int32 // the number of its identity: see index
}

// source is the position of an endpoint in the Input.
type source struct{ group, endpoint int32 }

func (s source) path() *field.Path {
	return groupPath(int(s.group)).Child("endpoints").Index(int(s.endpoint))
}

// portSetsByType has, for one list of ports, the number of its port set in each address type, or
// none if it has no number yet.
type portSetsByType [len(endpoint.AddressTypes)]int32

// collect merges the wanted groups, and rejects endpoints, ports and owners that the API server
// would refuse.
func (w *wantedItems) collect(in *request) *wantedItems {
	w.types = typesOf(in.Set.AddressTypes)
	w.rejectOwners(&in.Set)
	total := 0
	for i := range in.Groups {
		total += len(in.Groups[i].Endpoints)
	}
	w.items = slices.Grow(w.items, total)
	refused, known := false, portSetsByType{} // for the ports of the previous group
	for i := range in.Groups {
		g := &in.Groups[i]
		w.types.add(g.AddressType)
		if i == 0 || refused || !sameList(in.Groups[i-1].Ports, g.Ports) {
			refused, known = w.rejectPorts(g, int32(i)), portSetsByType{none, none, none}
		}
		if !refused {
			w.addGroup(in, int32(i), &known)
		}
	}
	if numbers := w.numbers.sort(); numbers != nil {
		for i := range w.items {
			w.items[i].portSet = numbers[w.items[i].portSet]
		}
	}
	w.portSets = w.numbers.all
	if in.Options.ByTargetUID {
		w.identifyByUID()
	}
	kept, duplicates := w.index.take(w.items, w.portSets)
	w.items = kept
	w.keepBest(in, duplicates)
	return w
}

// addGroup makes items of the accepted endpoints of a group, and numbers its ports.
func (w *wantedItems) addGroup(in *request, group int32, known *portSetsByType) {
	g := &in.Groups[group]
	for j := range g.Endpoints {
		it := item{endpoint: &g.Endpoints[j], source: source{group, int32(j)}, ip: endpoint.OnlyIPv4(&g.Endpoints[j])}
		t := w.acceptedType(in, &it)
		if t == none {
			continue
		}
		w.types[t] = true
		if known[t] == none {
			known[t] = w.numbers.add(t, g.Ports)
		}
		it.portSet = known[t]
		w.items = append(w.items, it)
	}
}

// acceptedType returns the address type of an endpoint. If the endpoint must not be published, it
// rejects the endpoint and returns none.
func (w *wantedItems) acceptedType(in *request, it *item) int32 {
	addressType := in.Groups[it.source.group].AddressType
	if addressType == "" && len(it.endpoint.Addresses) > 0 {
		addressType = endpoint.AddressType(it.endpoint.Addresses[0])
	}
	t := typeOf(addressType)
	refusal := accept.Refuse(it.ip, it.endpoint, addressType, in.Hints.Mode == hints.Given)
	if refusal != nil && (in.Options.Invalid != Pass || t == none) {
		w.reject(in.skipped(it.source, addressType), SkipReason(refusal.Part), refusal.Err(it.source.path()))
		return none
	}
	if len(in.Set.AddressTypes) > 0 && !w.types[t] {
		path := it.source.path().Child("addresses").Index(0)
		cause := field.NotSupported(path, it.endpoint.Addresses[0], slices.Sorted(slices.Values(in.Set.AddressTypes)))
		w.reject(in.skipped(it.source, addressType), UnwantedAddressType, cause)
		return none
	}
	return t
}

func (w *wantedItems) reject(s Skip, reason SkipReason, cause *field.Error) {
	s.Reason = reason
	s.Path = cause.Field
	s.Err = cause
	w.rejected = append(w.rejected, s)
}

// rejectOwners rejects owners without a UID.
func (w *wantedItems) rejectOwners(set *Set) {
	for i := range set.Owners {
		o := &set.Owners[i]
		if o.UID != "" {
			continue
		}
		path := field.NewPath("set", "owners").Index(i).Child("uid")
		cause := field.Required(path, "use the object as the API server has it")
		object := corev1.ObjectReference{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: set.Namespace, Name: o.Name}
		w.reject(Skip{Object: object}, OwnerWithoutUID, cause)
	}
}

// rejectPorts rejects a group if the API server would refuse its ports, or if the number of a port
// is out of range, which the API server does not check. It reports whether the group is rejected.
func (w *wantedItems) rejectPorts(g *Group, number int32) bool {
	var refused accept.Faults
	refused.Ports(g.Ports, true, func() *field.Path { return groupPath(int(number)).Child("ports") })
	for _, err := range refused {
		ports := notation.Ports(notation.Defaulted(g.Ports))
		w.reject(Skip{AddressType: g.AddressType, Port: ports}, InvalidPorts, err.(*field.Error))
	}
	return len(refused) > 0
}

// identifyByUID decides for each port set whether UIDs identify its endpoints. They identify its
// endpoints if each endpoint has a UID and no UID occurs twice.
func (w *wantedItems) identifyByUID() {
	type member struct {
		portSet int32
		uid     string
	}
	for n := range w.portSets {
		w.portSets[n].byUID = true
	}
	seen := make(map[member]bool, len(w.items))
	for i := range w.items {
		m := member{w.items[i].portSet, endpoint.UID(w.items[i].endpoint)}
		if m.uid == "" || seen[m] {
			w.portSets[m.portSet].byUID = false
		}
		seen[m] = true
	}
}

// keepBest chooses one of several endpoints with the same identity as the item: ready endpoints
// come first, then the order of content decides, then the earliest change. An endpoint that is not
// chosen is rejected if it differs from the chosen one.
func (w *wantedItems) keepBest(in *request, duplicates []item) {
	for i := range duplicates {
		d := &duplicates[i]
		it := &w.items[w.index.itemOf(d.id, d.portSet)]
		if order := better(d.endpoint, it.endpoint); order < 0 || order == 0 && in.changedEarlier(d.source, it.source) {
			*d, *it = *it, *d
		}
	}
	// The choice is complete only now, so the other endpoints are compared in a second loop.
	for i := range duplicates {
		d := &duplicates[i]
		it := &w.items[w.index.itemOf(d.id, d.portSet)]
		if in.sameContent(d.endpoint, it.endpoint) &&
			(in.Hints.Mode != hints.Given || endpoint.SameHints(d.endpoint.Hints, it.endpoint.Hints)) {
			continue
		}
		cause := accept.Duplicate(d.source.path(), notation.Addresses(d.endpoint.Addresses),
			"another wanted endpoint has the same addresses, hostname and targetRef but differs in content: "+
				"list it once")
		t := endpoint.AddressTypes[w.portSets[it.portSet].typ]
		w.reject(in.skipped(d.source, t), DifferingDuplicate, cause)
	}
}

// better orders endpoints with the same identity. The one to choose comes first.
func better(a, b *discoveryv1.Endpoint) int {
	x, y := conditions.Of(a.Conditions), conditions.Of(b.Conditions)
	return cmp.Or(endpoint.TrueFirst(x.Ready, y.Ready), endpoint.Compare(a, b))
}

// mistakes returns an error for everything that was rejected if Options.Invalid is Fail, and
// otherwise nil.
func (w *wantedItems) mistakes(in *request) error {
	if in.Options.Invalid != Fail {
		return nil
	}
	sorted := slices.Clone(w.rejected)
	sortSkips(sorted)
	var errs []error
	for i := range sorted {
		errs = append(errs, sorted[i].Err)
	}
	return errors.Join(errs...)
}

// sameList reports whether two lists of ports are in the same memory. With it, ports that several
// groups share are read only once.
func sameList(a, b []discoveryv1.EndpointPort) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// wantedPorts is a port set: a list of ports that is wanted for one address type.
type wantedPorts struct {
	typ   int32
	ports []endpoint.Port
	byUID bool // the targetRef's UID identifies its endpoints
}

// portSetTable numbers port sets. Before the call of sort, the numbers are in the order of the
// calls of add. After it, they are in the plan's order.
type portSetTable struct {
	all   []wantedPorts
	ports []endpoint.Port // the ports of all port sets
	table endpoint.Table
}

// add returns the number of a port set. If the port set has no number yet, it gets one. add must
// not be called after sort.
func (t *portSetTable) add(typ int32, ports []discoveryv1.EndpointPort) int32 {
	from := len(t.ports)
	t.ports = endpoint.Ports(t.ports, ports)
	own := slices.Clip(t.ports[from:])
	number, isNew := t.table.Add(t.table.Ports(own), t.is(typ, own))
	if isNew {
		t.all = append(t.all, wantedPorts{typ: typ, ports: own})
	} else {
		clear(own)
		t.ports = t.ports[:from]
	}
	return number
}

// find returns the number of a port set, or none.
func (t *portSetTable) find(typ int32, ports []endpoint.Port) int32 {
	return t.table.Find(t.table.Ports(ports), t.is(typ, ports))
}

func (t *portSetTable) is(typ int32, ports []endpoint.Port) func(number int32) bool {
	return func(number int32) bool {
		s := &t.all[number]
		return s.typ == typ && slices.Equal(s.ports, ports)
	}
}

// sort numbers the port sets in the plan's order: by address type and then by ports. It returns the
// new number of each port set, by its old number, or nil if no number has changed.
func (t *portSetTable) sort() (numbers []int32) {
	order := func(a, b wantedPorts) int {
		return cmp.Or(cmp.Compare(a.typ, b.typ), slices.CompareFunc(a.ports, b.ports, endpoint.Port.Compare))
	}
	if slices.IsSortedFunc(t.all, order) {
		return nil
	}
	old := slices.Clone(t.all)
	slices.SortFunc(t.all, order)
	t.table.Reset(len(old))
	for n := range t.all { // all port sets differ, so none need be compared
		t.table.Add(t.table.Ports(t.all[n].ports), func(int32) bool { return false })
	}
	numbers = make([]int32, len(old))
	for n := range old {
		numbers[n] = t.find(old[n].typ, old[n].ports)
	}
	return numbers
}
