package slicer

import (
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
)

// Input is everything that a plan depends on. Compute reads it and changes nothing that it reaches.
type Input struct {
	// Set says whose slices these are and what each of them carries.
	Set Set
	// Groups are the endpoints wanted. Their order and the order inside them do not count; groups of one address type
	// with equal ports are merged. nil and empty: nothing is wanted.
	Groups []Group
	// Existing is what the API server has in the set's namespace, of any manager, in any order, without nil. The plan's
	// Old, Unchanged and Ignored are these very pointers.
	Existing []*discoveryv1.EndpointSlice
	Options  Options
}

// Set names the owner of a set of slices and says what every slice of it carries.
type Set struct {
	// Namespace and Name are those of the parent: a Service, an Endpoints or any other owner. Both are required.
	Namespace, Name string
	// ManagedBy is the value of the label endpointslice.kubernetes.io/managed-by (S7): a name that no other manager
	// uses, such as "slices.example.com". Required.
	ManagedBy string
	// Key are the labels that, with ManagedBy, tell this set's slices from all others. They are always written. nil or
	// empty means kubernetes.io/service-name=Name.
	Key map[string]string
	// NamePrefix starts the names of new slices. Empty means Name + "-". One of which no name can be made is an error only
	// where something is created.
	NamePrefix string
	// Owners are put into the owner references of every slice, by UID. nil and empty: none.
	Owners []metav1.OwnerReference
	// Adopt names slices to take over although they lack the labels above. Names that do not exist are ignored.
	Adopt []string
	// Labels and Annotations are wanted on every slice. Key and ManagedBy win over Labels. The trigger time is no
	// annotation for here: it has a field of its own.
	Labels, Annotations map[string]string
	// AddressTypes are those the set may have; slices of other types are deleted, and an endpoint of another type is
	// rejected. Empty means those of Groups, and where these name none and have no endpoint, those of our existing
	// slices.
	AddressTypes []discoveryv1.AddressType
	// TriggerTime is when the change happened that this plan answers to (S8). It is written on slices that are written
	// anyway; the zero time removes it from those. nil: each of them gets the earliest Group.Changed of its endpoints that
	// are news, and none where nothing is. News is an endpoint that no live slice of ours held, on any ports, or whose
	// serving (where that is nil, ready) is another than was held.
	TriggerTime *time.Time
	// Created is when the parent was created. Changes before it do not count; and it is the trigger time of all that is
	// written where none of our slices is live, unless NoPlaceholder is set. TriggerTime wins over both. Zero: not known.
	Created time.Time
	// Terminating says that the parent is being deleted. Then nothing is created and no endpoint leaves its home, also
	// not from a slice above the maximum; endpoints that find no room are in Plan.Unplaced.
	Terminating bool
}

// Group is a list of endpoints that share an address type and ports.
type Group struct {
	// AddressType is that of all addresses. Empty means that each endpoint's first address decides.
	AddressType discoveryv1.AddressType
	// Ports are those of the slices, in any order. As the API server does, a nil name is taken as "" and a nil protocol
	// as TCP; a nil number means all ports. nil and empty: slices without ports.
	Ports []discoveryv1.EndpointPort
	// Endpoints in any order. deprecatedTopology is ignored, for the API server drops it.
	Endpoints []discoveryv1.Endpoint
	// Changed says when each endpoint last started or stopped serving, for the trigger time: of a Pod, the last transition
	// of its Ready condition. It has as many elements as Endpoints, where zero times say that it is not known. nil and
	// empty: not known of any.
	Changed []time.Time
}

// Options choose between behaviours. The zero value does what Kubernetes does, save the deviations that the package
// comment lists. An unknown value is an error.
type Options struct {
	// MaxEndpointsPerSlice is 1 to 1000 endpoints; 0 means 100 (S1).
	MaxEndpointsPerSlice int
	// Packing says which slices take and give endpoints.
	Packing Packing
	// ExtraWrites is how many writes beyond the fewest one plan may make, to slices that need none, so that fewer
	// slices are left (Compact only; 0 or more). They are made only where they leave fewer, so that repeated plans come
	// to an end; IPv4 takes what it can use first, then IPv6, then FQDN.
	ExtraWrites int
	// DissolveUpTo is how full a slice may be, in percent of the maximum, for Compact to dissolve it: 1 to 100, where 0
	// means 100. Less moves fewer endpoints and sends fewer bytes, and leaves more slices.
	DissolveUpTo int
	// ByTargetUID identifies endpoints by the UID of their targetRef, in each group in which every endpoint has a UID of
	// its own. A Pod that changes its address then keeps its place in its slice. False, and in all other groups: an
	// endpoint is identified by its canonical addresses as a set, its hostname, and its targetRef's kind, namespace and
	// name.
	ByTargetUID bool
	// SplitOversize writes slices that hold more than the maximum now. False: they stay as they are until they are
	// written for another reason.
	SplitOversize bool
	// NoPlaceholder keeps no slice for an address type without endpoints. False: one slice without endpoints and ports
	// stays for each such address type.
	NoPlaceholder bool
	// GeneratedNames leaves the names of new slices to the API server (generateName), as Kubernetes does; a plan made
	// from a stale cache may then create a slice twice. False: names are stable, see the package comment.
	GeneratedNames bool
	// Invalid says what becomes of endpoints that the API server would refuse.
	Invalid Invalid
	// ExplicitConditions makes a nil condition differ from its default, so that slices end up with explicit values
	// where they are wanted explicit.
	ExplicitConditions bool
	// KeepForeignLabels keeps labels that others put on our slices. False: labels are exactly the set's.
	KeepForeignLabels bool
	// RemoveForeignAnnotations makes annotations exactly the set's. False: those of others stay.
	RemoveForeignAnnotations bool
	// Hints says where zone and node hints come from. The zero value removes all.
	Hints hints.Config
}
