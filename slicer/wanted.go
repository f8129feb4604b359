package slicer

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
)

// wantedItems has the endpoints that the Groups of an Input want.
type wantedItems struct {
	portSets []wantedPorts // in the plan's order; each has at least one item
	items    []item
	types    typeSet // Options.AddressTypes or, if that is empty, the types of Groups
	rejected []Notice

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
func (w *wantedItems) collect(req *request) *wantedItems {
	w.types = typesOf(req.Options.AddressTypes)
	w.rejectOwners(req)
	total := 0
	for i := range req.Groups {
		total += len(req.Groups[i].Endpoints)
	}
	w.items = slices.Grow(w.items, total)
	refused, known := false, portSetsByType{} // for the ports of the previous group
	var previous *Group
	for i := range req.Groups {
		g := &req.Groups[i]
		if len(req.Options.AddressTypes) > 0 && !w.types[typeOf(g.AddressType)] {
			w.rejectType(req, int32(i))
			continue
		}
		w.types.add(g.AddressType)
		if previous == nil || refused || !sameList(previous.Ports, g.Ports) {
			refused, known = w.rejectPorts(g, int32(i)), portSetsByType{none, none, none}
		}
		previous = g
		if !refused {
			w.addGroup(req, int32(i), &known)
		}
	}
	if numbers := w.numbers.sort(); numbers != nil {
		for i := range w.items {
			w.items[i].portSet = numbers[w.items[i].portSet]
		}
	}
	w.portSets = w.numbers.all
	kept, duplicates := w.index.take(w.items, w.portSets)
	w.items = kept
	w.keepBest(req, duplicates)
	return w
}

// addGroup makes items of the accepted endpoints of a group, and numbers its ports.
func (w *wantedItems) addGroup(req *request, group int32, known *portSetsByType) {
	g := &req.Groups[group]
	t := typeOf(g.AddressType)
	for j := range g.Endpoints {
		e := &g.Endpoints[j].API
		it := item{endpoint: e, source: source{group, int32(j)}, ip: endpoint.OnlyIPv4(e)}
		refused := accept.Refuse(it.ip, e, g.AddressType, req.Hints.Mode == hints.Given)
		if refused != nil {
			w.reject(req.notice(it.source), string(refused.Part), refused.Err(it.source.path()))
			continue
		}
		if known[t] == none {
			known[t] = w.numbers.add(t, g.Ports)
		}
		it.portSet = known[t]
		w.items = append(w.items, it)
	}
}

func (w *wantedItems) reject(n Notice, reason string, cause *field.Error) {
	n.Reason = reason
	n.Path = cause.Field
	n.Err = cause
	w.rejected = append(w.rejected, n)
}

// rejectType rejects a group of an address type that slices may not have.
func (w *wantedItems) rejectType(req *request, group int32) {
	g := &req.Groups[group]
	if len(g.Endpoints) > 0 && int(group) < req.given {
		cause := field.NotSupported(groupPath(int(group)).Child("addressType"), string(g.AddressType),
			slices.Sorted(slices.Values(req.Options.AddressTypes)))
		w.reject(Notice{}, "UnwantedAddressType", cause)
	}
}

// rejectOwners rejects owners without a UID.
func (w *wantedItems) rejectOwners(req *request) {
	for i := range req.Meta.OwnerReferences {
		o := &req.Meta.OwnerReferences[i]
		if o.UID != "" {
			continue
		}
		path := field.NewPath("meta", "ownerReferences").Index(i).Child("uid")
		cause := field.Required(path, "slices do not get this owner: use the object as the API server has it")
		object := corev1.ObjectReference{
			APIVersion: o.APIVersion, Kind: o.Kind, Namespace: req.Key.Namespace, Name: o.Name,
		}
		w.reject(Notice{Object: object}, "OwnerWithoutUID", cause)
	}
}

// rejectPorts rejects a group if the API server would refuse its ports, or if the number of a port
// is out of range, which the API server does not check. It reports whether the group is rejected.
func (w *wantedItems) rejectPorts(g *Group, number int32) bool {
	var refused accept.Faults
	refused.Ports(g.Ports, true, func() *field.Path { return groupPath(int(number)).Child("ports") })
	for _, err := range refused {
		w.reject(Notice{}, "InvalidPorts", err.(*field.Error))
	}
	return len(refused) > 0
}

// keepBest chooses one of several endpoints with the same identity as the item: the first
// by ReadyFirst, then the one with the earliest change. An endpoint that is not
// chosen is rejected if it differs from the chosen one.
func (w *wantedItems) keepBest(req *request, duplicates []item) {
	for i := range duplicates {
		d := &duplicates[i]
		it := &w.items[w.index.itemOf(d.id, d.portSet)]
		order := endpoint.ReadyFirst(d.endpoint, it.endpoint)
		if order < 0 || order == 0 && req.changedEarlier(d.source, it.source) {
			*d, *it = *it, *d
		}
	}
	// The choice is complete only now, so the other endpoints are compared in a second loop.
	for i := range duplicates {
		d := &duplicates[i]
		it := &w.items[w.index.itemOf(d.id, d.portSet)]
		if req.sameContent(d.endpoint, it.endpoint) &&
			(req.Hints.Mode != hints.Given || endpoint.SameHints(d.endpoint.Hints, it.endpoint.Hints)) {
			continue
		}
		cause := accept.Duplicate(d.source.path(), notation.Addresses(d.endpoint.Addresses),
			"another wanted endpoint has the same addresses, hostname and targetRef but differs in content: "+
				"list it once")
		w.reject(req.notice(d.source), "DifferingDuplicate", cause)
	}
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
}

// portSetTable numbers port sets. Before the call of sort, the numbers are in the order of the
// calls of add. After it, they are in the plan's order.
type portSetTable struct {
	all     []wantedPorts
	ports   []endpoint.Port  // the ports of all port sets
	numbers map[string]int32 // by key; nil if there are few port sets, because looking at each is faster
}

const fewPortSets = 8

// add returns the number of a port set. If the port set has no number yet, it gets one. add must
// not be called after sort.
func (t *portSetTable) add(typ int32, ports []discoveryv1.EndpointPort) int32 {
	from := len(t.ports)
	t.ports = endpoint.Ports(t.ports, ports)
	own := wantedPorts{typ: typ, ports: slices.Clip(t.ports[from:])}
	if number := t.find(typ, own.ports); number != none {
		clear(own.ports)
		t.ports = t.ports[:from]
		return number
	}
	t.all = append(t.all, own)
	if t.numbers != nil {
		t.numbers[own.key()] = int32(len(t.all) - 1)
	} else if len(t.all) > fewPortSets {
		t.number()
	}
	return int32(len(t.all) - 1)
}

// number fills numbers.
func (t *portSetTable) number() {
	t.numbers = make(map[string]int32, len(t.all))
	for n := range t.all {
		t.numbers[t.all[n].key()] = int32(n)
	}
}

// key returns a text that only equal port sets have.
func (p *wantedPorts) key() string { return strconv.Itoa(int(p.typ)) + endpoint.PortsKey(p.ports) }

// find returns the number of a port set, or none.
func (t *portSetTable) find(typ int32, ports []endpoint.Port) int32 {
	sought := wantedPorts{typ: typ, ports: ports}
	if t.numbers != nil {
		if number, known := t.numbers[sought.key()]; known {
			return number
		}
		return none
	}
	return int32(slices.IndexFunc(t.all, func(s wantedPorts) bool { // -1 is none
		return s.typ == typ && slices.Equal(s.ports, ports)
	}))
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
	if t.numbers != nil {
		t.number()
	}
	numbers = make([]int32, len(old))
	for n := range old {
		numbers[n] = t.find(old[n].typ, old[n].ports)
	}
	return numbers
}
