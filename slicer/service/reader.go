package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/slicer"
)

// reader says which endpoints a workload wants. It remembers what it found out about Nodes and ports.
type reader struct {
	*rules
	workloads
	places      places
	ports       portSets
	selector    []requirement
	publishLost bool // publish Pods without Node

	// What one workload has is listed in these.
	listed   []string
	declared []BackendPort
}

// workload is a Pod or a Backend in the one form that endpoints are made of.
type workload struct {
	index               int32
	pod                 *corev1.Pod // nil for a Backend
	addresses           []string
	declared            []BackendPort
	place               int32 // of a Pod's Node, in places.known
	hostname, subdomain string
	ready, terminating  bool
}

// begin makes ready to read workloads. node finds Nodes, and is not used for Backends.
func (r *reader) begin(rules *rules, of workloads, node func(name string) *corev1.Node) {
	*r = reader{
		rules: rules, workloads: of, places: r.places, selector: r.selector[:0], listed: r.listed, declared: r.declared,
		ports:       newPortSets(rules.service.Spec.Ports, rules.options.DeclaredPortsOnly),
		publishLost: rules.options.PublishWithoutZone || rules.publishNotReady,
	}
	r.places.begin(node)
	for name, value := range r.service.Spec.Selector {
		r.selector = append(r.selector, requirement{name, value})
	}
}

// read appends the endpoints of a workload that are of the given families, and what of it is not published. It returns the
// other families of which it wants endpoints.
func (r *reader) read(i int32, of familySet, w *wanted) (others familySet) {
	from := workload{index: i}
	var reason slicer.SkipReason
	var err error
	if r.pods == nil {
		reason, err = r.readBackend(&from)
	} else {
		reason, err = r.readPod(&from)
	}
	switch reason {
	case "":
		return r.publish(&from, of, w)
	case notSelected:
	default:
		w.skip(&from, slicer.Skip{Reason: reason, Err: err, Retry: from.retry(reason)})
	}
	return 0
}

// retry reports whether it helps to read the workload again although it does not change.
func (from *workload) retry(reason slicer.SkipReason) bool {
	return reason == AddressesUnread ||
		reason == NodeMissing && from.pod.Spec.NodeName != "" && from.pod.DeletionTimestamp == nil
}

// seen is what is known of a workload's endpoints already.
type seen struct {
	done familySet // nothing more of these families is to be published
	left bool      // a matcher leaves them to readRest
}

// readRest appends the endpoints that workloads want beside what is known, in their order.
func (r *reader) readRest(all []seen, w *wanted) {
	if r.pods == nil { // else few may be of the Service
		w.endpoints = slices.Grow(w.endpoints, rest(all))
	}
	for i, seen := range all {
		if seen.done == allFamilies {
			continue
		}
		skips := len(w.skips)
		r.read(int32(i), allFamilies&^seen.done, w)
		if seen.done != 0 { // its skips are known
			w.skips = w.skips[:skips]
		}
	}
}

// rest counts the workloads that are not done.
func rest(all []seen) (n int) {
	for i := range all {
		if all[i].done != allFamilies {
			n++
		}
	}
	return n
}

// publish appends the endpoints of a workload, one for each address of a wanted type and family.
func (r *reader) publish(from *workload, of familySet, w *wanted) (others familySet) {
	set := r.ports.of(from.declared)
	if !r.ports.fixed && !r.publishWithout(set, from, w) {
		return 0
	}
	start := len(w.endpoints)
	var first [len(families)]int32 // the wanted endpoint of each family
	made := wantedEndpoint{
		workload: from.index, set: set, place: from.place, named: from.subdomain == r.service.Name,
		state: pack(conditions.New(from.ready, from.terminating, r.publishNotReady)),
	}
	var has familySet
	for i, address := range from.addresses {
		family, canonical := familyOf(address)
		if family < 0 {
			w.skip(from, slicer.Skip{Reason: NotAnIP, Address: address, Err: errNotAnIP})
			continue
		}
		again := has.has(family)
		has |= only(family)
		switch {
		case !of.has(family) || !r.types.has(family):
		case again && r.options.JoinAddresses:
			w.join(first[family], canonical)
		default:
			first[family] = int32(len(w.endpoints))
			made.family, made.text = uint8(family), none
			if i > 0 || canonical != address || r.options.Addresses != nil {
				made.text = int32(len(w.texts))
				w.texts = append(w.texts, canonical)
			}
			w.endpoints = append(w.endpoints, made)
		}
	}
	for i := start; i < len(w.endpoints) && r.options.JoinAddresses; i++ {
		w.unite(int32(i))
	}
	if has != 0 {
		skipMissing(r.types&^has, from, w)
	}
	return has & r.types &^ of
}

// skipMissing tells of which wanted families a workload that has an address has none.
func skipMissing(missing familySet, from *workload, w *wanted) {
	for i, addressType := range families {
		if missing.has(i) {
			w.skip(from, slicer.Skip{Reason: NoAddressOfType, AddressType: addressType, Err: missingType(addressType)})
		}
	}
}

// publishWithout reports whether a workload is published although it may lack some of the ports, and tells which it lacks.
func (r *reader) publishWithout(set int32, from *workload, w *wanted) bool {
	for i, number := range r.ports.sets[set] {
		switch port := &r.service.Spec.Ports[i]; {
		case number != 0:
		case r.options.SkipUnresolved:
			w.skip(from, slicer.Skip{Reason: PortMissing, Port: portText(port), Err: missingPort(portText(port))})
			return false
		default:
			w.skip(from, slicer.Skip{Reason: PortLeftOut, Port: portText(port), Err: missingPort(portText(port))})
		}
	}
	return true
}

// release forgets all workloads.
func (r *reader) release() {
	r.places.release()
	clear(r.selector)
	clear(r.listed[:cap(r.listed)])
	clear(r.declared[:cap(r.declared)])
	*r = reader{places: r.places, selector: r.selector[:0], listed: r.listed[:0], declared: r.declared[:0]}
}
