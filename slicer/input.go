package slicer

import (
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
)

// Input is what is wanted, and how. Compute reads it and changes nothing that it reaches.
type Input struct {
	// Set is the owner of the slices, and what each of them carries.
	Set Set
	// Groups are the wanted endpoints. The order of the groups, and of the endpoints in them, does
	// not count. Groups with the same address type and equal ports are merged. If nil or empty,
	// nothing is wanted.
	Groups []Group
	// Hints says where hints for zones and Nodes come from. The zero value removes all hints.
	Hints hints.Options
	// Options choose how the slices are planned.
	Options Options
	// Skips are what was left out when the Input was derived. They go into Plan.Skips. nil and
	// empty mean nothing.
	Skips []Skip
}

// Set names the owner of a set of slices, and what every slice of the set carries.
type Set struct {
	// Namespace and Name are those of the parent: a Service, an Endpoints or any other owner. Both
	// are required.
	Namespace, Name string
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by: a name that no
	// other manager uses, such as "slices.example.com". It is required.
	ManagedBy string
	// Key are the labels that, with ManagedBy, tell this set's slices from all others. They are
	// always written. Two sets of one manager need different Keys. If nil or empty, it is
	// kubernetes.io/service-name=Name.
	//
	// Key or Labels may have this label with the name of a Service that is neither the parent nor
	// an owner. That is a Skip with the reason OtherService.
	Key map[string]string
	// NamePrefix starts the names of new slices. If empty, it is Name and a dash. A prefix that
	// makes no valid name is an error only if the plan creates a slice.
	NamePrefix string
	// Owners are put into the owner references of every slice, by their UIDs. There are at most
	// 100, and no UID occurs twice. An owner without a UID is left out, with a Skip
	// (OwnerWithoutUID). nil and empty mean none.
	Owners []metav1.OwnerReference
	// Adopt names slices to take over although they do not have all of the labels above. A slice
	// that has a label of Key with another value belongs to another parent and is not taken over.
	// Names that do not exist are ignored.
	Adopt []string
	// Labels and Annotations are wanted on every slice. Key and ManagedBy win over Labels. The
	// annotation with the trigger time is an error here, because it has a field of its own.
	Labels, Annotations map[string]string
	// AddressTypes are the types that the set may have. Slices of other types are deleted, and
	// endpoints of other types are skipped. If nil or empty, they are the types of Groups. If the
	// Groups name no type and have no endpoint, they are the types of the set's existing slices.
	AddressTypes []discoveryv1.AddressType
	// TriggerTime is the value of the annotation endpoints.kubernetes.io/last-change-trigger-time
	// on slices that the plan writes for another reason. It never causes a write.
	//
	//   - nil: each of these slices gets the earliest Group.Changed of its endpoints whose change
	//     the trigger time records. A slice without such an endpoint gets no annotation.
	//   - The zero time: the annotation is removed.
	//   - Any other time: all of these slices get it.
	//
	// The trigger time records the change of an endpoint in two cases: no slice of the set held the
	// endpoint before, on any ports; or the endpoint serves and did not, or the other way round.
	// The current slice says whether it served. If an endpoint has no current slice, its change is
	// not recorded if any slice already says what is wanted. A nil serving condition means true.
	// Stale slices and slices that are being deleted do not count.
	TriggerTime *time.Time
	// Created is when the parent was created. Changes before it do not count. If the set has no
	// slice yet, Created is the trigger time of all slices that are written, unless NoPlaceholder
	// is set. If TriggerTime is not nil, Created and Group.Changed have no effect. The zero time
	// means not known: Group.Changed then counts from the first slice on.
	Created time.Time
	// Terminating says that the parent is being deleted. Then nothing is created, and no endpoint
	// leaves its current slice, not even a slice above the maximum. Endpoints for which no slice
	// has room are Skips.
	Terminating bool
}

// Group is a list of endpoints that share an address type and ports.
type Group struct {
	// AddressType is the type of all addresses. If empty, the first address of each endpoint
	// decides.
	AddressType discoveryv1.AddressType
	// Ports are the ports of the slices, in any order. As for the API server, a nil name means ""
	// and a nil protocol means TCP. A nil number means all ports. nil and empty mean slices without
	// ports.
	//
	// The API documentation of EndpointSlice allows 100 ports. The API server accepts 20 000, and
	// so does Compute. If the API server would refuse the ports, no endpoint of the group is
	// published, and there is one Skip (InvalidPorts).
	Ports []discoveryv1.EndpointPort
	// Endpoints are in any order. deprecatedTopology is ignored, because the API server drops it.
	Endpoints []discoveryv1.Endpoint
	// Changed is when each endpoint last started or stopped serving, for the trigger time. For a
	// Pod that is the last transition of its Ready condition. It has the same number of elements as
	// Endpoints. A zero time means not known. nil and empty mean not known of any endpoint.
	Changed []time.Time
}

// Options choose between behaviours. The zero value does what Kubernetes does, except for the
// deviations that PROMISES.md lists. An unknown value is an error.
type Options struct {
	// MaxEndpointsPerSlice is the largest number of endpoints of a slice, from 1 to 1000, the most
	// that the API allows. 0 means 100, as for kube-controller-manager's flag
	// --max-endpoints-per-slice.
	MaxEndpointsPerSlice int
	// Packing says which slices take and give endpoints. If empty, InPlace.
	Packing Packing
	// DissolveUpTo is how full a slice may be for Compact to dissolve it, in percent of the
	// maximum, from 1 to 100. 0 means 100. A lower value moves fewer endpoints and sends fewer
	// bytes, and leaves more slices. Without Compact it must be 0.
	DissolveUpTo int
	// ByTargetUID identifies endpoints by the UID of their targetRef, in each group in which every
	// endpoint has a UID of its own. A Pod that changes its address then keeps its place in its
	// slice. In all other groups, and if this is false, an endpoint is identified by its canonical
	// addresses as a set, its hostname, and the kind, namespace and name of its targetRef.
	ByTargetUID bool
	// SplitOversize writes slices that hold more than the maximum at once. If false, they stay as
	// they are until they are written for another reason.
	SplitOversize bool
	// NoPlaceholder keeps no slice for an address type without endpoints. If false, one slice
	// without endpoints and ports stays for each such address type.
	NoPlaceholder bool
	// GeneratedNames leaves the names of new slices to the API server (generateName), as Kubernetes
	// does. A plan that is made from a late cache may then create a slice twice. If false, names
	// are stable, so that such a create fails with AlreadyExists. A stable name is the prefix, a
	// hash of the set, the address type and a number, as in web-x7k2qbn4-ipv4-2.
	GeneratedNames bool
	// Invalid says what becomes of endpoints that the API server would refuse. If empty, SetAside.
	// Only what is published is checked. For example, hints of endpoints are checked only if
	// Hints.Mode is hints.Given.
	Invalid Invalid
	// ExplicitConditions makes a nil condition differ from its default, so that a wanted explicit
	// value is written over nil. If false, nil and the default are equal.
	ExplicitConditions bool
	// KeepForeignLabels keeps labels that others put on the set's slices. If false, the labels are
	// exactly those of the set.
	KeepForeignLabels bool
	// RemoveForeignAnnotations makes the annotations exactly those of the set. If false, those of
	// others stay.
	RemoveForeignAnnotations bool
}

// Packing says which slices take and give endpoints. The zero value is InPlace.
type Packing string

const (
	// InPlace is Kubernetes' algorithm: every endpoint stays where it is.
	InPlace Packing = ""
	// Compact joins slices that are written anyway, so that fewer and fuller slices are left at no
	// extra write in that plan. In the picture letters are endpoints, - is a free place, * marks a
	// slice that is written anyway, and the maximum is 4:
	//
	//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -]  gone       [d - - -]   two writes either way
	//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five do not fit into one
	//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the other is clean
	//	*[a b c -] *[d - - -]              ->   *[a b c d]  gone                   DissolveUpTo of 25 percent suffices
	//
	// Compact considers plans in which an endpoint leaves a slice only if that slice is dissolved
	// or holds too many endpoints, and in which no clean slice gives up an endpoint. Of these it
	// makes one with the fewest writes, then the fewest slices, then the fewest endpoints that
	// move.
	//
	// Endpoints move between slices, so readers that handle slices one by one must cope with that.
	// Fuller slices are more bytes for each write. While the parent is being deleted, Compact does
	// what InPlace does.
	Compact Packing = "Compact"
)

// Invalid says what becomes of endpoints that the API server would refuse. The zero value is
// SetAside.
type Invalid string

const (
	// SetAside lists them in Plan.Skips and publishes the rest.
	SetAside Invalid = ""
	// Fail makes them an error.
	Fail Invalid = "Fail"
	// Pass does not check them, for an API server that is newer than this library.
	Pass Invalid = "Pass"
)

const defaultMaxEndpoints = 100

func groupPath(i int) *field.Path { return field.NewPath("groups").Index(i) }

// Pointers returns a pointer to each value of a list, in its order. Typed clients list values, and
// this package takes pointers. If the list is nil or empty, the result is empty.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
