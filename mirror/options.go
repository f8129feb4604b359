package mirror

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// KubernetesManager is the managed-by value of the control plane's own mirroring controller. See
// Options.ManagedBy before you use it.
const KubernetesManager = "endpointslicemirroring-controller.k8s.io"

// maxAddresses is the most addresses of a subset, a mirror and a view: the API server takes no more
// in a slice, and it is the default of Kubernetes' own controllers.
const maxAddresses = accept.MaxEndpoints

// Options choose how FromEndpoints mirrors. ManagedBy is required. All else that is zero does what
// Kubernetes does, except for the deviations that PROMISES.md lists.
type Options struct {
	// ManagedBy goes into Set.ManagedBy and is required: a name that no other manager of
	// EndpointSlices uses.
	//
	// Give KubernetesManager only where your controller takes the place of the control plane's own
	// one. The mirrors are then as that controller writes them, so that neither of the two writes
	// back what the other one wrote: they have the condition ready alone, ports with the same
	// addresses are one list, an address is not ready where one subset says so, above the limit the
	// first IPs as text are taken, and the Endpoints decide about the label
	// service.kubernetes.io/headless. Taking over writes once what Kubernetes keeps apart although
	// slices do not: a port with an appProtocol that is in several subsets, and addresses of one IP
	// whose targetRefs differ in UID or kind alone.
	ManagedBy string
	// MaxAddressesPerSubset is 1 to 1000; 0 means 1000. It is the most addresses for each list of
	// ports that are mirrored, IPv4 and IPv6 together, and the most endpoints of a slice. Addresses
	// above it are skipped as OverLimit: first those that are not ready, then those with the
	// highest IPs.
	MaxAddressesPerSubset int
}

// ViewOptions choose what ToEndpoints shows. The zero value does what Kubernetes does, as far as
// the slices alone tell.
type ViewOptions struct {
	// TriggerTime becomes the annotation endpoints.kubernetes.io/last-change-trigger-time, from
	// which others measure how long a change takes to reach them; zero means none. The slices do
	// not tell it: Kubernetes' controller writes the earliest change since its own last sync.
	TriggerTime time.Time
	// Service is the Service of the slices, which is only read. It names the view where there are
	// no slices, its first spec.ipFamilies is the family of the view, and its ports say whether
	// endpoints of slices without ports are shown: if the Service has ports, these endpoints serve
	// none of them and are left out. nil means that these endpoints are left out if any slice
	// declares ports.
	Service *corev1.Service
	// AddressType is the family of the view, IPv4 or IPv6: Endpoints show one family only. Empty
	// means that of the Service; without a Service that says it, IPv4 if any of the slices is of
	// that type, else IPv6.
	AddressType discoveryv1.AddressType
	// MaxAddresses is how many addresses the view has at most, each counted in every subset in
	// which it is; 1 or more, 0 means 1000.
	MaxAddresses int
	// SkipMirror puts the label endpointslice.kubernetes.io/skip-mirror on the view. Set it before
	// you write a view for a Service without selector, or the mirroring controller will make slices
	// of it again.
	SkipMirror bool
}

// CopyOptions choose how FromSlices and CopySlice copy. The zero value copies everything but zones,
// nodes, hints and targetRefs, which name things of the source's cluster.
type CopyOptions struct {
	// Zone, Node and Hints say what becomes of these fields. Zone hints are mapped as zones are,
	// node hints as nodes.
	Zone, Node, Hints Carry
	// TargetRef says what becomes of the targetRef, Drop or Keep. Keep it only for copies within
	// one cluster: istio and linkerd look the Pod up, and drop an endpoint whose Pod they do not
	// find.
	TargetRef Carry
	// HostnameFromPod gives an endpoint without hostname the name of the Pod that its targetRef
	// names, where that is a DNS label. DNS servers for several clusters (lighthouse, CoreDNS) make
	// a headless Service's names of it.
	HostnameFromPod bool
	// ZoneNames and NodeNames are for Map: they map names of the source to names of the copy. A
	// name that is missing is dropped. It is an error to give ZoneNames if neither Zone nor Hints
	// is Map, or NodeNames if neither Node nor Hints is.
	ZoneNames, NodeNames map[string]string
	// Port says which ports are copied; nil: all. It gets the port with the API server's defaults,
	// so that only Port and AppProtocol may be nil, and in memory of its own. A slice that declares
	// no ports is copied without asking. A slice that has ports, of which none is copied, is
	// skipped.
	Port func(port discoveryv1.EndpointPort) bool
	// Transform may change an endpoint before the fields above are applied; nil: no change. The
	// endpoint is a deep copy, and from is the caller's slice, read-only. If Transform returns an
	// error, the endpoint is skipped as Dropped, with the error as cause. An address may become an
	// address of another type.
	Transform func(e *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error
	// EachAddress makes an endpoint of each address of an endpoint, because kube-proxy and others
	// read only the first address (kubernetes#129886).
	EachAddress bool
}

// Carry says what becomes of a field when slices are copied. The zero value is Drop.
type Carry string

const (
	// Drop leaves it out.
	Drop Carry = ""
	// Keep copies it.
	Keep Carry = "Keep"
	// Map translates it.
	Map Carry = "Map"
)

func (o Options) validate() error {
	path := field.NewPath("options")
	var faults accept.Faults
	if o.ManagedBy == "" {
		faults.Add(field.Required(path.Child("managedBy"),
			"choose a name that no other manager of EndpointSlices uses"))
	}
	if o.MaxAddressesPerSubset < 0 || o.MaxAddressesPerSubset > maxAddresses {
		faults.Add(field.Invalid(path.Child("maxAddressesPerSubset"), o.MaxAddressesPerSubset,
			fmt.Sprintf("use 1 to %d, or 0 for %d", maxAddresses, maxAddresses)))
	}
	return faults.Err()
}

// asKubernetes reports whether mirrors are to be what the control plane's own controller would
// write.
func (o Options) asKubernetes() bool { return o.ManagedBy == KubernetesManager }

func (o ViewOptions) validate() error {
	path := field.NewPath("options")
	var faults accept.Faults
	if o.AddressType != "" && !slices.Contains(endpoint.Families[:], o.AddressType) {
		faults.Add(field.NotSupported(path.Child("addressType"), string(o.AddressType), endpoint.Families[:]))
	}
	if o.MaxAddresses < 0 {
		faults.Add(field.Invalid(path.Child("maxAddresses"), o.MaxAddresses,
			fmt.Sprintf("use 1 or more, or 0 for %d", maxAddresses)))
	}
	return faults.Err()
}

func (o CopyOptions) validate() error {
	path := field.NewPath("options")
	var faults accept.Faults
	check := func(name string, value Carry, known ...Carry) {
		if !slices.Contains(known, value) {
			faults.Add(accept.NotSupported(path.Child(name), value, "Drop", known))
		}
	}
	check("zone", o.Zone, Drop, Keep, Map)
	check("node", o.Node, Drop, Keep, Map)
	check("hints", o.Hints, Drop, Keep, Map)
	check("targetRef", o.TargetRef, Drop, Keep)
	unused := func(name string, names map[string]string, which string, carry Carry) {
		if len(names) > 0 && (carry == Drop || carry == Keep) && (o.Hints == Drop || o.Hints == Keep) {
			faults.Add(field.Invalid(path.Child(name), len(names),
				"maps nothing: set "+which+" or hints to Map, or leave it out"))
		}
	}
	unused("zoneNames", o.ZoneNames, "zone", o.Zone)
	unused("nodeNames", o.NodeNames, "node", o.Node)
	return faults.Err()
}
