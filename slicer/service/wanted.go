package service

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// families are the address types that a Service can have. A position in it stands for a family.
var families = [...]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// perFamily says something of each family.
type perFamily [len(families)]bool

// derivation turns workloads into wanted endpoints.
type derivation struct {
	service *corev1.Service
	options Options
	ports   portSets
	types   perFamily          // those that slices may have
	joined  map[int32][]string // the addresses of a wanted endpoint that has several, except the first

	publishNotReady bool
	skips           []Skip
	current         int // the workload that is read

	// The workloads: one of the two.
	pods     []*corev1.Pod
	backends []Backend

	podTarget corev1.ObjectReference // what the targetRefs of all Pods have in common
	flags     [2]bool                // what conditions point to: false and true
	sink      int                    // see prefetch.go
	*memory

	// How wanted endpoints are found by their address; see addresses.go.
	last      uint32 // the number of the newest wanted endpoint's address
	ascending bool   // these numbers ascend
	indexed   bool   // the table is filled
	searches  int    // made without it
	cursor    int32  // the wanted endpoint after the last that was found
	misses    int    // slices' endpoints, one after the other, that were not the one at the cursor
}

// workload is a Pod or a Backend in the one form that endpoints are made of.
type workload struct {
	pod                 *corev1.Pod // nil for a Backend
	name                string      // of the target
	uid                 types.UID
	addresses           []string
	declared            []BackendPort
	place               int32 // in places.known
	hostname, subdomain string
	ready, terminating  bool
}

// wanted is an endpoint before it is made: one address of a workload. What is needed to find out whether a slice has it
// already lies together, in less than a line of a cache.
type wanted struct {
	name     string    // of the target
	uid      types.UID // of the target
	ip       uint32    // the address, where it is a canonical IPv4 text; else 0
	workload int32
	text     int32 // the canonical address in texts; none: it is the workload's first address as that is spelt
	set      int32 // of ports
	place    int32 // in places.known
	family   uint8
	state    packedState
	given    bool // it is in the groups already
}

// address returns the address of a wanted endpoint, in its canonical spelling.
func (d *derivation) address(w *wanted) string {
	switch {
	case w.text != none:
		return d.texts[w.text]
	case d.pods == nil:
		return d.backends[w.workload].first()
	case len(d.pods[w.workload].Status.PodIPs) > 0:
		return d.pods[w.workload].Status.PodIPs[0].IP
	default:
		return d.pods[w.workload].Status.PodIP
	}
}

// packedState is a conditions.State in a byte.
type packedState uint8

func pack(s conditions.State) packedState {
	return packedState(bit(s.Ready) | bit(s.Serving)<<1 | bit(s.Terminating)<<2)
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func (s packedState) ready() bool       { return s&1 != 0 }
func (s packedState) serving() bool     { return s&2 != 0 }
func (s packedState) terminating() bool { return s&4 != 0 }

func newDerivation(svc *corev1.Service, o Options, m *memory) *derivation {
	d := &derivation{
		service: svc, options: o, memory: m,
		ports:     newPortSets(svc.Spec.Ports, o.DeclaredPortsOnly),
		podTarget: corev1.ObjectReference{Kind: "Pod", Namespace: svc.Namespace},
		flags:     [2]bool{false, true},

		publishNotReady: svc.Spec.PublishNotReadyAddresses && !o.IgnorePublishNotReady,
		ascending:       true,
	}
	for i, addressType := range families {
		if len(o.AddressTypes) > 0 {
			d.types[i] = slices.Contains(o.AddressTypes, addressType)
		} else {
			d.types[i] = wants(svc, addressType)
		}
	}
	return d
}

// publish notes the endpoints of a workload, one for each address of a wanted type.
func (d *derivation) publish(w *workload) {
	set := d.ports.of(w.declared)
	if !d.ports.fixed && !d.publishWithout(set, w.pod) {
		return
	}
	if w.subdomain == d.service.Name && w.hostname != "" {
		w.place = d.places.named(w.place, w.hostname)
	}
	state := pack(conditions.New(w.ready, w.terminating, d.publishNotReady))
	var has perFamily
	first := [len(families)]int32{none, none} // the wanted endpoint of each family
	for i, address := range w.addresses {
		family, ip, canonical := familyOf(address)
		if family < 0 {
			d.skip(Skip{Pod: w.pod, Reason: NotAnIP, Address: address})
			continue
		}
		again := has[family]
		has[family] = true
		if again && d.options.JoinAddresses {
			d.join(first[family], canonical)
			continue
		}
		if d.types[family] {
			first[family] = int32(len(d.wanted))
			d.ascending = d.ascending && ip > d.last
			d.last = ip
			text := int32(none)
			if i > 0 || canonical != address || d.options.Addresses != nil {
				text = int32(len(d.texts))
				d.texts = append(d.texts, canonical)
			}
			d.wanted = append(d.wanted, wanted{
				name: w.name, uid: w.uid, ip: ip, workload: int32(d.current), text: text,
				set: set, place: w.place, family: uint8(family), state: state,
			})
		}
	}
	if has != d.types && has != (perFamily{}) {
		d.skipMissingTypes(has, w.pod)
	}
}

// join adds an address to a wanted endpoint that does not have it yet.
func (d *derivation) join(i int32, address string) {
	if i == none || d.address(&d.wanted[i]) == address || slices.Contains(d.joined[i], address) {
		return
	}
	if d.joined == nil {
		d.joined = map[int32][]string{}
	}
	d.joined[i] = append(d.joined[i], address)
}

// skipMissingTypes tells which wanted types a workload has no address of, if it has one of the other type.
func (d *derivation) skipMissingTypes(has perFamily, pod *corev1.Pod) {
	for i, addressType := range families {
		if d.types[i] && !has[i] {
			d.skip(Skip{Pod: pod, Reason: NoAddressOfType, AddressType: addressType})
		}
	}
}

// publishWithout reports whether a workload is published although it may lack some of the ports, and tells which it lacks.
func (d *derivation) publishWithout(set int32, pod *corev1.Pod) bool {
	for i, number := range d.ports.sets[set] {
		switch port := &d.service.Spec.Ports[i]; {
		case number != 0:
		case d.options.SkipUnresolved:
			d.skip(Skip{Pod: pod, Reason: PortMissing, Port: port})
			return false
		default:
			d.skip(Skip{Pod: pod, Reason: PortLeftOut, Port: port})
		}
	}
	return true
}

func (d *derivation) skip(s Skip) {
	s.Index = d.current
	if d.backends != nil {
		s.Name = d.backends[d.current].Name
	}
	d.skips = append(d.skips, s)
}

// make makes a wanted endpoint.
func (d *derivation) make(i int32, e *discoveryv1.Endpoint) {
	w := &d.wanted[i]
	place := &d.places.known[w.place]
	*e = discoveryv1.Endpoint{
		Addresses: d.addressesOf(i),
		Conditions: discoveryv1.EndpointConditions{
			Ready: d.flag(w.state.ready()), Serving: d.flag(w.state.serving()), Terminating: d.flag(w.state.terminating()),
		},
		Hostname: place.hostname, NodeName: place.node, Zone: place.zone,
	}
	if place.target != nil {
		ref := d.targets.next()
		*ref = *place.target
		ref.Name, ref.UID, ref.ResourceVersion = w.name, w.uid, ""
		e.TargetRef = ref
	}
}

// addressesOf lists the addresses of a wanted endpoint.
func (d *derivation) addressesOf(i int32) []string {
	if more := d.joined[i]; more != nil {
		return append([]string{d.address(&d.wanted[i])}, more...)
	}
	list := d.lists.next()
	list[0] = d.address(&d.wanted[i])
	return list[:]
}

// changed is when a wanted endpoint last started or stopped serving, zero where that is not known.
func (d *derivation) changed(i int32) time.Time {
	n := d.wanted[i].workload
	if d.pods == nil {
		return d.backends[n].Changed
	}
	if ready := conditions.ReadyCondition(d.pods[n]); ready != nil {
		return ready.LastTransitionTime.Time
	}
	return time.Time{}
}

func (d *derivation) flag(value bool) *bool { return &d.flags[bit(value)] }

// familyOf returns an address's position in families, -1 if it is no IP, and its canonical spelling; and where that is
// how an IPv4 address is spelt, its number, else 0.
func familyOf(address string) (family int, ip uint32, canonical string) {
	if ip, ok := endpoint.IPv4(address); ok {
		return 0, ip, address
	}
	return slices.Index(families[:], endpoint.AddressType(address)), 0, endpoint.Canonical(address)
}
