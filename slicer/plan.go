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

// Plan says what to write and why, and what was left alone and why. Its zero value says that there is nothing to do.
type Plan struct {
	// Steps are the writes in the order in which it is safe to apply them, and to be cut off after any of them:
	// creates, then updates, then deletes. Package publish carries them out.
	Steps []Step
	// Unchanged are our slices that need no write: the caller's pointers, sorted by name.
	Unchanged []*discoveryv1.EndpointSlice
	// Ignored are the slices with the set's labels that the plan must not touch, with the reason,
	// sorted by name. Slices of other parents are not listed.
	Ignored []Ignored
	// Skips are everything that the plan leaves out, with the reason: those of Input.Skips, endpoints
	// that the API server would refuse, endpoints without room in any slice while the parent is being
	// deleted, and slices of another owner that have the set's labels. They are sorted by address
	// type, ports, address and object. nil if there are none. See [Plan.Warnings] and [Plan.Retry].
	Skips []Skip
	// Hints has one decision for each wanted address type, in the order IPv4, IPv6, FQDN.
	Hints []hints.Decision

	prefix string // of generated names
	max    int    // endpoints per slice; 0 for the zero Plan
}

// Step is one write.
type Step struct {
	// Verb says which of Old and New there are.
	Verb Verb
	// Old is the caller's pointer to the slice as it is; nil for a create. Read-only.
	Old *discoveryv1.EndpointSlice
	// New is the object to write; nil for a delete. It shares no memory with anything else, so that a client may decode
	// the API server's answer into it.
	New *discoveryv1.EndpointSlice
	// Reasons say why, in the order of their declaration, each once, at least one.
	Reasons []Reason
	// Added, Removed and Changed count endpoints by identity: those that only New holds, those that only Old holds, and
	// those that both hold with different content or hints. If Old holds an endpoint several times, the copy that is most
	// like New counts, and each other copy counts as removed. When the ports differ, all are removed and added.
	Added, Removed, Changed int
}

// Preconditions returns what a delete must check on the API server, the UID and resourceVersion of Old, each nil where
// Old has none; nil for a create. An update needs none: the resourceVersion in New makes it fail on a conflict.
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

// Ignored is a slice that is not the plan's to write.
type Ignored struct {
	Slice  *discoveryv1.EndpointSlice // the caller's pointer, read-only
	Reason IgnoreReason               // why it is left alone
}

// String is one line for people, such as "web-f: Foreign".
func (i Ignored) String() string { return notation.Quote(nameOf(i.Slice)) + ": " + string(i.Reason) }

// Empty reports whether there is nothing to write.
func (p Plan) Empty() bool { return len(p.Steps) == 0 }

// After returns our slices as they will be once every step is applied: the unchanged ones, the updated and the created
// in the order of Steps. A create that leaves its name to the API server is shown as prefix and number, counted from 1
// in that order. The objects are the plan's and the caller's own, read-only, except creates so named, which are
// shallow copies. nil when nothing is left.
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

// Warnings returns the Skips whose severity is Warning, in their order; nil if there are none. They
// are for a log or for Events and are not an error: apply the plan all the same.
func (p Plan) Warnings() Skips {
	return skipsWhere(p.Skips, func(s *Skip) bool { return s.Severity == Warning })
}

// Retry returns the Skips for which it helps to call again later, joined in their order; nil if there
// are none. These are Pods whose Node is not known yet, and Pods whose addresses could not be read. A
// publish.Syncer returns it when all else is published. After twenty Skips, the error only has the
// number of the others.
func (p Plan) Retry() error {
	return skipsWhere(p.Skips, func(s *Skip) bool { return s.Retry }).join()
}

// nameOf is empty for nil, which a plan of Compute does not have.
func nameOf(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return ""
	}
	return s.Name
}

// name is the name of the step's slice, with a star where the API server will complete it.
func (s *Step) name() string {
	return name(cmp.Or(s.New, s.Old))
}

func name(s *discoveryv1.EndpointSlice) string {
	if s.Name == "" {
		return notation.Quote(s.GenerateName) + "*"
	}
	return notation.Quote(s.Name)
}

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
	// Foreign slices belong to another manager, to another set, or to another owner that publishes
	// under the labels of this set. Of the last kind there is a Skip with the reason OtherOwner.
	Foreign IgnoreReason = "Foreign"
	// Dying slices are being deleted already.
	Dying IgnoreReason = "Dying"
)
