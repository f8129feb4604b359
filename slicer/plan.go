package slicer

import (
	"cmp"
	"slices"
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
)

// Plan says which slices to write, which slices are left alone, and the reasons for both. The zero
// value writes nothing.
type Plan struct {
	// Steps are the writes: creates, then updates, then deletes. Apply them in this order, as
	// package publish does. It is safe to stop after any of them.
	Steps []Step
	// Unchanged are the set's slices that need no write. They are the caller's pointers, sorted by
	// name.
	Unchanged []*discoveryv1.EndpointSlice
	// Ignored are the slices with the set's labels that the plan must not write, each with the
	// reason. They are sorted by name. Slices of other parents are not listed.
	Ignored []Ignored
	// Skips list everything that the plan leaves out, with the reason, for example the Skips of the
	// Input, endpoints that the API server would refuse, endpoints for which no slice has room
	// while the parent is being deleted, and slices of another owner that have the set's labels.
	// They are sorted by address type, ports, address and object. If nothing is left out, Skips is
	// nil. See [Plan.Warnings] and [Plan.Retry].
	Skips []Skip
	// Hints has one decision for each wanted address type, in the order IPv4, IPv6, FQDN.
	Hints []hints.Decision

	prefix string // of generated names
	max    int    // endpoints per slice; 0 for the zero Plan
}

// Step is one write.
type Step struct {
	// Verb is what the step does. It decides which of Old and New are set.
	Verb Verb
	// Old is the slice as it is. It is the caller's pointer and read-only. It is nil for a create.
	Old *discoveryv1.EndpointSlice
	// New is the object to write. It is nil for a delete. It shares no memory with anything else,
	// so a client may decode the API server's answer into it.
	New *discoveryv1.EndpointSlice
	// Reasons say why the slice is written, in the order of the constants. There is at least one,
	// and each occurs once.
	Reasons []Reason
	// Added, Removed and Changed count endpoints by identity: endpoints that only New holds,
	// endpoints that only Old holds, and endpoints that both hold with different content or hints.
	// If Old holds an endpoint several times, the copy that is most like New is compared with New,
	// and every other copy is counted as removed. If the ports differ, all endpoints are removed
	// and added.
	Added, Removed, Changed int
}

// Preconditions returns the preconditions to pass to the API server with a delete: the UID and
// resourceVersion of Old. A precondition is nil if Old does not have the value. For a create the
// result is nil. An update needs no preconditions, because the resourceVersion in New makes it fail
// on a conflict.
func (s Step) Preconditions() *metav1.Preconditions {
	if s.Old == nil {
		return nil
	}
	p := &metav1.Preconditions{}
	if s.Old.UID != "" {
		p.UID = &[]types.UID{s.Old.UID}[0]
	}
	if s.Old.ResourceVersion != "" {
		p.ResourceVersion = &[]string{s.Old.ResourceVersion}[0]
	}
	return p
}

// Ignored is a slice that the plan must not write.
type Ignored struct {
	Slice  *discoveryv1.EndpointSlice // the caller's pointer, read-only
	Reason IgnoreReason               // why the plan must not write it
}

// String returns one line for people, such as "web-f: Foreign".
func (i Ignored) String() string { return notation.Quote(nameOf(i.Slice)) + ": " + string(i.Reason) }

// Empty reports whether there is nothing to write.
func (p Plan) Empty() bool { return len(p.Steps) == 0 }

// After returns the set's slices as they will be once every step is applied: first the unchanged
// slices, then the created and updated ones in the order of Steps. If no slice is left, the result
// is nil.
//
// A slice whose name the API server will generate gets its prefix and a number as the name. The
// numbers start at 1, in the order of Steps, and skip names that are taken. These slices are
// shallow copies. All other objects belong to the plan or the caller and are read-only.
func (p Plan) After() []*discoveryv1.EndpointSlice {
	after, taken := slices.Clone(p.Unchanged), map[string]bool{}
	for _, s := range p.Unchanged {
		taken[nameOf(s)] = true
	}
	for _, s := range p.Ignored {
		taken[nameOf(s.Slice)] = true
	}
	for _, s := range p.Steps {
		taken[nameOf(s.Old)] = true
	}
	number := 0
	for _, s := range p.Steps {
		switch {
		case s.New == nil:
		case s.New.Name != "":
			after = append(after, s.New)
		default:
			named := *s.New
			for named.Name == "" || taken[named.Name] {
				number++
				named.Name = p.prefix + strconv.Itoa(number)
			}
			after = append(after, &named)
		}
	}
	return after
}

// Warnings returns the Skips whose severity is Warning, in the order of Plan.Skips, or nil if there
// are none. Write them to a log or make Events of them. They are not an error, so apply the plan in
// any case.
func (p Plan) Warnings() Skips {
	return skipsWhere(p.Skips, func(s *Skip) bool { return s.Severity == Warning })
}

// Retry returns an error that joins, in the order of Plan.Skips, the Skips that a later call with
// the same arguments may resolve. If there are no such Skips, it returns nil. In package services
// these are Pods whose Node is not known yet, and Pods whose addresses could not be read. A
// publish.Syncer returns this error after everything else is published. The error lists at most
// twenty Skips, and gives the number of the others.
func (p Plan) Retry() error {
	return skipsWhere(p.Skips, func(s *Skip) bool { return s.Retry }).join()
}

// nameOf returns the name of a slice, or "" for nil. A plan of Compute has no nil slice.
func nameOf(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return ""
	}
	return s.Name
}

// name returns the name of the step's slice. If the API server will generate the name, it is the
// prefix and a star.
func (s *Step) name() string {
	return name(cmp.Or(s.New, s.Old))
}

func name(s *discoveryv1.EndpointSlice) string {
	if s.Name == "" {
		return notation.Quote(s.GenerateName) + "*"
	}
	return notation.Quote(s.Name)
}

// Verb is what a step does. It is spelt like the verb of the Kubernetes API.
type Verb string

const (
	// Create makes a new slice.
	Create Verb = "create"
	// Update replaces a slice.
	Update Verb = "update"
	// Delete removes a slice.
	Delete Verb = "delete"
)

// Reason is why a slice is written. Step.Reasons has all reasons that apply. The value of a Reason
// is valid as the reason of an Event.
type Reason string

const (
	// EndpointsAdded: the slice takes wanted endpoints.
	EndpointsAdded Reason = "EndpointsAdded"
	// EndpointsRemoved: the slice held endpoints that are no longer wanted, or are wanted with
	// other ports.
	EndpointsRemoved Reason = "EndpointsRemoved"
	// EndpointsChanged: the conditions, the zone, the Node or another field of an endpoint differ.
	EndpointsChanged Reason = "EndpointsChanged"
	// DuplicatesRemoved: the slice held copies of endpoints that stay in another slice, or held an
	// endpoint twice.
	DuplicatesRemoved Reason = "DuplicatesRemoved"
	// PortsChanged: the slice gets other ports, because no endpoint is wanted on its old ports, or
	// because no endpoint stays in it.
	PortsChanged Reason = "PortsChanged"
	// HintsChanged: endpoints that stay in the slice get other hints.
	HintsChanged Reason = "HintsChanged"
	// LabelsChanged: the labels differ from those of the set.
	LabelsChanged Reason = "LabelsChanged"
	// AnnotationsChanged: annotations other than the trigger time differ from those of the set.
	AnnotationsChanged Reason = "AnnotationsChanged"
	// OwnersChanged: owner references of the set are missing or differ.
	OwnersChanged Reason = "OwnersChanged"
	// OversizeSplit: the slice held more endpoints than the maximum.
	OversizeSplit Reason = "OversizeSplit"
	// PlaceholderWanted: the address type has no endpoint, so one empty slice is kept for it.
	PlaceholderWanted Reason = "PlaceholderWanted"
	// NothingLeft: no wanted endpoint has this slice as its current slice.
	NothingLeft Reason = "NothingLeft"
	// AddressTypeGone: the address type of the slice is no longer wanted.
	AddressTypeGone Reason = "AddressTypeGone"
	// OwnerStale: the slice belongs to an earlier owner with the same name.
	OwnerStale Reason = "OwnerStale"
	// Dissolved: the endpoints of the slice go into other slices that are written (Compact).
	Dissolved Reason = "Dissolved"
	// Compacted: nothing in the slice had to change. It is written so that fewer slices are left
	// (Compact).
	Compacted Reason = "Compacted"
)

// IgnoreReason is why the plan must not write a slice.
type IgnoreReason string

const (
	// Foreign slices belong to another manager, to another set, or to another owner that publishes
	// under the labels of this set. In the last case, the plan has a Skip (OtherOwner).
	Foreign IgnoreReason = "Foreign"
	// Dying slices are being deleted already.
	Dying IgnoreReason = "Dying"
)
