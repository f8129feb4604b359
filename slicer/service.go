package slicer

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ServiceManager is the managed-by value of the control plane's own controller (S7), and the default of ServiceOptions.
const ServiceManager = "endpointslice-controller.k8s.io"

// ServiceOptions choose how FromService and FromBackends derive endpoints. The zero value does what Kubernetes does.
type ServiceOptions struct {
	// ManagedBy goes into Set.ManagedBy. Empty means ServiceManager: give a name of your own wherever the control
	// plane's controller may run beside you, or the two will delete each other's slices.
	ManagedBy string
	// Key goes into Set.Key, as a copy. nil and empty: the Service's name.
	Key map[string]string
	// TriggerTime goes into Set.TriggerTime. Zero means the latest of the Service's creation and the Ready transitions
	// of its Pods, all that are selected, also those that are skipped: a Pod that finished is a change.
	TriggerTime time.Time
	// AllowNoSelector takes a Service without selector, and with it all Pods of its namespace. False makes it an error,
	// since the API leaves the endpoints of such a Service to somebody else.
	AllowNoSelector bool
	// MissingNode says what becomes of a Pod whose Node is not found. FromBackends does not use it.
	MissingNode MissingNode
	// UnresolvedPort says what becomes of a Pod that lacks a port of the Service.
	UnresolvedPort UnresolvedPort
	// DeclaredPortsOnly publishes a port only where the container or Backend declares it with this protocol, also where
	// targetPort is a number. False: a numeric targetPort is taken at its word.
	DeclaredPortsOnly bool
	// AddressTypes are those that the slices may have, IPv4 and IPv6, in any order. nil and empty: those of the Service's
	// families. A second network may have others than the Service.
	AddressTypes []discoveryv1.AddressType
	// Addresses returns the addresses of a Pod: those of a secondary network, for instance. It is called once for each
	// Pod that is selected and has not finished. The result is read before the next call and not kept. nil means
	// status.podIPs, or status.podIP where that is all there is. With an error the Pod is not published, and the Skip has
	// the error; for a Pod that has no address yet return none, without error. FromBackends does not use it.
	Addresses func(pod *corev1.Pod) ([]string, error)
	// Selected says that the Pods are those that a lister found by the Service's namespace and selector, so that they need
	// not be asked again. False leaves out all others.
	Selected bool
	// Scratch is memory to derive the Input in, which the next call with it overwrites; the endpoints are then in
	// Input.Derived instead of Input.Groups. nil means new memory, and all endpoints in Groups.
	Scratch *Scratch
}

// FromService derives what Kubernetes' own controller would publish for a Service: one endpoint per Pod and address,
// grouped by address type and by the port numbers that the Pod's named ports resolve to. Set Existing and Options of
// the result and give it to Compute.
//
//   - Pods are left out when they are nil, in another namespace, not selected, Failed or Succeeded, or without address.
//     Terminating Pods stay as long as they have one (S19). On a large cluster pass only the Pods that a lister finds
//     by namespace and selector, since any other costs a Skip, and say so with Selected.
//   - A Pod's Node gives the zone (label topology.kubernetes.io/zone). Without that Node MissingNode decides, save that
//     publishNotReadyAddresses publishes regardless (kubernetes#110639).
//   - The hostname is set when the Pod has one and its subdomain is the Service's name.
//   - A Pod without a named port that the Service wants is published with the others, and without any port where none
//     resolves; a group without ports never mixes with one that has some.
//   - Address types are those of the options, else those of ipFamilies; where it is unset, those of clusterIPs; for
//     headless Services both.
//   - Labels are the Service's without the reserved ones; headless Services' slices get service.kubernetes.io/headless.
//   - The Service is the owner, as controller and with blockOwnerDeletion, unless it has no UID, which the API server
//     would refuse.
//
// node finds a Node by name and returns nil for one that does not exist; a nil func says that there are no Nodes to ask:
// nothing is skipped for their sake, and no endpoint has a zone. Pods and the map behind node may be in any order:
// groups are sorted, their endpoints are in the order of the Pods. The Skips are in that order too, nil when there are
// none; they say what is not published and why.
//
// The error is made of *field.Error (errors.As). Its Type is ErrorTypeForbidden when the Service is not to be managed
// at all: an ExternalName Service, or one without selector unless AllowNoSelector is set; anything else is a mistake in
// the call, such as a nil Service, or in the Service, such as two ports of one name (service.spec.ports[1].name), though
// no Pod has them yet. With an error there are no Skips and the Input is zero, but for the Set of a Service that is not
// to be managed: with it, the existing slices and NoPlaceholder, Compute plans the removal of what was published.
//
// Nothing that svc, pods or Nodes hold is changed, and the Input shares none of their memory but strings. Endpoints may
// share values such as a targetRef with each other; Compute does not mind.
func FromService(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node, o ServiceOptions,
) (Input, []Skip, error) {
	if err := checkService(svc, o); err != nil {
		return unmanaged(svc, o, err), nil, err
	}
	d := newDerivation(svc, o, len(pods))
	reader := newPodReader(d, node)
	d.later = o.Scratch != nil
	var w workload
	for i, pod := range pods {
		d.at = i
		if i%reach == 0 {
			reader.touched += touchPods(pods[i:min(i+reach, len(pods))])
		}
		if reason := reader.read(pod, &w); reason != 0 {
			d.skip(Skip{Pod: pod, Reason: reason, Err: reader.err})
			continue
		}
		d.publish(&w)
	}
	in := d.input(reader.trigger)
	d.handOver(&in)
	return in, d.skips, nil
}

// handOver puts the endpoints into an Input, or leaves them in the Scratch that the caller gave.
func (d *derivation) handOver(in *Input) {
	if d.options.Scratch == nil {
		in.Groups = d.groups()
		return
	}
	d.settle()
	in.Derived = d.derived()
}

// unmanaged is the Input that goes with an error: the Set of a Service that is not to be managed.
func unmanaged(svc *corev1.Service, o ServiceOptions, err error) Input {
	var fault *field.Error
	if errors.As(err, &fault) && fault.Type == field.ErrorTypeForbidden {
		return Input{Set: serviceSet(svc, o)}
	}
	return Input{}
}

// input is what the Service says about its slices.
func (d *derivation) input(trigger time.Time) Input {
	in := Input{Set: serviceSet(d.service, d.options)}
	in.Set.TriggerTime = trigger
	for i, addressType := range serviceTypes {
		if d.wanted[i] {
			in.Set.AddressTypes = append(in.Set.AddressTypes, addressType)
		}
	}
	return in
}

// groups puts the derived endpoints together.
func (d *derivation) groups() []Group {
	var groups []Group
	for i, addressType := range serviceTypes {
		groups = append(groups, d.families[i].groups(addressType, &d.ports)...)
	}
	return groups
}
