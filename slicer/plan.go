package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/notation"
)

// Plan says what to write and why, and what was left alone and why. Its zero value says that there is nothing to do.
type Plan struct {
	// Steps are the writes in the order in which it is safe to apply them, and to be cut off after any of them:
	// creates, then updates, then deletes. Apply carries them out.
	Steps []Step
	// Unchanged are our slices that need no write: the caller's pointers, sorted by name.
	Unchanged []*discoveryv1.EndpointSlice
	// Ignored are the slices of the set's parent that the plan must not touch, with the reason, sorted by name. Slices of other
	// parents are not listed.
	Ignored []Ignored
	// Skips are what is wanted and not published, with the reason: those of Input.Skips, endpoints that the API server would
	// refuse, and while the parent is terminating those for which no slice has room. They are sorted by address type, ports,
	// address and object. nil if there are none. See [Plan.Err] and [Plan.Retry].
	Skips []Skip
	// Hints has one decision for each wanted address type.
	Hints []hints.Decision

	prefix string // of generated names
	max    int    // endpoints per slice; 0 for the zero Plan
}

// Step is one write.
type Step struct {
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
	Slice  *discoveryv1.EndpointSlice // the caller's pointer
	Reason IgnoreReason
}

// String is one line for people, such as "web-f: Foreign".
func (i Ignored) String() string { return notation.Quote(nameOf(i.Slice)) + ": " + string(i.Reason) }

// Empty reports whether there is nothing to write.
func (p Plan) Empty() bool { return len(p.Steps) == 0 }
