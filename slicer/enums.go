package slicer

// Packing says which slices take and give endpoints. The zero value is InPlace.
type Packing string

const (
	// InPlace is Kubernetes' algorithm: every endpoint stays where it is.
	InPlace Packing = ""
	// Compact joins slices that are written anyway, so that fewer and fuller ones are left at no extra write. In the picture
	// letters are endpoints, - is a free place, * marks a dirty slice, and the maximum is 4:
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

// Verb is what a step does, spelt like the verbs of the Kubernetes API.
type Verb string

const (
	// Create makes a new slice.
	Create Verb = "create"
	// Update replaces a slice.
	Update Verb = "update"
	// Delete removes a slice.
	Delete Verb = "delete"
)

// Reason says why a slice is written. A step has all that apply. The word fits the reason of an Event.
type Reason string

const (
	// EndpointsAdded: endpoints that are wanted found room here.
	EndpointsAdded Reason = "EndpointsAdded"
	// EndpointsRemoved: it held endpoints that are no longer wanted, or that moved to another port set.
	EndpointsRemoved Reason = "EndpointsRemoved"
	// EndpointsChanged: conditions, zone, node or another field of an endpoint differ.
	EndpointsChanged Reason = "EndpointsChanged"
	// DuplicatesRemoved: it held endpoints that are at home in another slice, or held one twice.
	DuplicatesRemoved Reason = "DuplicatesRemoved"
	// PortsChanged: a slice whose port set disappeared, or that lost all its endpoints, was taken for another port set.
	PortsChanged Reason = "PortsChanged"
	// HintsChanged: hints of endpoints that stay differ.
	HintsChanged Reason = "HintsChanged"
	// LabelsChanged: labels differ from the set's.
	LabelsChanged Reason = "LabelsChanged"
	// AnnotationsChanged: annotations differ from the set's, other than by the trigger time.
	AnnotationsChanged Reason = "AnnotationsChanged"
	// OwnersChanged: owner references of the set are missing or differ.
	OwnersChanged Reason = "OwnersChanged"
	// OversizeSplit: it held more than the maximum.
	OversizeSplit Reason = "OversizeSplit"
	// PlaceholderWanted: its address type has no endpoint and keeps one empty slice.
	PlaceholderWanted Reason = "PlaceholderWanted"
	// NothingLeft: nothing that is wanted is at home here.
	NothingLeft Reason = "NothingLeft"
	// AddressTypeGone: its address type is no longer wanted.
	AddressTypeGone Reason = "AddressTypeGone"
	// OwnerStale: it belongs to an earlier owner of the same name.
	OwnerStale Reason = "OwnerStale"
	// Dissolved: what was at home here found room in other slices that are written (Compact).
	Dissolved Reason = "Dissolved"
	// Compacted: nothing in it must change; it is written so that fewer slices are left (Compact).
	Compacted Reason = "Compacted"
)

// IgnoreReason says why a slice is not the plan's to write.
type IgnoreReason string

const (
	// Foreign slices belong to another manager or another set.
	Foreign IgnoreReason = "Foreign"
	// Dying slices are being deleted already.
	Dying IgnoreReason = "Dying"
)

// reasonOrder lists the reasons in the order of a step.
var reasonOrder = [...]Reason{
	EndpointsAdded, EndpointsRemoved, EndpointsChanged, DuplicatesRemoved, PortsChanged, HintsChanged, LabelsChanged,
	AnnotationsChanged, OwnersChanged, OversizeSplit, PlaceholderWanted, NothingLeft, AddressTypeGone, OwnerStale, Dissolved,
	Compacted,
}
