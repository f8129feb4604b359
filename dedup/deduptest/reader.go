package deduptest

import (
	"cmp"
	"fmt"
	"net"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// Reader is the code under test. Its functions are called by one goroutine.
type Reader struct {
	// Event is called with the arguments of an informer's handler. The slices are shared with the
	// informer's cache, so the reader must not change them. If the handler takes interfaces, pass
	// nil for an Old or New that is nil.
	Event func(Event)
	// See returns the endpoints that the reader shows now, of all Services, in any order. If the
	// reader works in the background, See must wait until it has handled all events. The kit
	// neither changes nor keeps the list.
	See func() []Seen
	// Use returns the endpoints of See to which a client at a location sends traffic. In each
	// service port and address family, these are the endpoints with a hint for its node, if there
	// are any and all endpoints have hints for nodes. Otherwise the same rule holds for its zone.
	// Otherwise they are all endpoints. If Use is nil, the reader ignores hints.
	Use func(at routing.Location) []Seen
}

// Event is one call of an informer's handler: OnAdd, OnUpdate or OnDelete. A resync calls OnUpdate
// with two equal slices. Slices are as the API server stores them. The first list is sorted by
// namespace and name. A ready endpoint may be terminating or not serving
// (publishNotReadyAddresses). Any condition may be nil.
type Event struct {
	// Old is the slice as the reader knows it. It is nil for OnAdd.
	Old *discoveryv1.EndpointSlice
	// New is the present slice. It is nil for OnDelete.
	New *discoveryv1.EndpointSlice
	// Tombstone is true if the watch missed the delete, so Old may be older than the slice that was
	// deleted. client-go passes a cache.DeletedFinalStateUnknown with the key and Old.
	Tombstone bool
}

// Seen is one endpoint behind one port of one Service, as the reader shows it.
type Seen struct {
	// Service is the value of the slice's label kubernetes.io/service-name, and the slice's
	// namespace.
	Service types.NamespacedName
	// Port is the name of the slice's port, often empty. Protocol is never empty.
	Port     string
	Protocol corev1.Protocol
	// Address is the first address of the endpoint, in any spelling.
	Address string
	// Number is the slice's port number; 0 stands for any port.
	Number int32
	// State is ready, draining or unready, or empty if the reader does not show it. Draining is not
	// ready, but serving and terminating. A condition that is nil counts as the API says: ready and
	// serving as true, terminating as false.
	State string
}

const (
	isReady    = "ready"
	isDraining = "draining"
	isUnready  = "unready"
)

// stateOf returns the state that conditions mean.
func stateOf(c discoveryv1.EndpointConditions) string {
	switch s := conditions.Of(c); {
	case s.Ready:
		return isReady
	case s.Serving && s.Terminating:
		return isDraining
	}
	return isUnready
}

// text returns namespace/name:port/protocol host:number state. IPv6 addresses are in brackets, *
// stands for number 0, and an empty state is left out.
func (s Seen) text() string {
	number := "*"
	if s.Number != 0 {
		number = fmt.Sprint(s.Number)
	}
	text := fmt.Sprintf("%s:%s/%s %s %s", s.Service, s.Port, s.Protocol, net.JoinHostPort(s.Address, number), s.State)
	return strings.TrimSuffix(text, " ")
}

// compare orders the endpoints that are seen, for printing.
func (s Seen) compare(t Seen) int {
	return cmp.Or(compareNames(s.Service, t.Service), cmp.Compare(s.Port, t.Port), cmp.Compare(s.Protocol, t.Protocol),
		cmp.Compare(s.Address, t.Address), cmp.Compare(s.Number, t.Number), cmp.Compare(s.State, t.State))
}

// place returns the place: s without the state, with the address in canonical spelling. No place
// may be seen twice.
func (s Seen) place() Seen {
	s.Address, s.State = sim.Canonical(s.Address), ""
	return s
}

// port returns only the service port.
func (s Seen) port() Seen {
	s.Address = ""
	s.Number = 0
	s.State = ""
	return s
}

// family returns the service port, with the address family as the Address.
func (s Seen) family() Seen {
	f := s.port()
	switch _, isIP := sim.LenientIP(s.Address); {
	case !isIP:
		f.Address = "FQDN"
	case strings.Contains(s.Address, ":"):
		f.Address = "IPv6"
	default:
		f.Address = "IPv4"
	}
	return f
}
