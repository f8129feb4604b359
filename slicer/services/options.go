package services

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// KubernetesManager is the managed-by value of kube-controller-manager's own controller. Use it
// only where that controller does not run.
const KubernetesManager = endpoint.ServiceController

// ErrNodeMissing says that a Node that a ready Pod names is not found. Find it in an error of Sync
// with errors.Is. Such a Pod is left out, as in Kubernetes. But if none of the Nodes that the ready
// Pods name is found, the cache of Nodes is probably empty: the Pods are then Pending, so that
// published ones stay published. If the error lasts for minutes, the Node does not exist, or the
// list of Nodes is filtered.
var ErrNodeMissing = errors.New("services: a Node is not found")

// Options say whose slices are planned. Everything else can be set in the Input.
type Options struct {
	// ManagedBy is a name that no other manager of slices uses. Required.
	ManagedBy string
	// NameLabel is the label that has the name of the Service. If empty, it is
	// kubernetes.io/service-name, which kube-proxy and DNS read. Parents of different kinds need
	// different labels.
	NameLabel string
	// ReplacesKubernetes says that Kubernetes' own controller does not run. FromPods requires it if
	// NameLabel is empty, because otherwise kube-proxy and DNS would see the Pods of each Service
	// twice.
	ReplacesKubernetes bool
	// AddressTypes are the types of the slices. If empty, those of the Service.
	AddressTypes []discoveryv1.AddressType
	// Addresses returns the addresses of a Pod on another network, each of which is an endpoint. It
	// requires NameLabel, because kube-proxy cannot use them. A *field.Error means a mistake in the
	// Pod: it is not published, with a Warning. After any other error, the Pod is Pending.
	Addresses func(pod *corev1.Pod) ([]string, error)
	// ZoneFromPod takes zones from the label of Pods (KEP-4742), for programs that watch no Nodes.
	ZoneFromPod bool
}

// Key returns the Key of the slices of a Service or of the parent of a Selection, also of one that
// does not exist any more. Give it to Remove.
func (o Options) Key(parent types.NamespacedName) slicer.Key {
	k := slicer.Key{Namespace: parent.Namespace, Name: parent.Name, ManagedBy: o.ManagedBy}
	if o.NameLabel != "" {
		k.MatchLabels = map[string]string{o.NameLabel: accept.LabelValue(parent.Name)}
	}
	return k
}

// ParentOf returns the Service or other parent of a slice, for events of slices, and whether the
// slice has ManagedBy and the label. If the name is too long for a label, it is taken from an owner
// reference.
func (o Options) ParentOf(slice *discoveryv1.EndpointSlice) (types.NamespacedName, bool) {
	if slice == nil {
		return types.NamespacedName{}, false
	}
	label := o.nameLabel()
	name := slice.Labels[label]
	if name == "" || o.ManagedBy == "" || slice.Labels[discoveryv1.LabelManagedBy] != o.ManagedBy {
		return types.NamespacedName{}, false
	}
	named := func(owner metav1.OwnerReference) bool {
		return o.NameLabel != "" && owner.Name != name && accept.LabelValue(owner.Name) == name
	}
	if i := slices.IndexFunc(slice.OwnerReferences, named); i >= 0 {
		name = slice.OwnerReferences[i].Name
	}
	return types.NamespacedName{Namespace: slice.Namespace, Name: name}, true
}

func (o *Options) nameLabel() string {
	if o.NameLabel != "" {
		return o.NameLabel
	}
	return discoveryv1.LabelServiceName
}
