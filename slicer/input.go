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
	// Set says whose slices these are and what each of them carries.
	Set Set
	// Groups are the endpoints wanted. Their order and the order inside them do not count; groups of one address type
	// with equal ports are merged. nil and empty: nothing is wanted.
	Groups []Group
	// Hints says where hints for zones and Nodes come from. The zero value removes all hints.
	Hints hints.Options
	// Options choose how the slices are planned.
	Options Options
	// Skips are what was left out when the Input was derived. They go into Plan.Skips. nil and empty: nothing.
	Skips []Skip
}

// Set names the owner of a set of slices and says what every slice of it carries.
type Set struct {
	// Namespace and Name are those of the parent: a Service, an Endpoints or any other owner. Both are required.
	Namespace, Name string
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by: a name that no other manager
	// uses, such as "slices.example.com". Required.
	ManagedBy string
	// Key are the labels that, with ManagedBy, tell this set's slices from all others. They are always
	// written. Two sets of one manager need different Keys. nil or empty means
	// kubernetes.io/service-name=Name. If Key or Labels have this label with the name of a Service that is
	// neither the parent nor an owner, there is a Skip, OtherService.
	Key map[string]string
	// NamePrefix starts the names of new slices. Empty means Name + "-". A prefix that makes no valid name is an error only if
	// the plan creates a slice.
	NamePrefix string
	// Owners are put into the owner references of every slice, by UID, which each has of its own: at most 100. One without UID is a
	// Skip. nil and empty: none.
	Owners []metav1.OwnerReference
	// Adopt names slices to take over although they do not have all of the labels above. A slice that
	// has a label of Key with another value belongs to another parent and is not taken over. Names that
	// do not exist are ignored.
	Adopt []string
	// Labels and Annotations are wanted on every slice. Key and ManagedBy win over Labels. The annotation with the trigger
	// time is an error here, because it has a field of its own.
	Labels, Annotations map[string]string
	// AddressTypes are the types that the set may have. Slices of other types are deleted, and endpoints of other types are
	// skipped. Empty means the types of Groups. If Groups name no type and have no endpoint, it means the types of the
	// set's existing slices.
	AddressTypes []discoveryv1.AddressType
	// TriggerTime is when the change happened that this plan answers to. It is written on slices that are written anyway, and
	// is no reason to write. The zero time removes it from these slices. nil: each of them gets the earliest Group.Changed of
	// those of its endpoints that are news, and none if no endpoint is. An endpoint is news if no slice of the set held it
	// before, on any ports, or if it serves and did not, or the other way round. Its home says whether it served; of an endpoint
	// without home it is no news if any slice says what is wanted. A nil serving condition is true. Stale slices and slices
	// that are being deleted do not count.
	TriggerTime *time.Time
	// Created is when the parent was created. Changes before it do not count. If the set has no slice yet, Created is the
	// trigger time of all slices that are written, unless NoPlaceholder is set. TriggerTime wins over both. Zero: not
	// known, so that Group.Changed counts from the first slice on.
	Created time.Time
	// Terminating says that the parent is being deleted. Then nothing is created, and no endpoint leaves its home, not even
	// in a slice above the maximum. Endpoints that find no room are Skips.
	Terminating bool
}

// Group is a list of endpoints that share an address type and ports.
type Group struct {
	// AddressType is that of all addresses. Empty means that each endpoint's first address decides.
	AddressType discoveryv1.AddressType
	// Ports are the ports of the slices, in any order. A nil name means "" and a nil protocol means TCP, as for the API
	// server. A nil number means all ports. nil and empty: slices without ports. The API documentation of EndpointSlice
	// allows 100; the API server accepts 20 000, and so does Compute. If it refuses the ports, the whole group is a Skip.
	Ports []discoveryv1.EndpointPort
	// Endpoints in any order. deprecatedTopology is ignored, because the API server drops it.
	Endpoints []discoveryv1.Endpoint
	// Changed says when each endpoint last started or stopped serving, for the trigger time: of a Pod, the last transition
	// of its Ready condition. It has as many elements as Endpoints; a zero time means not known. nil and empty: not known of
	// any endpoint.
	Changed []time.Time
}

// Options choose between behaviours. The zero value does what Kubernetes does, except for the deviations that
// PROMISES.md lists. An unknown value is an error.
type Options struct {
	// MaxEndpointsPerSlice is 1 to 1000 endpoints, the most that the API allows; 0 means 100, as for kube-controller-manager's flag
	// --max-endpoints-per-slice.
	MaxEndpointsPerSlice int
	// Packing says which slices take and give endpoints. Empty: InPlace.
	Packing Packing
	// DissolveUpTo is how full a slice may be, in percent of the maximum, for Compact to dissolve it: 1 to 100, where 0
	// means 100. Less moves fewer endpoints and sends fewer bytes, and leaves more slices. Without Compact it must be 0.
	DissolveUpTo int
	// ByTargetUID identifies endpoints by the UID of their targetRef, in each group in which every endpoint has a UID of
	// its own. A Pod that changes its address then keeps its place in its slice. In all other groups, and if this is false,
	// an endpoint is identified by its canonical addresses as a set, its hostname, and its targetRef's kind, namespace and
	// name.
	ByTargetUID bool
	// SplitOversize writes slices that hold more than the maximum at once. False: they stay as they are until they are
	// written for another reason.
	SplitOversize bool
	// NoPlaceholder keeps no slice for an address type without endpoints. False: one slice without endpoints and ports
	// stays for each such address type.
	NoPlaceholder bool
	// GeneratedNames leaves the names of new slices to the API server (generateName), as Kubernetes does; a plan made
	// from a late cache may then create a slice twice. False: names are stable, so that such a create fails with AlreadyExists: prefix,
	// hash of the set, address type and a number, as in web-x7k2qbn4-ipv4-2.
	GeneratedNames bool
	// Invalid says what becomes of endpoints that the API server would refuse. Empty: SetAside. What
	// is not published is not checked: the hints of endpoints count only if Hints.Mode is hints.Given.
	Invalid Invalid
	// ExplicitConditions makes a nil condition differ from its default, so that a wanted explicit value is written over nil.
	// False: nil and the default are equal.
	ExplicitConditions bool
	// KeepForeignLabels keeps labels that others put on the set's slices. False: labels are exactly the set's.
	KeepForeignLabels bool
	// RemoveForeignAnnotations makes annotations exactly the set's. False: those of others stay.
	RemoveForeignAnnotations bool
}

// Packing says which slices take and give endpoints. The zero value is InPlace.
type Packing string

const (
	// InPlace is Kubernetes' algorithm: every endpoint stays where it is.
	InPlace Packing = ""
	// Compact joins slices that are written anyway, so that fewer and fuller ones are left at no extra write in that plan. In
	// the picture letters are endpoints, - is a free place, * marks a dirty slice, and the maximum is 4:
	//
	//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -]  gone       [d - - -]   two writes either way
	//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five do not fit into one
	//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the other is clean
	//	*[a b c -] *[d - - -]              ->   *[a b c d]  gone                   DissolveUpTo of 25 percent suffices
	//
	// Compact considers plans in which an endpoint leaves a slice only if that slice is dissolved or holds too many, and in
	// which no clean slice gives up an endpoint. Of these it makes one with the fewest writes, then the fewest slices, then the
	// fewest endpoints that move.
	//
	// Endpoints move between slices, and readers that handle slices one by one must cope with that. Fuller slices are more
	// bytes for each write. While the parent is terminating Compact does what InPlace does.
	Compact Packing = "Compact"
)

// Invalid says what becomes of endpoints that the API server would refuse. The zero value is SetAside.
type Invalid string

const (
	// SetAside lists them in Plan.Skips and publishes the rest.
	SetAside Invalid = ""
	// Fail makes them an error.
	Fail Invalid = "Fail"
	// Pass checks nothing of them, for an API server that is newer than this library.
	Pass Invalid = "Pass"
)

const defaultMaxEndpoints = 100

func groupPath(i int) *field.Path { return field.NewPath("groups").Index(i) }

// Pointers returns a pointer to each value of a list, in its order: typed clients list values, and this package takes
// pointers. If the list is nil or empty, the result is empty.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
