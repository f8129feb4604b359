package services

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer"
)

var (
	errFinished    = errors.New("it has finished, and its address may belong to another Pod by now")
	errNoAddress   = errors.New("it has no address yet")
	errOnlyPodIP   = errors.New("status.podIPs is empty: the API server sets it together with status.podIP")
	errNoNode      = errors.New("it runs on no Node yet")
	errNoSubdomain = errors.New("its hostname makes no DNS name: set spec.subdomain to the name of the Service, if " +
		"one is wanted")
	errEmptyAddress = errors.New("its address is empty: give an IP, or leave it out")
	errName         = errors.New("its address is a name: give the IP, or use a Service of type ExternalName")
	errNotAnIP      = errors.New("its address is no IP as slices hold them: give one without port, prefix length and " +
		"leading zeros")
	errNoFamily = [...]error{errors.New("it has no IPv4 address"), errors.New("it has no IPv6 address")} // by family
)

// notAnIP returns what is wrong with an address that is not an IP.
func notAnIP(address string) error {
	isLetter := func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
	switch {
	case address == "":
		return errEmptyAddress
	case strings.ContainsFunc(address, isLetter) && !strings.ContainsAny(address, ":/"):
		return errName
	default:
		return errNotAnIP
	}
}

// warn adds a Notice about the current workload to the Warnings.
func (d *derivation) warn(reason, address string, err error) {
	d.input.Warnings = append(d.input.Warnings, d.notice(reason, address, err))
}

// normal adds a Notice about the current workload to Normal.
func (d *derivation) normal(reason string, err error) {
	d.input.Normal = append(d.input.Normal, d.notice(reason, "", err))
}

func (d *derivation) notice(reason, address string, err error) slicer.Notice {
	n := slicer.Notice{Reason: reason, Address: address, Object: d.from.target, Path: d.path().String(), Err: err}
	if n.Object == (corev1.ObjectReference{}) {
		n.Object.Name = d.from.name
	}
	return n
}

// path returns the place of the current workload in the caller's list.
func (d *derivation) path() *field.Path { return field.NewPath(d.from.list).Index(d.from.index) }

// aboutService adds Notices about the Service itself.
func (d *derivation) aboutService() {
	d.unknownDistribution()
	d.unknownTopologyMode()
	if clusterIP(d.service) == "" {
		d.warnService("NoClusterIP", field.Required(field.NewPath("service", "spec", "clusterIP"),
			"it counts as headless, so kube-proxy does not read its slices: the API server fills this in; "+
				"in a test or a manifest give an IP, or None for a headless Service"))
	}
}

// waiting counts objects for which a later call is needed.
type waiting struct {
	count int
	first corev1.ObjectReference
	err   error
}

func (w *waiting) add(object *corev1.ObjectReference, err error) {
	if w.count++; w.count == 1 {
		w.first, w.err = *object, err
	}
}

func (w *waiting) String() string {
	text := fmt.Sprintf("%s %s", w.first.Kind, quote.Name(w.first.Namespace, w.first.Name))
	if w.count > 1 {
		text += fmt.Sprintf(" and %d more", w.count-1)
	}
	return text
}

// retry returns the error that says why a later call may want something else, or nil.
func (d *derivation) retry() error {
	var errs []error
	if d.missing.count > 0 {
		errs = append(errs, fmt.Errorf("%w: %s: %w", ErrNodeMissing, &d.missing, d.missing.err))
	}
	if d.unread.count > 0 {
		errs = append(errs, fmt.Errorf("services: Options.Addresses failed for %s: %w", &d.unread, d.unread.err))
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// portMissing returns an error that says why a workload does not have a port of the Service.
func portMissing(port *corev1.ServicePort, from *workload) error {
	_, name := target(port)
	for _, key := range [...]string{port.Name, name} {
		if number, ok := from.given[key]; ok {
			return fmt.Errorf("the number %d that it gives to %s is not 1 to 65535", number, portText(port))
		}
	}
	for _, c := range from.declared {
		if name != "" && c.name == name && endpoint.Protocol(c.protocol) == endpoint.Protocol(port.Protocol) {
			return fmt.Errorf("the number %d that it declares for %s is not 1 to 65535", c.number, portText(port))
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

// unknownDistribution adds a Notice if trafficDistribution has an unknown value, which is ignored.
// If the topology mode chooses the hints, it adds none.
func (d *derivation) unknownDistribution() {
	asked := d.service.Spec.TrafficDistribution
	if asked == nil || *asked == "" || slices.Contains(distributions, *asked) ||
		hints.ModeOf(d.service) != hints.None {
		return
	}
	d.warnService("UnknownTrafficDistribution",
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

// unknownTopologyMode adds a Notice if the topology mode has an unknown value, which is ignored.
func (d *derivation) unknownTopologyMode() {
	name, value := topologyMode(d.service)
	if value == "" || slices.Contains(topologyModes, value) {
		return
	}
	path := field.NewPath("service", "metadata", "annotations").Key(name)
	d.warnService("UnknownTopologyMode", field.NotSupported(path, value, topologyModes))
}

// noZones adds a Notice if the hints need zones, and no endpoint has a zone.
func (d *derivation) noZones() {
	mode := d.input.Hints.Mode
	zoned := func(g slicer.Group) bool {
		return slices.ContainsFunc(g.Endpoints, func(e slicer.Endpoint) bool { return e.API.Zone != nil })
	}
	if mode != hints.PreferSameZone && mode != hints.Auto || len(d.input.Groups) == 0 ||
		slices.ContainsFunc(d.input.Groups, zoned) {
		return
	}
	path, why := "nodes", "hints by zone need the zones of Nodes: give them, or set ZoneFromPod if Pods have the "+
		"label topology.kubernetes.io/zone"
	switch {
	case !d.fromPods():
		path, why = "backends", "hints by zone need the zones of Backends: give Zone"
	case d.nodes.nodes != nil:
		why = "hints by zone need the zones of Nodes, and none of these has the label topology.kubernetes.io/zone"
	case d.options.ZoneFromPod:
		path, why = "pods", "hints by zone need the zones of Pods, and none has the label topology.kubernetes.io/zone"
	}
	d.warnService("NoZones", field.Required(field.NewPath(path), why))
}

// fromPods reports whether the workloads are Pods.
func (d *derivation) fromPods() bool { return d.bySelector || d.selection != nil }

// warnService adds a Notice about the Service.
func (d *derivation) warnService(reason string, err *field.Error) {
	d.input.Warnings = append(d.input.Warnings, slicer.Notice{
		Reason: reason, Object: d.reference(), Path: err.Field, Err: err,
	})
}

// reference returns a reference to the Service.
func (d *derivation) reference() corev1.ObjectReference {
	svc := d.service
	if d.selection != nil {
		return corev1.ObjectReference{Namespace: svc.Namespace, Name: svc.Name, UID: svc.UID}
	}
	return corev1.ObjectReference{
		APIVersion: "v1", Kind: "Service", Namespace: svc.Namespace, Name: svc.Name, UID: svc.UID,
	}
}
