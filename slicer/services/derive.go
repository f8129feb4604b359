package services

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// FromPods returns what Kubernetes publishes for a Service: an endpoint for each Pod that the
// selector selects. Other Pods may be in the list. If the Service has no selector or is an
// ExternalName, the Input is Unmanaged: slices stay as they are, as in Kubernetes. If nodes is nil,
// no endpoint has a zone unless ZoneFromPod is set. Input.Hints has the mode that the Service asks
// for; for topology mode Auto, set Input.Hints.Weights.
//
// The error is a *field.Error for a mistake in the options or else in the Service, or it is the
// error of nodes. The Input is then zero.
func FromPods(svc *corev1.Service, pods []*corev1.Pod, nodes Nodes, o Options) (slicer.Input, error) {
	d := derivation{service: svc, bySelector: true, options: o}
	d.nodes.nodes = nodes
	return d.derive(pods, nil)
}

// derivation makes an Input from workloads, which are Pods or Backends, one after the other:
//
//	derive       checks the call, and reads the Service and the Options
//	  readPods       selects Pods; readBackends reads all
//	    readPod        makes a Pod the current workload (from); readBackend does the same for a Backend
//	      publish        finds its group, reports its ports, hostname and families that are left out,
//	                     and appends its endpoints to the group
//	  input        sorts the groups, and adds the rest
type derivation struct {
	// service is published. For a Selection, it is a Service with the same endpoints.
	service    *corev1.Service
	bySelector bool       // the selector of the Service chooses the workloads
	selection  *Selection // nil if a Service is published

	options         Options
	families        familySet // the wanted families
	publishNotReady bool

	nodes    nodeTable
	ports    portLists
	selector []requirement
	matcher  labels.Selector // of a Selection, in place of selector

	// from is the current workload. Its addresses and declared ports are in the memory of listed
	// and declared.
	from     workload
	listed   [2]string
	declared []containerPort
	few      [4]containerPort // memory of declared

	groups  [][]slicer.Endpoint // by list of ports and family: see groupOf
	left    int                 // the number of workloads that are not read yet
	values  []values            // memory of endpoints
	shared  *shared
	input   slicer.Input
	pending []slicer.Pending

	nodeFound       bool             // a Node of a ready Pod is found
	nodeless        []slicer.Pending // ready Pods whose Node is not found
	missing, unread waiting
}

// requirement is one label of a selector. A selector is kept as a list, because a range over its
// map for each Pod would cost more than all look-ups.
type requirement struct{ name, value string }

// values are what an endpoint points to and does not share with other workloads.
type values struct {
	target corev1.ObjectReference
	ips    [1]string
}

// shared is what endpoints and the rest of an Input point to.
type shared struct {
	flags  [2]bool // false, true
	types  [len(endpoint.Families)]discoveryv1.AddressType
	groups [len(endpoint.Families)]slicer.Group
	owners [1]metav1.OwnerReference
	yes    [2]bool

	endpoints [len(endpoint.Families)][]slicer.Endpoint // memory of derivation.groups
	selector  [4]requirement                            // memory of derivation.selector
}

// derive returns the Input. Either pods or backends are read.
func (d *derivation) derive(pods []*corev1.Pod, backends []Backend) (slicer.Input, error) {
	unmanaged, err := d.check(pods)
	if err != nil {
		return slicer.Input{}, err
	}
	svc := d.service
	d.input.Key = d.options.Key(nameOf(svc))
	if unmanaged {
		d.input.Unmanaged = true
		return d.input, nil
	}
	d.shared = &shared{flags: [2]bool{false, true}, yes: [2]bool{true, true}}
	d.publishNotReady = svc.Spec.PublishNotReadyAddresses
	for i, addressType := range endpoint.Families {
		d.families[i] = slices.Contains(d.options.AddressTypes, addressType) ||
			len(d.options.AddressTypes) == 0 && wants(svc, addressType)
	}
	d.ports.begin(svc.Spec.Ports)
	if d.selection != nil {
		d.matcher, _ = metav1.LabelSelectorAsSelector(d.selection.Selector) // check has found no mistake in it
	}
	d.selector = d.shared.selector[:0]
	for name, value := range svc.Spec.Selector {
		d.selector = append(d.selector, requirement{name, value})
	}
	d.aboutService()
	if d.fromPods() {
		d.readPods(pods)
	} else {
		d.readBackends(backends)
	}
	if d.nodes.err != nil {
		return slicer.Input{}, d.nodes.err
	}
	d.finish()
	return d.input, nil
}

// reserve makes room for n workloads with one address each.
func (d *derivation) reserve(n int) {
	d.left = n
	d.values = make([]values, 0, n)
	d.nodes.known = make([]knownNode, 0, n/4+fewNodes)
}

// groupOf returns the endpoints of a list of ports and a family.
func (d *derivation) groupOf(list int32, family int) *[]slicer.Endpoint {
	i := int(list)*len(endpoint.Families) + family
	if d.groups == nil {
		d.groups = d.shared.endpoints[:]
	}
	if i >= len(d.groups) {
		d.groups = slices.Grow(d.groups, i+1-len(d.groups))[:i+1]
	}
	return &d.groups[i]
}

// publish adds the endpoints of the current workload, which has a list of ports.
func (d *derivation) publish(list int32) {
	if !d.ports.alike() || len(d.from.given) > 0 { // else no port can be missing
		for i, number := range d.ports.numbers(list) {
			if number == 0 {
				d.warn("PortLeftOut", "", portMissing(&d.service.Spec.Ports[i], &d.from))
			}
		}
	}
	has, published := d.addAddresses(list)
	if has == (familySet{}) {
		return
	}
	if published && d.from.list == "pods" && d.from.hostname != "" && d.from.subdomain == "" && d.selection == nil &&
		isHeadless(d.service) {
		d.normal("HostnameLeftOut", errNoSubdomain)
	}
	d.missingFamilies(has)
}

// addAddresses adds endpoints with those addresses of the current workload whose families are
// wanted. It returns the families of all its addresses, and whether one is published.
func (d *derivation) addAddresses(list int32) (has familySet, published bool) {
	var target *corev1.ObjectReference
	e := discoveryv1.Endpoint{
		Conditions: d.conditions(), Hostname: d.hostname(), NodeName: d.from.node, Zone: d.from.zone,
	}
	for _, address := range d.from.addresses {
		family, canonical := familyOf(address)
		if family < 0 {
			d.warn("NotAnIP", address, notAnIP(address))
			continue
		}
		if has[family] = true; !d.families[family] {
			continue
		}
		d.values = append(d.values, values{ips: [1]string{canonical}})
		v := &d.values[len(d.values)-1]
		e.Addresses = v.ips[:]
		if target == nil && d.from.target != (corev1.ObjectReference{}) {
			v.target = d.from.target
			target = &v.target
		}
		e.TargetRef = target
		if refused := accept.Refuse(endpoint.OnlyIPv4(&e), &e, endpoint.Families[family], false); refused != nil {
			d.warn(string(refused.Part), canonical, refused.Err(d.path()))
			continue
		}
		g := d.groupOf(list, family)
		if *g == nil && list == 0 { // probably, all workloads have this list
			*g = make([]slicer.Endpoint, 0, d.left)
		}
		*g = append(*g, slicer.Endpoint{API: e, Changed: d.from.changed})
		published = true
	}
	return has, published
}

// missingFamilies adds a Notice for each family of the Service for which the current workload has
// no address.
func (d *derivation) missingFamilies(has familySet) {
	if d.selection != nil && len(d.options.AddressTypes) == 0 {
		return // the Selection does not ask for a family
	}
	for i := range endpoint.Families {
		switch {
		case !d.families[i] || has[i]:
		case d.from.list == "backends": // the caller may leave out a family that cannot serve
			d.normal("NoAddressOfType", errNoFamily[i])
		default:
			d.warn("NoAddressOfType", "", errNoFamily[i])
		}
	}
}

// conditions returns the conditions of the endpoints of the current workload.
func (d *derivation) conditions() discoveryv1.EndpointConditions {
	flag := func(value bool) *bool {
		if value {
			return &d.shared.flags[1]
		}
		return &d.shared.flags[0]
	}
	state := conditions.New(d.from.ready, d.from.terminating, d.publishNotReady)
	return discoveryv1.EndpointConditions{
		Ready: flag(state.Ready), Serving: flag(state.Serving), Terminating: flag(state.Terminating),
	}
}

// hostname returns the hostname of the endpoints of the current workload, or nil if they have none.
func (d *derivation) hostname() *string {
	if d.from.subdomain == d.service.Name || d.from.list == "backends" {
		return d.text(d.from.hostname)
	}
	return nil
}

// finish adds to the Input what follows from the workloads. The groups are sorted by family, then
// by the numbers of their ports.
func (d *derivation) finish() {
	d.input.Groups = d.shared.groups[:0]
	order := d.ports.sorted()
	for family, addressType := range endpoint.Families {
		for _, list := range order {
			if endpoints := *d.groupOf(list, family); len(endpoints) > 0 {
				d.input.Groups = append(d.input.Groups, slicer.Group{
					AddressType: addressType, Ports: d.ports.ports(list), Endpoints: endpoints,
				})
			}
		}
	}
	d.input.Hints = hints.Options{Mode: hints.ModeOf(d.service)}
	d.input.Pending = d.pending
	d.input.Retry = d.retry()
	d.noZones()
	d.setMeta()
}
