package slicer

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// serviceTypes are the address types that a Service can have. A position in it stands for a family.
var serviceTypes = [...]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// perFamily says something of each family.
type perFamily [len(serviceTypes)]bool

// derivation turns workloads into groups of endpoints. What the endpoints point to lies in a few arrays, for an
// allocation per Pod would cost more than everything else.
type derivation struct {
	service *corev1.Service
	options ServiceOptions
	ports   portSets
	wanted  perFamily
	skips   []Skip
	later   bool // endpoints may be left in the scratch without being made
	*Scratch

	total, at int // how many workloads there are, and which one this is
	published int // how many became endpoints

	flags [2]bool // what conditions point to: false and true
}

// workload is a Pod or a Backend in the one form that endpoints are made of.
type workload struct {
	pod                 *corev1.Pod // nil for a Backend
	targetRef           *corev1.ObjectReference
	addresses           []string
	declared            []BackendPort
	place               *place // nil for a Backend
	node, zone          *string
	hostname, subdomain string
	ready, terminating  bool
}

func newDerivation(svc *corev1.Service, o ServiceOptions, total int) *derivation {
	d := &derivation{
		service: svc, options: o, total: total,
		ports:   newPortSets(svc.Spec.Ports, o.DeclaredPortsOnly),
		flags:   [2]bool{false, true},
		Scratch: o.Scratch,
	}
	if d.Scratch == nil {
		d.Scratch = &Scratch{}
	}
	d.reset()
	for i, addressType := range serviceTypes {
		if len(o.AddressTypes) > 0 {
			d.wanted[i] = slices.Contains(o.AddressTypes, addressType)
		} else {
			d.wanted[i] = wants(svc, addressType)
		}
	}
	return d
}

// publish makes the endpoints of a workload, one for each address of a wanted type, or leaves them for later.
func (d *derivation) publish(w *workload) {
	set := d.ports.of(w.declared)
	if !d.ports.whole(set) && !d.publishWithout(set, w.pod) {
		return
	}
	var has, none perFamily
	var first *discoveryv1.Endpoint
	later, published := d.later && w.place.plain && !d.named(w), false
	for _, address := range w.addresses {
		family, ip, canonical := familyOf(address)
		if family < 0 {
			d.skip(Skip{Pod: w.pod, Reason: NotAnIP, Address: address})
			continue
		}
		has[family] = true
		if !d.wanted[family] {
			continue
		}
		published = true
		if later && ordinaryIPv4(ip) {
			d.record(w, ip, canonical, set)
			continue
		}
		e := d.families[family].next(set, d)
		if first != nil {
			*e = *first
		} else {
			first = e
			d.describe(e, w)
		}
		e.Addresses = d.list(canonical)
	}
	if published {
		d.published++
	}
	if has != d.wanted && has != none {
		d.skipMissingTypes(has, w.pod)
	}
}

// skipMissingTypes tells which wanted types a workload has no address of, if it has one of the other type.
func (d *derivation) skipMissingTypes(has perFamily, pod *corev1.Pod) {
	for i, addressType := range serviceTypes {
		if d.wanted[i] && !has[i] {
			d.skip(Skip{Pod: pod, Reason: NoAddressOfType, AddressType: addressType})
		}
	}
}

// publishWithout reports whether a workload that lacks some of the ports is published, and tells which it lacks.
func (d *derivation) publishWithout(set int32, pod *corev1.Pod) bool {
	for i, number := range d.ports.sets[set] {
		switch port := &d.service.Spec.Ports[i]; {
		case number != 0:
		case d.options.UnresolvedPort == SkipUnresolved:
			d.skip(Skip{Pod: pod, Reason: PortMissing, Port: port})
			return false
		default:
			d.skip(Skip{Pod: pod, Reason: PortLeftOut, Port: port})
		}
	}
	return true
}

// describe fills in all that the endpoints of a workload have in common.
func (d *derivation) describe(e *discoveryv1.Endpoint, w *workload) {
	state := conditions.New(w.ready, w.terminating, d.service.Spec.PublishNotReadyAddresses)
	*e = discoveryv1.Endpoint{
		Conditions: discoveryv1.EndpointConditions{
			Ready: d.flag(state.Ready), Serving: d.flag(state.Serving), Terminating: d.flag(state.Terminating),
		},
		NodeName: w.node, Zone: w.zone,
	}
	if d.named(w) {
		e.Hostname = d.text(w.hostname)
	}
	switch {
	case w.pod != nil:
		e.TargetRef = &d.refs.next(d)[0]
		ref := e.TargetRef
		ref.Kind, ref.Namespace, ref.Name, ref.UID = "Pod", d.service.Namespace, w.pod.Name, w.pod.UID
		ref.APIVersion, ref.ResourceVersion, ref.FieldPath = "", "", ""
	case w.targetRef != nil:
		e.TargetRef = &d.refs.next(d)[0]
		*e.TargetRef = *w.targetRef
	}
}

// named reports whether a workload's hostname is published.
func (d *derivation) named(w *workload) bool {
	return w.subdomain == d.service.Name && w.hostname != ""
}

func (d *derivation) flag(value bool) *bool {
	if value {
		return &d.flags[1]
	}
	return &d.flags[0]
}

// text returns a pointer to a copy of s, or nil for none.
func (d *derivation) text(s string) *string {
	if s == "" {
		return nil
	}
	text := &d.texts.next(d)[0]
	*text = s
	return text
}

// list returns a list of one address, which appending to does not grow in place.
func (d *derivation) list(address string) []string {
	list := d.addresses.next(d)
	list[0] = address
	return list
}

// room is how many more workloads will be published, if the rest are like those before: a caller that passes the Pods
// of a whole cluster must not pay memory for all of them.
func (d *derivation) room() int {
	const few = 64
	rest := d.total - d.at
	if d.at < few {
		return min(rest, few)
	}
	return min(rest, few+int(uint64(d.published)*uint64(rest)/uint64(d.at)))
}

func (d *derivation) skip(s Skip) {
	s.Index = d.at
	d.skips = append(d.skips, s)
}

// familyOf returns an address's position in serviceTypes, -1 if it is no IP, and its canonical spelling; and where that is
// how an IPv4 address is spelt, its number, else 0.
func familyOf(address string) (family int, ip uint32, canonical string) {
	if ip, ok := endpoint.IPv4(address); ok {
		return 0, ip, address
	}
	return slices.Index(serviceTypes[:], endpoint.AddressType(address)), 0, endpoint.Canonical(address)
}
