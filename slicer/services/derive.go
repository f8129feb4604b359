package services

import (
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// derivation makes an Input from workloads, which are Pods or Backends, one after the other. The
// Input points into the memory of the derivation. The function Input leaves this memory to the
// caller. Plan takes a derivation from a pool, and clears it when slicer.Compute has made the plan.
//
// The calls of one plan:
//
//	derive       checks the call, and reads the Service and the Options
//	  readPods       selects Pods; readBackends reads all
//	    readPod        makes a Pod the current workload (from); readBackend does the same for a Backend
//	      publish        finds its group, and reports its ports, hostname and families that are left out
//	        addAddresses   appends its endpoints to the group
//	  result       sorts the groups, and adds the Set
type derivation struct {
	subject
	options         Options
	families        familySet // the wanted families
	publishNotReady bool

	nodes    nodeTable
	ports    portSets
	selector []requirement
	matcher  labels.Selector // of a Selection, in place of selector

	// from is the current workload. Its addresses and declared ports are in the memory of listed
	// and declared.
	from     workload
	listed   []string
	declared []BackendPort

	groups  []group // by family and port set: see groupOf
	input   []slicer.Group
	sources [][]int32 // for each group of input: its group.sources
	skips   []slicer.Skip

	backends []Backend // the argument of readBackends; nil for Pods

	memory endpointMemory
	forSet setMemory
}

// subject is a Service that is published. For a Selection, it is also the Selection, and service is
// a Service with the same endpoints.
type subject struct {
	service    *corev1.Service
	bySelector bool       // the selector of the Service chooses the workloads
	selection  *Selection // nil if a Service is published
}

// group has the endpoints of one family and port set.
type group struct {
	endpoints []discoveryv1.Endpoint
	changed   []time.Time // as in slicer.Group
	sources   []int32     // the indices of their workloads in the caller's list
}

// The pool saves about half of the time of a plan that changes nothing with 3 Pods.
var pool = sync.Pool{New: func() any { return &derivation{} }}

// derive returns the Input for a subject. It calls read to add the workloads to d, which must be
// clear. It checks pods; Backends need no check. The Input shares memory with d, the subject and
// the Options. With an error, the Input is zero.
func (d *derivation) derive(of subject, pods []*corev1.Pod, o Options, read func()) (slicer.Input, error) {
	if err := check(of, pods, o); err != nil {
		return slicer.Input{}, err
	}
	svc := of.service
	d.subject = of
	d.options = o
	d.memory.flags[1] = true // flags are shared by all endpoints: see flag
	d.publishNotReady = svc.Spec.PublishNotReadyAddresses && !o.IgnorePublishNotReady
	for i, addressType := range endpoint.Families {
		d.families[i] = slices.Contains(o.AddressTypes, addressType) ||
			len(o.AddressTypes) == 0 && wants(svc, addressType)
	}
	d.ports.begin(svc.Spec.Ports, o.DeclaredPortsOnly)
	if of.selection != nil {
		d.matcher, _ = metav1.LabelSelectorAsSelector(of.selection.Selector) // check has found no mistake in it
	}
	for name, value := range svc.Spec.Selector {
		d.selector = append(d.selector, requirement{name, value})
	}
	d.unknownDistribution()
	d.unknownTopologyMode()
	read()
	if err := d.nodes.check(); err != nil {
		return slicer.Input{}, err
	}
	return d.result(), nil
}

// readPods reads the Pods that d selects. node returns the Node of a name, or nil.
func (d *derivation) readPods(pods []*corev1.Pod, node func(name string) *corev1.Node) {
	d.nodes.ask = node
	if len(pods) > 0 && d.selects(pods[0]) { // the caller's list probably has only selected Pods
		d.reserve(len(pods))
	}
	for i, pod := range pods {
		if d.selects(pod) {
			d.readPod(i, pod)
		}
	}
}

func (d *derivation) readBackends(backends []Backend) {
	d.backends = backends
	d.reserve(len(backends))
	for i := range backends {
		d.readBackend(i, &backends[i])
	}
}

// reserve makes room for n workloads with one address each.
func (d *derivation) reserve(n int) {
	d.memory.targets, d.memory.ips = slices.Grow(d.memory.targets, n), slices.Grow(d.memory.ips, n)
	for family := range endpoint.Families {
		if d.ports.alike() && d.families[family] {
			g := d.groupOf(0, family)
			g.endpoints = slices.Grow(g.endpoints, n)
			g.changed = slices.Grow(g.changed, n)
			g.sources = slices.Grow(g.sources, n)
		}
	}
}

// publish adds the endpoints of the current workload.
func (d *derivation) publish() {
	set := d.ports.setFor(d.from.declared, d.from.numbers)
	// If all backends are alike, every targetPort is a number, so no port can be missing.
	if (!d.ports.alike() || len(d.from.numbers) > 0) && !d.skipPorts(set) {
		return
	}
	if has := d.addAddresses(set); has != (familySet{}) {
		d.skipHostname()
		d.skipFamilies(has)
	}
}

// skipPorts adds a Skip for each port of the Service that the current workload does not have. It
// returns false if the workload is not published for this reason.
func (d *derivation) skipPorts(set int32) bool {
	for i, number := range d.ports.numbers(set) {
		switch port := &d.service.Spec.Ports[i]; {
		case number != 0: // the workload has the port
		case d.options.SkipUnresolved:
			d.skip(slicer.Skip{Reason: PortMissing, Port: portText(port), Err: portMissing(port, &d.from)})
			return false
		default:
			d.skip(slicer.Skip{Reason: PortLeftOut, Port: portText(port), Err: portMissing(port, &d.from)})
		}
	}
	return true
}

// skipHostname adds a Skip for a hostname that cluster DNS does not serve, because the Pod has no
// subdomain.
func (d *derivation) skipHostname() {
	if d.from.list == "pods" && d.from.hostname != "" && d.from.subdomain == "" && d.selection == nil &&
		isHeadless(d.service) && d.hasPublished() {
		d.skip(slicer.Skip{Reason: HostnameLeftOut, Err: errNoSubdomain, Severity: slicer.Routine})
	}
}

// skipFamilies adds a Skip for each family of the Service for which the current workload has no
// address.
func (d *derivation) skipFamilies(has familySet) {
	if d.selection != nil && len(d.options.AddressTypes) == 0 {
		return // the Selection does not ask for a family
	}
	for i, addressType := range endpoint.Families {
		if d.families[i] && !has[i] {
			s := slicer.Skip{Reason: NoAddressOfType, AddressType: addressType, Err: errNoFamily[i]}
			if d.from.list == "backends" { // the caller may leave out a family that cannot serve
				s.Severity = slicer.Routine
			}
			d.skip(s)
		}
	}
}

// conditions returns the conditions of the endpoints of the current workload.
func (d *derivation) conditions() discoveryv1.EndpointConditions {
	m := &d.memory
	state := conditions.New(d.from.ready, d.from.terminating, d.publishNotReady)
	return discoveryv1.EndpointConditions{
		Ready: m.flag(state.Ready), Serving: m.flag(state.Serving), Terminating: m.flag(state.Terminating),
	}
}

// hostname returns the hostname of the endpoints of the current workload, or nil if they have none.
func (d *derivation) hostname() *string {
	if d.from.subdomain == d.service.Name || d.from.list == "backends" && d.from.subdomain == "" {
		return d.memory.text(d.from.hostname)
	}
	return nil
}

// skip adds a Skip about the current workload.
func (d *derivation) skip(s slicer.Skip) {
	s.Path = d.from.list + "[" + strconv.Itoa(d.from.index) + "]"
	if s.Object.Name = d.from.name; d.from.target != nil {
		s.Object = *d.from.target
	}
	d.skips = append(d.skips, s)
}

// groupOf returns the group of a port set and family.
func (d *derivation) groupOf(set int32, family int) *group {
	i := int(set)*len(endpoint.Families) + family
	if i >= len(d.groups) {
		d.groups = slices.Grow(d.groups, i+1-len(d.groups))[:i+1]
	}
	return &d.groups[i]
}

// result returns the Input. Its groups are sorted by family, then by the numbers of their ports.
func (d *derivation) result() slicer.Input {
	order := d.ports.sorted()
	for family, addressType := range endpoint.Families {
		for _, set := range order {
			if g := d.groupOf(set, family); len(g.endpoints) > 0 {
				if d.selection != nil && len(d.options.AddressTypes) == 0 {
					// Without a type, Compute takes the type from the addresses. With a type, there
					// would be a placeholder if no address is published.
					addressType = ""
				}
				d.input = append(d.input, slicer.Group{
					AddressType: addressType, Ports: d.ports.ports(set), Endpoints: g.endpoints, Changed: g.changed,
				})
				d.sources = append(d.sources, g.sources)
			}
		}
	}
	d.noZones()
	return slicer.Input{
		Set: d.set(), Groups: d.input, Hints: d.options.hintsOf(d.service), Options: d.options.Slices, Skips: d.skips,
	}
}

// release clears the part of the memory that was used.
func (d *derivation) release() {
	for i := range d.groups {
		g := &d.groups[i]
		clear(g.endpoints)
		clear(g.changed)
		g.endpoints = g.endpoints[:0]
		g.changed = g.changed[:0]
		g.sources = g.sources[:0]
	}
	d.nodes.release()
	d.ports.release()
	*d = derivation{
		nodes: d.nodes, ports: d.ports, memory: d.memory.emptied(), forSet: d.forSet.emptied(),
		groups: d.groups[:0], selector: empty(d.selector), listed: empty(d.listed), declared: empty(d.declared),
		input: empty(d.input), sources: empty(d.sources),
		skips: empty(d.skips),
	}
}

// empty clears the elements of a list, and returns it without elements.
func empty[T any](list []T) []T {
	clear(list)
	return list[:0]
}
