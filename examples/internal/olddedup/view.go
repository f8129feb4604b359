package dedup

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
)

// View has the endpoints of all service ports at one moment. It never changes, so any number of
// goroutines may read and keep it. The views of one Index share memory. A View keeps all of its
// endpoints in memory, so copy the few that you want to keep for long. The zero value is empty.
//
// Iterators yield Services by namespace and name, ports by name and protocol, and endpoints by
// address and then port number. Names come before IP addresses. IP addresses are ordered as
// numbers, an IPv4 address as its IPv4-mapped IPv6 address (::ffff:a.b.c.d).
type View struct{ root *view.Root }

// at returns the root, which is empty for the zero View.
func (v View) at() *view.Root { return cmp.Or(v.root, &view.Root{}) }

func (v View) port(name ServicePort) *view.Port {
	return v.at().Service(name.Service).Port(name.name())
}

// Services yields the Services that slices belong to, including Services without endpoints or
// ports.
func (v View) Services() iter.Seq[types.NamespacedName] {
	return func(yield func(types.NamespacedName) bool) {
		v.at().Services.All(func(s **view.Service) bool { return yield((*s).Name) })
	}
}

// Has reports whether a slice belongs to the Service. It is also true for a Service without
// endpoints. A DNS server then answers without data (NODATA). If Has is false, the name does not
// exist (NXDOMAIN).
func (v View) Has(service types.NamespacedName) bool { return v.at().Service(service).SlicePorts > 0 }

// Ports yields the ports of a Service, including ports without endpoints. It yields none if the
// Service is not known.
func (v View) Ports(service types.NamespacedName) iter.Seq[ServicePort] {
	return func(yield func(ServicePort) bool) {
		s := v.at().Service(service)
		s.Ports.All(func(p **view.Port) bool { return yield(portOf(s, *p)) })
	}
}

// Endpoints yields the endpoints of a service port. It yields none if the port is not known.
func (v View) Endpoints(port ServicePort) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		v.port(port).Items.All(func(it *view.Item) bool { return yield(endpointOf(it.Claim)) })
	}
}

// Len returns the number of endpoints of a service port, and whether a slice of the Service has the
// port.
func (v View) Len(port ServicePort) (n int, known bool) {
	p := v.port(port)
	return p.Items.Len(), p.Slices > 0
}

// Endpoint returns the endpoint with an IP address and port number, and whether there is one. An
// IPv4 address in IPv6 form is the IPv4 address. Port number 0 finds an endpoint whose number is 0
// (Options.KeepAnyPort, ServicePort.AllPorts). Endpoints with a name are not found.
func (v View) Endpoint(port ServicePort, at netip.AddrPort) (Endpoint, bool) {
	host := address.Of(at.Addr())
	if at.Addr().Zone() != "" || host.IsName() { // no endpoint has such an address
		return Endpoint{}, false
	}
	probe := view.Item{Claim: view.Claim{Endpoint: &content.Endpoint{Host: host},
		Port: &content.Port{Number: at.Port()}}}
	found := v.port(port).Items.Find(func(it *view.Item) int { return view.CompareItems(it, &probe) })
	if found == nil {
		return Endpoint{}, false
	}
	return endpointOf(found.Claim), true
}

// All yields every endpoint with its service port. Services and ports without endpoints do not
// occur.
func (v View) All() iter.Seq2[ServicePort, Endpoint] {
	return func(yield func(ServicePort, Endpoint) bool) {
		for name, p := range v.ports {
			for it := range p.Items.All {
				if !yield(name, endpointOf(it.Claim)) {
					return
				}
			}
		}
	}
}

// ports yields all ports of all Services.
func (v View) ports(yield func(ServicePort, *view.Port) bool) {
	for s := range v.at().Services.All {
		for p := range (*s).Ports.All {
			if !yield(portOf(*s, *p), *p) {
				return
			}
		}
	}
}

func portOf(s *view.Service, p *view.Port) ServicePort {
	return ServicePort{Service: s.Name, Port: p.Name, Protocol: p.Protocol, AllPorts: p.All}
}

// Conflicts yields the addresses and port numbers about which slices disagree. Slices with equal
// copies of an endpoint do not disagree. An endpoint has equal copies while it moves, for example.
// The time is proportional to the number of ports. For each port at which two slices have the same
// address and port number, it is also proportional to the endpoints of the port.
func (v View) Conflicts() iter.Seq[Conflict] {
	return func(yield func(Conflict) bool) {
		for name, p := range v.ports {
			if p.Conflicts == 0 {
				continue
			}
			for it := range p.Items.All {
				if it.Conflict == nil {
					continue
				}
				if c := conflictOf(name, it); c.Losers != nil && !yield(c) {
					return
				}
			}
		}
	}
}

// Problems returns what was skipped, and why. First come the problems of the last Flush or Merge
// that are not inside a slice, such as a nil slice, or a name that is in a list twice. Then come
// the problems of all slices, by the slice's namespace and name. The list is the caller's, and nil
// if there are none. The time is proportional to the number of slices and of their problems.
func (v View) Problems() Problems {
	all := slices.Clip(v.at().Unnamed)
	for s := range v.at().Slices.All {
		for _, p := range (*s).Problems {
			all = append(all, p.InSlice((*s).Name))
		}
	}
	return problemsOf(all)
}

// PortEndpoint is an endpoint with its service port.
type PortEndpoint struct {
	Port     ServicePort // the port that Endpoint is behind
	Endpoint Endpoint    // one address and port number of the target
}

// ByTarget yields the endpoints of a Service in groups, one for each target. It is for readers that
// list a Pod once, with all of its addresses and ports.
//
//   - Targets are the same if their UIDs are equal. Targets without a UID are the same if kind,
//     namespace and name are equal. An address without a target forms a group by itself.
//   - Groups are in the order of their first address. In a group, endpoints are in the order of
//     addresses, then of ports. The groups are the caller's.
//   - Two targets can have the same address and port number, for example Pods with hostNetwork on
//     one node. Then only the winner is shown. [Targets] returns both.
func (v View) ByTarget(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return func(yield func([]PortEndpoint) bool) {
		groups := map[any][]PortEndpoint{}
		s := v.at().Service(service)
		for p := range s.Ports.All {
			for it := range (*p).Items.All {
				k := targetOf(it.Endpoint)
				groups[k] = append(groups[k], PortEndpoint{Port: portOf(s, *p), Endpoint: endpointOf(it.Claim)})
			}
		}
		for _, members := range groups {
			slices.SortFunc(members, comparePlaces)
		}
		for _, members := range slices.SortedFunc(maps.Values(groups), func(a, b []PortEndpoint) int {
			return comparePlaces(a[0], b[0])
		}) {
			if !yield(members) {
				return
			}
		}
	}
}

// comparePlaces orders by address, then by port.
func comparePlaces(a, b PortEndpoint) int {
	x, y := a.Endpoint, b.Endpoint
	return cmp.Or(address.Of(x.Address).Compare(address.Of(y.Address)), strings.Compare(x.FQDN, y.FQDN),
		a.Port.Compare(b.Port), cmp.Compare(x.Port, y.Port))
}

// targetOf returns a key for the object that an endpoint stands for: the UID, or the Target, or, if
// it has neither, the address.
func targetOf(e *content.Endpoint) any {
	switch {
	case e.TargetUID != "":
		return e.TargetUID
	case e.TargetName != "":
		return e.Target()
	default:
		return [...]any{e.Host, e.FQDN}
	}
}

// Conflict is an address and port number about which slices disagree.
type Conflict struct {
	Port   ServicePort // the port that the address is behind
	Winner Endpoint    // the copy that a View shows
	// Losers are the copies that differ from Winner in at least one field, in the order of
	// preference. There is at least one.
	Losers []Loser
}

// Loser is a copy that the winner of its address and port number hides.
type Loser struct {
	Endpoint Endpoint   // the copy, as its slice has it
	Reason   LossReason // why it lost
	// Fields are the fields in which the copy differs from the winner.
	Fields Fields
}

// String returns the service port, the winner and its slice, and for each loser its slice, reason
// and fields.
func (c Conflict) String() string {
	losers := make([]string, len(c.Losers))
	for i, l := range c.Losers {
		losers[i] = fmt.Sprintf("%s (%v: %v)", l.Endpoint.Slice, l.Reason, l.Fields)
	}
	return fmt.Sprintf("%v %v: %s over %s", c.Port, c.Winner, c.Winner.Slice, strings.Join(losers, ", "))
}

// LossReason is why a copy lost, either to a copy with the same target or to the winner.
type LossReason string

const (
	// OlderSlice: a newer slice has the same target at this address and port number. The copy in
	// that slice is the winner or another loser.
	OlderSlice LossReason = "OlderSlice"
	// Terminating: the winner is not terminating.
	Terminating LossReason = "Terminating"
	// NotReady: the winner is ready.
	NotReady LossReason = "NotReady"
	// NotServing: the winner is serving.
	NotServing LossReason = "NotServing"
	// LaterName: both copies are equal in terminating, ready and serving, and the name of the
	// winner's slice sorts first. If both copies are in one slice, the winner's other fields sort
	// first.
	LaterName LossReason = "LaterName"
)

// conflictOf returns the Conflict of an item that several slices have. It has no losers if all
// copies are equal.
func conflictOf(port ServicePort, item *view.Item) Conflict {
	c := Conflict{Port: port, Winner: endpointOf(item.Claim)}
	for _, l := range item.Conflict.Losers {
		if fields := Fields(item.Differences(l.Claim)); fields != 0 {
			c.Losers = append(c.Losers, Loser{Endpoint: endpointOf(l.Claim), Reason: LossReason(l.Reason),
				Fields: fields})
		}
	}
	return c
}

// Pointers returns a pointer to each value of a list, in the order of the list. Typed clients
// return values and this package takes pointers, so pass Pointers(list.Items). The pointers point
// into the list. nil and an empty list give an empty list.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
