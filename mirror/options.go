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

// KubernetesManager is the managed-by value of the control plane's own mirroring controller,
// endpointslicemirroring-controller.k8s.io. Read the comment of Options.ManagedBy before you use
// it.
const KubernetesManager = "endpointslicemirroring-controller.k8s.io"

// maxAddresses is the default of MaxAddressesPerSubset and MaxAddresses, and the largest value of
// MaxAddressesPerSubset. The API server accepts no more endpoints in a slice. Kubernetes' own
// controllers have the same default.
const maxAddresses = accept.MaxEndpoints

// Options say how Endpoints are mirrored. ManagedBy is required. The other fields do by default
// what Kubernetes does, except for the differences that PROMISES.md lists.
type Options struct {
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by, a name that no
	// other manager of slices uses. Required.
	//
	// Use KubernetesManager only if your controller replaces the mirroring controller of the
	// control plane. Mirrors are then written as that controller writes them, so that neither
	// controller rewrites the slices of the other one:
	//
	//   - The only condition is ready. If one subset lists an address as not ready, the address is
	//     not ready.
	//   - Ports that have the same ready and the same not ready addresses are published together,
	//     in the same slices.
	//   - If there are more addresses than the limit, the first IPs in the order of text are kept.
	//   - The Endpoints decide about the label service.kubernetes.io/headless.
	//
	// Kubernetes' controller splits two kinds of mirrors without need. The first plan after taking
	// over joins them:
	//
	//   - mirrors of one port that has an appProtocol and is in several subsets
	//   - mirrors of addresses that have the same IP, and targetRefs that differ only in UID or
	//     kind
	ManagedBy string
	// MaxAddressesPerSubset is the largest number of addresses that are mirrored for each list of
	// ports, IPv4 and IPv6 together, and the largest number of endpoints of a slice. It is 1 to
	// 1000, and 0 means 1000. If there are more addresses, the rest is skipped (OverLimit): first
	// addresses that are not ready, then the highest IPs.
	MaxAddressesPerSubset int
}

// ViewOptions say what ToEndpoints shows. The zero value does what Kubernetes does, as far as the
// slices alone allow.
type ViewOptions struct {
	// TriggerTime becomes the annotation endpoints.kubernetes.io/last-change-trigger-time, from
	// which readers measure how long a change takes to reach them. If zero, there is none.
	// Kubernetes' Endpoints controller writes the time of the earliest change since its own last
	// sync. ToEndpoints cannot find that time in the slices.
	TriggerTime time.Time
	// Service is the Service of the slices. It is not changed, and it decides three things:
	//
	//   - If there are no slices, it gives the name and namespace.
	//   - Its first spec.ipFamilies is the family that is shown.
	//   - If it has ports, endpoints of slices without ports are left out, because they serve none
	//     of them.
	//
	// If Service is nil, endpoints of slices without ports are left out if any slice has ports.
	Service *corev1.Service
	// AddressType is the family that is shown, IPv4 or IPv6, because Endpoints show only one. If
	// empty, the family is the first one in Service.spec.ipFamilies. If there is none, it is IPv4
	// if any slice has that type, and IPv6 otherwise.
	AddressType discoveryv1.AddressType
	// MaxAddresses is the largest number of addresses. An address counts in every subset that lists
	// it. 0 means 1000.
	MaxAddresses int
	// SkipMirror puts the label endpointslice.kubernetes.io/skip-mirror on the Endpoints. Set it
	// before you write Endpoints for a Service without a selector, or the mirroring controller
	// makes slices of them again.
	SkipMirror bool
}

// CopyOptions say how FromSlices and CopySlice copy. The zero value copies everything except zones,
// nodes, hints and targetRefs, which name things of the source's cluster.
type CopyOptions struct {
	// Zone, Node and Hints say whether these fields are dropped, kept or mapped. Hints for zones
	// are mapped with ZoneNames, and hints for nodes with NodeNames.
	Zone, Node, Hints Carry
	// TargetRef says whether targetRefs are dropped or kept; Map is an error. Keep them only for
	// copies within one cluster: istio and linkerd look up the Pod, and drop an endpoint whose Pod
	// they do not find.
	TargetRef Carry
	// HostnameFromPod gives an endpoint without a hostname the name of the Pod in its targetRef, if
	// that is a DNS label. DNS servers for several clusters (Submariner's Lighthouse, CoreDNS) use
	// it for the names of a headless Service.
	HostnameFromPod bool
	// ZoneNames and NodeNames are used by Map. They map names of the source to names of the copy,
	// and other names are dropped. ZoneNames are an error if neither Zone nor Hints is Map, and
	// NodeNames if neither Node nor Hints is Map.
	ZoneNames, NodeNames map[string]string
	// Port reports whether a port is copied. If nil, all ports are copied. It gets a copy of the
	// port with the API server's defaults, in which only Port and AppProtocol may be nil. It is not
	// called for a slice without ports, which is always copied. If a slice has ports and none is
	// copied, the slice is skipped.
	Port func(port discoveryv1.EndpointPort) bool
	// Transform changes an endpoint before the other fields are applied. If nil, there is no
	// change. The endpoint is a deep copy. from is the caller's slice and must not be changed. If
	// Transform returns an error, the endpoint is skipped (Dropped), and Skip.Err wraps the error.
	// Transform may replace an address by one of another type.
	Transform func(e *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error
	// EachAddress makes each address of an endpoint an endpoint of its own, because kube-proxy and
	// other readers use only the first address (kubernetes#129886).
	EachAddress bool
}

// Carry says whether a field is dropped, kept or mapped when slices are copied. The zero value is
// Drop.
type Carry string

const (
	// Drop leaves the field out.
	Drop Carry = ""
	// Keep copies the field.
	Keep Carry = "Keep"
	// Map replaces the names in the field, see CopyOptions.ZoneNames.
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

// asKubernetes reports whether mirrors must be the same as the mirrors of the control plane's own
// controller.
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
