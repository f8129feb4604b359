package slicer

import (
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
)

// Input says which endpoints are wanted, in whose slices, and how the slices are planned. Compute
// changes neither an Input nor anything that it points to.
type Input struct {
	// Set has the name of the slices' parent, and the metadata of each slice.
	Set Set
	// Groups are the wanted endpoints. The order of the groups, and of the endpoints in them, does
	// not matter. Groups with the same address type and equal ports are merged. If nil or empty, no
	// endpoint is wanted.
	Groups []Group
	// Hints says where hints for zones and Nodes come from. The zero value removes all hints.
	Hints hints.Options
	// Options choose how the slices are planned.
	Options Options
	// Skips are added to Plan.Skips. They list the endpoints that were left out when the Input was
	// made. If nil or empty, nothing was left out.
	Skips []Skip
}

// Set has the name of the parent of a set of slices, and the metadata of every slice of the set.
type Set struct {
	// Namespace and Name are those of the parent: a Service, an Endpoints or any other object. Both
	// are required.
	Namespace, Name string
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by: a name that no
	// other manager uses, such as "slices.example.com". It is required.
	ManagedBy string
	// Key are the labels that, together with ManagedBy, distinguish this set's slices from all
	// others. They are always written. Two sets of one manager need different Keys. If nil or
	// empty, Key is kubernetes.io/service-name=Name.
	//
	// If Key or Labels have the label kubernetes.io/service-name with the name of a Service that is
	// neither the parent nor an owner, the label is written, and there is a Skip (OtherService).
	Key map[string]string
	// NamePrefix starts the names of new slices. If empty, it is Name and a dash. A prefix that
	// cannot start a valid name is an error only if the plan creates a slice.
	NamePrefix string
	// Owners are the owner references that every slice gets. They are matched by UID, so each needs
	// a UID of its own. There may be at most 100. An owner without a UID is left out, with a Skip
	// (OwnerWithoutUID). If nil or empty, the set has no owners.
	Owners []metav1.OwnerReference
	// Adopt names slices that the set takes over although they do not have all labels of Key and
	// ManagedBy. A slice that has a label of Key with another value belongs to another parent and
	// is not taken over. Names that do not exist are ignored.
	Adopt []string
	// Labels and Annotations are written to every slice. If Key or ManagedBy set a label, Labels
	// cannot change it. The annotation with the trigger time is an error here, because the field
	// TriggerTime sets it.
	Labels, Annotations map[string]string
	// AddressTypes are the types that the set may have. Slices of other types are deleted, and
	// endpoints of other types are skipped. If nil or empty, the types are those of Groups. If no
	// group has an address type or an endpoint, they are the types of the set's existing slices.
	AddressTypes []discoveryv1.AddressType
	// TriggerTime is the value of the annotation endpoints.kubernetes.io/last-change-trigger-time
	// on slices that the plan writes for another reason. It never causes a write.
	//
	//   - If nil, each of these slices gets its own time: the earliest Group.Changed of all
	//     endpoints in it whose change counts (see below). A slice without such an endpoint gets no
	//     annotation.
	//   - If it is the zero time, the annotation is removed.
	//   - If it is any other time, all of these slices get that time.
	//
	// The change of an endpoint counts in two cases:
	//
	//   - No slice of the set held the endpoint before, on any ports.
	//   - The endpoint started or stopped serving. Whether it served before is read from its
	//     current slice. If it has no current slice, the change counts only if no slice of the set
	//     holds the endpoint with the serving condition that is wanted now. A nil serving condition
	//     means true.
	//
	// Stale slices and slices that are being deleted do not count as slices of the set here.
	TriggerTime *time.Time
	// Created is the time at which the parent was created. A Group.Changed before Created has no
	// effect. If the set has no slice yet, Created is the trigger time of all slices that are
	// written. This does not apply with NoPlaceholder, because such a set may have no slices long
	// after the parent was created. If Created is zero, the time is not known, and the trigger time
	// comes from Group.Changed even for the first slices. If TriggerTime is not nil, Created and
	// Group.Changed have no effect.
	Created time.Time
	// Terminating says that the parent is being deleted. Then no slice is created, and no wanted
	// endpoint leaves its current slice, even if that slice is above the maximum. An endpoint for
	// which no slice has room is skipped (NoRoom).
	Terminating bool
}

// Group is a list of endpoints that share an address type and ports.
type Group struct {
	// AddressType is the type of all addresses. If empty, the first address of each endpoint
	// decides.
	AddressType discoveryv1.AddressType
	// Ports are the ports of the slices, in any order. As in the API server, a nil name means ""
	// and a nil protocol means TCP. A nil number stays nil: discovery/v1 does not define it, and in
	// v1beta1 it meant all ports. If Ports is nil or empty, the slices have no ports.
	//
	// The API documentation of EndpointSlice allows 100 ports. The API server accepts 20 000, and
	// so does Compute. If the API server would refuse the ports, no endpoint of the group is
	// published, and there is one Skip (InvalidPorts).
	Ports []discoveryv1.EndpointPort
	// Endpoints are in any order. deprecatedTopology is ignored, because the API server drops it.
	Endpoints []discoveryv1.Endpoint
	// Changed has for each endpoint the time at which it last started or stopped serving. It is
	// used for the trigger time. For a Pod, use the last transition of its Ready condition. Changed
	// has the same number of elements as Endpoints. A zero time is not known. If Changed is nil or
	// empty, no time is known.
	Changed []time.Time
}

// Options choose between behaviours. The zero value does what Kubernetes does, except for the
// deviations that PROMISES.md lists. An unknown value is an error.
type Options struct {
	// MaxEndpointsPerSlice is the largest number of endpoints in a slice, from 1 to 1000. More than
	// 1000 are not allowed by the API. 0 means 100, the default of kube-controller-manager's flag
	// --max-endpoints-per-slice.
	MaxEndpointsPerSlice int
	// Packing says how endpoints are distributed over slices. If empty, InPlace.
	Packing Packing
	// DissolveUpTo makes Compact dissolve only slices that are at most this full, in percent of the
	// maximum, from 1 to 100. 0 means 100. With a lower value, fewer endpoints move and fewer bytes
	// are sent, but more slices are left. Without Compact it must be 0.
	DissolveUpTo int
	// ByTargetUID identifies endpoints by the UID of their targetRef. A Pod that changes its
	// address then keeps its place in its slice. This applies only to groups in which every
	// endpoint has a UID and no UID occurs twice. In all other groups, and if ByTargetUID is false,
	// an endpoint is identified by its set of addresses in canonical spelling, its hostname, and
	// the kind, namespace and name of its targetRef.
	ByTargetUID bool
	// SplitOversize causes a write of each slice that holds more endpoints than the maximum. If
	// false, such a slice stays as it is until it is written for another reason.
	SplitOversize bool
	// NoPlaceholder leaves an address type without endpoints without a slice. If false, one slice
	// without endpoints and ports is kept for each such address type.
	NoPlaceholder bool
	// GeneratedNames leaves the names of new slices to the API server (generateName), as Kubernetes
	// does. A plan that is made from a late cache may then create the same slice a second time. If
	// false, names are stable, and the second create fails with AlreadyExists. A stable name is the
	// prefix, a hash of the set, the address type and a number, as in web-x7k2qbn4-ipv4-2.
	GeneratedNames bool
	// Invalid says what happens to endpoints that the API server would refuse. If empty, LeaveOut.
	// Only fields that are published are checked. For example, hints of endpoints are checked only
	// if Hints.Mode is hints.Given.
	Invalid Invalid
	// ExplicitConditions distinguishes a nil condition from its default. If a slice has nil and the
	// explicit value is wanted, the value is then written. If false, nil and the default are equal.
	ExplicitConditions bool
	// KeepForeignLabels keeps labels that other clients put on the set's slices. If false, the
	// labels are exactly those of the set.
	KeepForeignLabels bool
	// RemoveForeignAnnotations removes all annotations that are not those of the set. If false,
	// annotations of other clients are kept.
	RemoveForeignAnnotations bool
}

// Packing says how endpoints are distributed over slices. The zero value is InPlace.
type Packing string

const (
	// InPlace leaves every endpoint in its current slice, as Kubernetes does.
	InPlace Packing = ""
	// Compact joins slices that are written anyway. Fewer and fuller slices are left, without an
	// additional write in that plan. In the picture, letters are endpoints, - is a free place, *
	// marks a slice that is written anyway, and the maximum is 4:
	//
	//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -]  gone       [d - - -]   two writes either way
	//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five do not fit into one
	//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the other is clean
	//	*[a b c -] *[d - - -]              ->   *[a b c d]  gone                   [d - - -] is 25% full: DissolveUpTo 25 suffices
	//
	// Compact takes an endpoint out of a slice only if that slice is dissolved or holds too many
	// endpoints, and never out of a clean slice.
	//
	// With Compact, endpoints move between slices. Readers that handle each slice on its own must
	// be able to handle that. A write of a fuller slice also sends more bytes. While the parent is
	// being deleted, Compact does the same as InPlace.
	Compact Packing = "Compact"
)

// Invalid says what happens to endpoints that the API server would refuse. The zero value is
// LeaveOut.
type Invalid string

const (
	// LeaveOut lists these endpoints in Plan.Skips and publishes all others.
	LeaveOut Invalid = ""
	// Fail makes each of these endpoints an error of Compute. The same then applies to groups whose
	// ports would be refused, owners without a UID, endpoints of address types that are not wanted,
	// and differing duplicates.
	Fail Invalid = "Fail"
	// Pass publishes endpoints unchecked, for an API server that is newer than this library. An
	// endpoint whose address type cannot be told is still a Skip.
	Pass Invalid = "Pass"
)

const defaultMaxEndpoints = 100

func groupPath(i int) *field.Path { return field.NewPath("groups").Index(i) }

// Pointers returns pointers to the values of a list, in the order of the list. Use it for the lists
// of typed clients, which have values, because this package takes pointers. If the list is nil or
// empty, the result is empty.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
