package mirror

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Manager is the managed-by value of the control plane's own mirroring controller, and the default of Options.
const Manager = "endpointslicemirroring-controller.k8s.io"

// maxAddresses is the most addresses of a subset, a mirror and a view: the API server takes no more in a slice, and it is
// the default of Kubernetes' own controllers.
const maxAddresses = 1000

// Options choose how FromEndpoints mirrors. The zero value does what Kubernetes does, except for the deviations that the
// package comment lists.
type Options struct {
	// ManagedBy goes into Set.ManagedBy. Empty means Manager: give a name of your own wherever the control plane's
	// controller may run beside you, or the two will rewrite each other's slices.
	ManagedBy string
	// MaxAddressesPerSubset is 1 to 1000; 0 means 1000. It is the most addresses with the same ports that are mirrored,
	// IPv4 and IPv6 together, and the most endpoints of a slice.
	MaxAddressesPerSubset int
	// Excess says what becomes of addresses above MaxAddressesPerSubset.
	Excess Excess
}

// Excess says what becomes of addresses above MaxAddressesPerSubset. The zero value is LeaveOut.
type Excess uint8

const (
	// LeaveOut skips them, and reports them: not ready ones first, then those with the highest addresses.
	LeaveOut Excess = iota
	// MoreSlices mirrors them all, in as many slices as they need.
	MoreSlices
)

// ViewOptions choose what ToEndpoints shows. The zero value does what Kubernetes does, as far as the slices alone tell.
type ViewOptions struct {
	// Service is the Service of the slices, which is only read. It names the view where there are no slices, its first
	// spec.ipFamilies is the family of the view, and its ports say whether endpoints of slices without ports are shown:
	// if the Service has ports, these endpoints serve none of them and are left out. nil means that these endpoints are
	// left out if any slice declares ports.
	Service *corev1.Service
	// AddressType is the family of the view, IPv4 or IPv6: Endpoints show one family only. Empty means that of the
	// Service; without a Service that says it, IPv4 if any of the slices is of that type, else IPv6.
	AddressType discoveryv1.AddressType
	// MaxAddresses is how many addresses the view has at most, each counted in every subset in which it is; 1 or more,
	// 0 means 1000.
	MaxAddresses int
	// SkipMirror puts the label endpointslice.kubernetes.io/skip-mirror on the view. Set it before you write a view of
	// slices that no controller manages, or the mirroring controller will make slices of it again.
	SkipMirror bool
}

// CopyOptions choose how FromSlices and CopySlice copy. The zero value copies everything but zones, nodes and hints, which name
// things of the source's cluster.
type CopyOptions struct {
	// Zone, Node and Hints say what becomes of these fields. Zone hints are mapped as zones are, node hints as nodes.
	Zone, Node, Hints Carry
	// ZoneNames and NodeNames are for Map: they map names of the source to names of the copy. A name that is missing is
	// dropped.
	ZoneNames, NodeNames map[string]string
	// Port says which ports are copied; nil: all. It gets the port with the API server's defaults, so that only Port and
	// AppProtocol may be nil, and in memory of its own. A slice that declares no ports is copied without asking. A slice
	// that has ports, of which none is copied, is skipped.
	Port func(port discoveryv1.EndpointPort) bool
	// Transform may change an endpoint before the fields above are applied; nil: no change. The endpoint is a deep copy,
	// and from is the caller's slice, read-only. If Transform returns an error, the endpoint is skipped as Dropped, with
	// the error as cause. An address may become an address of another type.
	Transform func(endpoint *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error
	// EachAddress makes an endpoint of each address of an endpoint, because kube-proxy and others read only the first
	// address (kubernetes#129886).
	EachAddress bool
}

// Carry says what becomes of a field when slices are copied. The zero value is Drop.
type Carry uint8

const (
	// Drop leaves it out.
	Drop Carry = iota
	// Keep copies it.
	Keep
	// Map translates it.
	Map
)

func (o Options) validate() error {
	path := field.NewPath("options")
	var errs []error
	if o.MaxAddressesPerSubset < 0 || o.MaxAddressesPerSubset > maxAddresses {
		errs = append(errs, field.Invalid(path.Child("maxAddressesPerSubset"), o.MaxAddressesPerSubset,
			fmt.Sprintf("use 1 to %d, or 0 for %d", maxAddresses, maxAddresses)))
	}
	if !excessWords.Known(o.Excess) {
		errs = append(errs, field.NotSupported(path.Child("excess"), o.Excess.String(), excessWords.Names))
	}
	return errors.Join(errs...)
}

func (o Options) limit() int {
	if o.MaxAddressesPerSubset == 0 {
		return maxAddresses
	}
	return o.MaxAddressesPerSubset
}

func (o ViewOptions) validate() error {
	path := field.NewPath("options")
	var errs []error
	switch o.AddressType {
	case "", discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6:
	default:
		errs = append(errs, field.NotSupported(path.Child("addressType"), o.AddressType,
			[]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}))
	}
	if o.MaxAddresses < 0 {
		errs = append(errs, field.Invalid(path.Child("maxAddresses"), o.MaxAddresses,
			fmt.Sprintf("use 1 or more, or 0 for %d", maxAddresses)))
	}
	return errors.Join(errs...)
}

func (o ViewOptions) limit() int {
	if o.MaxAddresses == 0 {
		return maxAddresses
	}
	return o.MaxAddresses
}

func (o CopyOptions) validate() error {
	path := field.NewPath("options")
	var errs []error
	for _, f := range []struct {
		name  string
		value Carry
	}{{"zone", o.Zone}, {"node", o.Node}, {"hints", o.Hints}} {
		if !carryWords.Known(f.value) {
			errs = append(errs, field.NotSupported(path.Child(f.name), f.value.String(), carryWords.Names))
		}
	}
	return errors.Join(errs...)
}
