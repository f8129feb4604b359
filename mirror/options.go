package mirror

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/slicer"
)

// KubernetesManager is the managed-by value of Kubernetes' own mirroring controller. With it,
// mirrors are written as that controller writes them, so that a program can take over from it.
const KubernetesManager = "endpointslicemirroring-controller.k8s.io"

// maxAddresses is the default of MaxAddressesPerSubset, its largest value, and the largest number
// of addresses that ToEndpoints shows. The API server accepts no more endpoints in a slice.
const maxAddresses = accept.MaxEndpoints

// Options say how Endpoints are mirrored.
type Options struct {
	// ManagedBy is a name that no other manager of slices uses. Required.
	ManagedBy string
	// ReplacesKubernetes says that Kubernetes' own mirroring controller does not run. FromEndpoints
	// requires it, because otherwise kube-proxy would see all addresses twice.
	ReplacesKubernetes bool
	// MaxAddressesPerSubset is 1000 if 0, as in Kubernetes.
	MaxAddressesPerSubset int
}

// Key returns the Key of the mirrors of Endpoints, also of some that do not exist any more. Give it
// to Remove.
func (o Options) Key(endpoints types.NamespacedName) slicer.Key {
	k := slicer.Key{Namespace: endpoints.Namespace, Name: endpoints.Name, ManagedBy: o.ManagedBy}
	if value := accept.LabelValue(k.Name); value != k.Name {
		k.MatchLabels = map[string]string{discoveryv1.LabelServiceName: value}
	}
	return k
}

func (o Options) validate() error {
	path := field.NewPath("options")
	var faults accept.Faults
	if o.ManagedBy == "" {
		faults.Add(field.Required(path.Child("managedBy"),
			"choose a name that no other manager of EndpointSlices uses"))
	}
	if !o.ReplacesKubernetes {
		faults.Add(field.Required(path.Child("replacesKubernetes"),
			"set it where Kubernetes' own mirroring controller does not run; elsewhere that controller already "+
				"mirrors Endpoints, and kube-proxy would see all addresses twice"))
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

// CopyOptions say what a copy keeps. The zero value keeps what has a meaning in another cluster.
type CopyOptions struct {
	// KeepZones, KeepNodes and KeepTargetRefs keep references to the source's cluster. Set all for
	// a copy within one cluster.
	KeepZones, KeepNodes, KeepTargetRefs bool
	// Port says which ports are copied. If nil, all. It gets a copy of the port with the API
	// server's defaults, in which only Port and AppProtocol may be nil.
	Port func(discoveryv1.EndpointPort) bool
	// Transform changes a copied endpoint before the fields that are not kept are dropped. If it
	// removes all addresses, the endpoint is left out without a Warning. If it returns a
	// *field.Error, the endpoint is left out, with a Warning. After any other error, the published
	// copy stays. If that copy has no targetRef, all copies without one stay.
	Transform func(e *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error
}
