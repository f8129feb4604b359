package services

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer"
)

// Reasons of a [slicer.Skip] in the plans of this package. Skip.Path is pods[i] or backends[i].
// Skip.Object is the Pod or Backend.TargetRef; if TargetRef is zero, Object has only the Backend's
// name. The same is true for Skips of package slicer in these plans.
//
// PodFinished, NoAddress, NodeMissing, HostnameLeftOut and NothingRemoved are routine, and so is
// NoAddressOfType for a Backend. All other Skips are warnings.
const (
	// PodFinished: the Pod has Failed or Succeeded, so another Pod may have its IP. Routine.
	PodFinished slicer.SkipReason = "PodFinished"
	// NoAddress: the Pod or Backend has no address yet. Routine.
	NoAddress slicer.SkipReason = "NoAddress"
	// NotAnIP: Skip.Address is not an IP. The other addresses of the Pod or Backend are published.
	NotAnIP slicer.SkipReason = "NotAnIP"
	// NoAddressOfType: the Service has the family Skip.AddressType, and the Pod or Backend has no
	// address of this family. Its addresses of the other family are published.
	NoAddressOfType slicer.SkipReason = "NoAddressOfType"
	// NodeMissing: the Pod's Node is not found, or the Pod has no Node yet. Routine. If the Pod has
	// a Node and is not being deleted, Skip.Retry is set.
	NodeMissing slicer.SkipReason = "NodeMissing"
	// PortLeftOut: the Pod or Backend does not have Skip.Port and is published without it.
	PortLeftOut slicer.SkipReason = "PortLeftOut"
	// NoServicePort: Backend.PortNumbers has Skip.Port, and the Service has no port of this name.
	// The Backend is published without it.
	NoServicePort slicer.SkipReason = "NoServicePort"
	// HostnameLeftOut: the Service is headless, and the Pod has a hostname but no subdomain. The
	// Pod is published without the hostname. Routine, because a hostname without a subdomain is
	// often not meant for DNS.
	HostnameLeftOut slicer.SkipReason = "HostnameLeftOut"
	// PortMissing: the Pod or Backend does not have Skip.Port and is not published
	// (SkipUnresolved).
	PortMissing slicer.SkipReason = "PortMissing"
	// AddressesUnread: Options.Addresses returned an error, which Skip.Err wraps, and the Pod is
	// not published. Skip.Retry is set unless the error is a *field.Error.
	AddressesUnread slicer.SkipReason = "AddressesUnread"
	// UnknownTrafficDistribution: the Service's trafficDistribution has an unknown value.
	// Skip.Object is the Service, and Skip.Path is service.spec.trafficDistribution. The endpoints
	// are published without hints.
	UnknownTrafficDistribution slicer.SkipReason = "UnknownTrafficDistribution"
	// UnknownTopologyMode: the Service's annotation service.kubernetes.io/topology-mode, or the
	// older service.kubernetes.io/topology-aware-hints, has an unknown value and is ignored.
	// Skip.Object is the Service.
	UnknownTopologyMode slicer.SkipReason = "UnknownTopologyMode"
	// NoZones: the hints need the zones of endpoints, but node is nil and Options.ZoneFromPod is
	// not set. Skip.Object is the Service. The endpoints are published without hints.
	NoZones slicer.SkipReason = "NoZones"
	// NothingRemoved: PlanRemoval deletes nothing, although the Service has slices, because they
	// have another manager or do not have KeyLabel. Skip.Object is the Service. Routine.
	NothingRemoved slicer.SkipReason = "NothingRemoved"
)

var (
	errFinished    = errors.New("it has finished, and its address may belong to another Pod by now")
	errNoAddress   = errors.New("it has no address yet")
	errNoNode      = errors.New("it runs on no Node yet")
	errNoSubdomain = errors.New("its hostname makes no DNS name: set spec.subdomain to the name of the Service, if " +
		"one is wanted")
	errNotAnIP = errors.New("its address is no IP as slices hold them: give one without port, prefix length and " +
		"leading zeros")
	errNoFamily = [...]error{errors.New("it has no IPv4 address"), errors.New("it has no IPv6 address")} // by family
)

// portMissing returns an error that says why a workload does not have a port of the Service.
func portMissing(port *corev1.ServicePort, from *workload) error {
	_, name := target(port)
	if number, ok := from.numbers[port.Name]; ok {
		return fmt.Errorf("the number %d that it gives to %s is not 1 to 65535", number, portText(port))
	}
	for _, b := range from.declared {
		if name != "" && b.Name == name && endpoint.Protocol(b.Protocol) == endpoint.Protocol(port.Protocol) {
			return fmt.Errorf("the number %d that it declares for %s is not 1 to 65535", b.Port, portText(port))
		}
	}
	return fmt.Errorf("it declares no port for %s", portText(port))
}

// noServicePort returns the error for a Backend that gives a number to a port that the Service does
// not have.
func noServicePort(name string, ports []corev1.ServicePort) error {
	text := quote.Text(name)
	if name == "" {
		text = "without a name"
	}
	return fmt.Errorf("the Service has no port %s; it has %s: give numbers to the names of its ports", text,
		quote.ServicePorts(ports))
}

// portText prints a port of a Service with its target, as in "http:web" or "dns:53/UDP".
func portText(port *corev1.ServicePort) string {
	number, name := target(port)
	switch {
	case name == "":
		name = fmt.Sprint(number)
	case !isPortName(name): // a number in quotes is the name of a port
		name = strconv.Quote(name)
	}
	text := port.Name + ":" + name
	if protocol := endpoint.Protocol(port.Protocol); protocol != corev1.ProtocolTCP {
		text += "/" + string(protocol)
	}
	return text
}

var distributions = []string{
	corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone,
	corev1.ServiceTrafficDistributionPreferSameNode,
}

// unknownDistribution adds a Skip if trafficDistribution has an unknown value, which is ignored. If
// the options or the topology mode choose the hints, it adds no Skip.
func (d *derivation) unknownDistribution() {
	svc := d.service
	asked := svc.Spec.TrafficDistribution
	if asked == nil || *asked == "" || slices.Contains(distributions, *asked) ||
		d.options.hintsOf(svc).Mode != hints.None {
		return
	}
	d.skipService(UnknownTrafficDistribution,
		field.NotSupported(field.NewPath("service", "spec", "trafficDistribution"), *asked, distributions))
}

// topologyMode returns the annotation that asks for hints, and its value. If a Service has both
// annotations, the older one is used.
func topologyMode(svc *corev1.Service) (name, value string) {
	for _, name := range [...]string{corev1.DeprecatedAnnotationTopologyAwareHints, corev1.AnnotationTopologyMode} {
		if value, ok := svc.Annotations[name]; ok {
			return name, value
		}
	}
	return "", ""
}

var topologyModes = []string{"Auto", "auto", "Disabled", "disabled"}

// unknownTopologyMode adds a Skip if the topology mode has an unknown value, which is ignored. If
// the options choose the hints, it adds no Skip.
func (d *derivation) unknownTopologyMode() {
	name, value := topologyMode(d.service)
	if value == "" || slices.Contains(topologyModes, value) || d.options.Hints.Mode != hints.None {
		return
	}
	path := field.NewPath("service", "metadata", "annotations").Key(name)
	d.skipService(UnknownTopologyMode, field.NotSupported(path, value, topologyModes))
}

// noZones adds a Skip if the hints need zones, and no endpoint can have a zone.
func (d *derivation) noZones() {
	mode := d.options.hintsOf(d.service).Mode
	if mode != hints.PreferSameZone && mode != hints.Auto || len(d.input) == 0 || d.backends != nil ||
		d.nodes.ask != nil || d.options.ZoneFromPod {
		return
	}
	d.skipService(NoZones, field.Required(field.NewPath("node"),
		"hints by zone need the zones of Nodes: give a function that finds them, or set ZoneFromPod if Pods have the "+
			"label topology.kubernetes.io/zone"))
}

// skipService adds a Skip about the Service.
func (d *derivation) skipService(reason slicer.SkipReason, err *field.Error) {
	d.skips = append(d.skips, slicer.Skip{Reason: reason, Path: err.Field, Err: err, Object: referenceTo(d.service)})
}

func referenceTo(svc *corev1.Service) corev1.ObjectReference {
	return corev1.ObjectReference{APIVersion: "v1", Kind: "Service", Namespace: svc.Namespace, Name: svc.Name,
		UID: svc.UID}
}
