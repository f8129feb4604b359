package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
)

// workload is a Pod or a Backend in the one form that endpoints are made of.
type workload struct {
	index               int         // in pods or backends
	pod                 *corev1.Pod // nil for a Backend
	label               string      // Backend.Name; empty for a Pod
	name                string      // of the target
	uid                 types.UID
	addresses           []string
	declared            []BackendPort
	place               int32 // in places.known
	hostname, subdomain string
	ready, terminating  bool
}

// reader turns workloads into wanted endpoints, one after the other.
type reader struct {
	w    *wanted // what was read so far
	last uint32  // the number of the newest wanted endpoint's address
}

// newReader makes ready to read workloads that want about so many endpoints. What they want lies in the memory of w.
func newReader(r *rules, from workloads, endpoints int, w *wanted) reader {
	*w = wanted{
		rules: r, workloads: from, endpoints: slices.Grow(w.endpoints[:0], endpoints), ascending: true,
		texts: w.texts[:0], places: w.places, ports: newPortSets(r.service.Spec.Ports, r.options.DeclaredPortsOnly),
	}
	return reader{w: w}
}

// publish notes the endpoints of a workload, one for each address of a wanted type.
func (r *reader) publish(from *workload) {
	w := r.w
	set := w.ports.of(from.declared)
	if !w.ports.fixed && !r.publishWithout(set, from) {
		return
	}
	if from.subdomain == w.service.Name && from.hostname != "" {
		from.place = w.places.named(from.place, from.hostname)
	}
	state := pack(conditions.New(from.ready, from.terminating, w.publishNotReady))
	var has perFamily
	first := [len(families)]int32{none, none} // the wanted endpoint of each family
	for i, address := range from.addresses {
		family, ip, canonical := familyOf(address)
		if family < 0 {
			r.skip(from, Skip{Reason: NotAnIP, Address: address})
			continue
		}
		again := has[family]
		has[family] = true
		if again && w.options.JoinAddresses {
			r.join(first[family], canonical)
			continue
		}
		if w.types[family] {
			first[family] = int32(len(w.endpoints))
			w.ascending = w.ascending && ip > r.last
			r.last = ip
			text := int32(none)
			if i > 0 || canonical != address || w.options.Addresses != nil {
				text = int32(len(w.texts))
				w.texts = append(w.texts, canonical)
			}
			w.endpoints = append(w.endpoints, wantedEndpoint{
				name: from.name, uid: from.uid, ip: ip, workload: int32(from.index), text: text,
				set: set, place: from.place, family: uint8(family), state: state,
			})
		}
	}
	if has != w.types && has != (perFamily{}) {
		r.skipMissingTypes(has, from)
	}
}

// join adds an address to a wanted endpoint that does not have it yet.
func (r *reader) join(i int32, address string) {
	if i == none || r.w.address(i) == address || slices.Contains(r.w.joined[i], address) {
		return
	}
	if r.w.joined == nil {
		r.w.joined = map[int32][]string{}
	}
	r.w.joined[i] = append(r.w.joined[i], address)
}

// skipMissingTypes tells which wanted types a workload has no address of, if it has one of the other type.
func (r *reader) skipMissingTypes(has perFamily, from *workload) {
	for i, addressType := range families {
		if r.w.types[i] && !has[i] {
			r.skip(from, Skip{Reason: NoAddressOfType, AddressType: addressType})
		}
	}
}

// publishWithout reports whether a workload is published although it may lack some of the ports, and tells which it lacks.
func (r *reader) publishWithout(set int32, from *workload) bool {
	for i, number := range r.w.ports.sets[set] {
		switch port := &r.w.service.Spec.Ports[i]; {
		case number != 0:
		case r.w.options.SkipUnresolved:
			r.skip(from, Skip{Reason: PortMissing, Port: port})
			return false
		default:
			r.skip(from, Skip{Reason: PortLeftOut, Port: port})
		}
	}
	return true
}

// skip notes what of a workload is not published.
func (r *reader) skip(from *workload, s Skip) {
	s.Index, s.Pod, s.Name = from.index, from.pod, from.label
	r.w.skips = append(r.w.skips, s)
}
