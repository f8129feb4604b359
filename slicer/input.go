package slicer

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
)

// Input says which endpoints are wanted, and in whose slices. The zero value of each field but Key
// does what Kubernetes does.
type Input struct {
	// Key says whose slices are meant. Required.
	Key Key
	// Meta is the metadata of these slices.
	Meta Meta
	// Groups are the wanted endpoints, in any order.
	Groups []Group
	// Hints says how hints for zones and nodes are decided.
	Hints hints.Options
	// Options choose how slices are filled.
	Options Options
	// Unmanaged plans nothing: slices stay as they are. FromPods sets it for a Service without a
	// selector. Only Key is checked then.
	Unmanaged bool
	// Pending are objects whose endpoints are not known at the moment. A program that removes
	// objects from Groups removes them from Pending, too.
	Pending []Pending
	// Retry is nil, or says why a later call may want something else, such as a Node that is not
	// found. Sync returns it after it has carried out the plan.
	Retry error
	// Warnings and Normal are added to those of the Plan. They have no effect on the plan.
	Warnings, Normal Notices
}

// Pending is an object whose endpoints are not known at the moment, for example because a function
// of the caller failed. Endpoints that slices have for it stay as they are, and are treated as
// wanted; none are added. If Groups have an endpoint with the same address and ports, that one is
// published instead.
type Pending struct {
	// Object is found by the UID of targetRef; without a UID, by kind, namespace and name.
	Object corev1.ObjectReference
	// Address limits Pending to endpoints with this address. If empty, all endpoints of the object
	// stay, except in address types in which Groups have one for it.
	Address string
	// Untargeted says that any endpoint without a targetRef may be that of the object. So all of
	// them stay.
	Untargeted bool
}

// Group is a list of endpoints that have one address type and the same ports.
type Group struct {
	// AddressType is the type of all addresses.
	AddressType discoveryv1.AddressType
	// Ports are the ports of the slices, in any order.
	Ports []discoveryv1.EndpointPort
	// Endpoints are the wanted endpoints, in any order.
	Endpoints []Endpoint
}

// Endpoint is a wanted endpoint.
type Endpoint struct {
	// API is the endpoint as in a slice.
	API discoveryv1.Endpoint
	// Changed is when it became ready or not ready, for the annotation
	// endpoints.kubernetes.io/last-change-trigger-time. Zero if not known.
	Changed time.Time
}

// Key says whose slices are meant: those of one manager for one parent, usually a Service.
type Key struct {
	// Namespace and Name are those of the parent. Required.
	Namespace, Name string
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by. Required. Use one
	// for each source of endpoints: two sources with one Key delete each other's slices.
	ManagedBy string
	// MatchLabels select the slices, together with ManagedBy, and every slice has them. If empty,
	// it is the label kubernetes.io/service-name with the value Name. Parents of different kinds
	// need different labels.
	MatchLabels map[string]string
}

// Selector selects the slices in a list or a cache.
func (k Key) Selector() labels.Selector { return labels.ValidatedSetSelector(k.labels()) }

// labels returns the labels that select the slices.
func (k Key) labels() map[string]string {
	all := map[string]string{discoveryv1.LabelManagedBy: k.ManagedBy}
	if len(k.MatchLabels) == 0 {
		all[discoveryv1.LabelServiceName] = k.Name
	}
	maps.Copy(all, k.MatchLabels)
	return all
}

// Meta is the metadata that slices get.
type Meta struct {
	// Labels and Annotations are those of every slice, besides the labels of the Key. The
	// annotation endpoints.kubernetes.io/last-change-trigger-time, if given, replaces that of
	// Endpoint.Changed.
	Labels, Annotations map[string]string
	// OwnerReferences are those of every slice. An owner is identified by its UID.
	OwnerReferences []metav1.OwnerReference
	// NamePrefix is the start of the names of new slices. If empty, it is the parent's name.
	NamePrefix string
	// CreationTimestamp is that of the parent: no slice gets an older trigger time.
	CreationTimestamp time.Time
	// Terminating says that the parent is being deleted, so no slice is created.
	Terminating bool
}

// Options choose how slices are filled.
type Options struct {
	// MaxEndpointsPerSlice is 100 if 0, and at most 1000.
	MaxEndpointsPerSlice int
	// Compact moves endpoints out of slices that are written in any case, so that fewer slices are
	// left. If false, endpoints stay in their slices, as in Kubernetes.
	Compact bool
	// NoPlaceholder keeps no empty slice for an address type without endpoints.
	NoPlaceholder bool
	// KeepLabels keeps labels that other programs put on the slices.
	KeepLabels bool
	// AddressTypes are the types that slices may have. If empty, those of Groups and of endpoints
	// that stay because of Pending.
	AddressTypes []discoveryv1.AddressType
	// Adopt names slices to take over from another manager, which must have stopped. Each takes one
	// write. Slices that another object controls are not taken over. Compute needs them in
	// existing; a Syncer gets them by name until they have the labels.
	Adopt []string
}

// Pointers returns pointers to the items of a list, such as list.Items of a client.
func Pointers[T any](items []T) []*T {
	p := make([]*T, len(items))
	for i := range items {
		p[i] = &items[i]
	}
	return p
}

func groupPath(i int) *field.Path { return field.NewPath("groups").Index(i) }
