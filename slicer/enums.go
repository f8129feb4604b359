package slicer

// Packing says which slices take and give endpoints. The zero value is InPlace.
type Packing uint8

const (
	// InPlace is Kubernetes' algorithm: every endpoint stays where it is.
	InPlace Packing = iota
	// Compact joins slices that are written anyway, so that fewer and fuller ones are left at no extra write. In the picture
	// letters are endpoints, - is a free place, * marks a dirty slice, and the maximum is 4:
	//
	//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -]  gone       [d - - -]   two writes either way
	//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five do not fit into one
	//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the other is clean
	//	*[a b - -]  [c - - -]              ->   *[a b c -]  gone                   with ExtraWrites of 1
	//	*[a b c -] *[d - - -]              ->   *[a b c d]  gone                   DissolveUpTo of 25 percent suffices
	//
	// Compact considers plans in which an endpoint leaves a slice only if that slice is dissolved or holds too many, and in
	// which, except for ExtraWrites, no clean slice gives up an endpoint. Of these it makes one with the fewest writes, then
	// the fewest slices, then the fewest endpoints that move. With ExtraWrites the slices come first, then the writes.
	//
	// Endpoints move between slices, and readers that handle slices one by one must cope with that. Fuller slices are more
	// bytes for each write. While the parent is terminating Compact does what InPlace does.
	Compact
)

// Invalid says what becomes of endpoints that the API server would refuse. The zero value is SetAside.
type Invalid uint8

const (
	// SetAside lists them in Plan.Skips and publishes the rest.
	SetAside Invalid = iota
	// Fail makes them an error.
	Fail
	// Pass checks nothing of them, for an API server that is newer than this library.
	Pass
)

// Verb is what a step does.
type Verb uint8

const (
	// Create makes a new slice.
	Create Verb = iota + 1
	// Update replaces a slice.
	Update
	// Delete removes a slice.
	Delete
)

// Reason says why a slice is written. A step has all that apply.
type Reason uint8

const (
	// EndpointsAdded: endpoints that are wanted found room here.
	EndpointsAdded Reason = iota + 1
	// EndpointsRemoved: it held endpoints that are no longer wanted, or that moved to another port set.
	EndpointsRemoved
	// EndpointsChanged: conditions, zone, node or another field of an endpoint differ.
	EndpointsChanged
	// DuplicatesRemoved: it held endpoints that are at home in another slice, or held one twice.
	DuplicatesRemoved
	// PortsChanged: a slice whose port set disappeared, or that lost all its endpoints, was taken for another port set.
	PortsChanged
	// HintsChanged: hints of endpoints that stay differ.
	HintsChanged
	// LabelsChanged: labels differ from the set's.
	LabelsChanged
	// AnnotationsChanged: annotations differ from the set's, other than by the trigger time.
	AnnotationsChanged
	// OwnersChanged: owner references of the set are missing or differ.
	OwnersChanged
	// OversizeSplit: it held more than the maximum.
	OversizeSplit
	// PlaceholderWanted: its address type has no endpoint and keeps one empty slice.
	PlaceholderWanted
	// NothingLeft: nothing that is wanted is at home here.
	NothingLeft
	// AddressTypeGone: its address type is no longer wanted.
	AddressTypeGone
	// OwnerStale: it belongs to an earlier owner of the same name.
	OwnerStale
	// Dissolved: what was at home here found room in other slices that are written (Compact).
	Dissolved
	// Compacted: nothing in it must change; it is written so that fewer slices are left (Compact).
	Compacted
)

// IgnoreReason says why a slice is not the plan's to write.
type IgnoreReason uint8

const (
	// Foreign slices belong to another manager or another set.
	Foreign IgnoreReason = iota + 1
	// Dying slices are being deleted already.
	Dying
)
