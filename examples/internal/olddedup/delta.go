package dedup

import (
	"iter"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
)

// Changes are what a Flush changed. The lists are the caller's, and nil if they are empty.
type Changes struct {
	// Appeared are the Services that were not known before. Gone are the Services that are not
	// known any more. Both are in the order of namespace and name. A Service is known as long as a
	// slice belongs to it.
	Appeared, Gone []types.NamespacedName
	// Ports are the service ports at which something changed, each once, in the order of
	// ServicePort.Compare. The ports of Services that appeared or are gone are included.
	Ports []Delta
}

// Delta is what a Flush changed at one service port. It is never empty. It never changes, so any
// number of goroutines may read and keep it. Its methods build endpoints only while they are read,
// so a caller that reads only Port and Counts builds none.
type Delta struct {
	// Port is the service port that changed.
	Port ServicePort
	// Appeared is true if the port was not known before. A port is known as long as a slice has it,
	// with endpoints or without.
	Appeared bool
	// Gone is true if the port is not known any more.
	Gone bool

	change view.Change
}

// Added yields the new endpoints, in the order of a View. Each address and port number is in at
// most one of Added, Removed and Changed. An endpoint that moved to another slice, and is otherwise
// the same, is in none of them.
func (d Delta) Added() iter.Seq[Endpoint] { return endpointsOf(d.change.Added) }

// Removed yields the endpoints that no slice has any more, in the order of a View.
func (d Delta) Removed() iter.Seq[Endpoint] { return endpointsOf(d.change.Removed) }

// Changed yields the endpoints that have a changed field, in the order of a View. Change.Fields
// lists the fields, for readers that do not use all of them.
func (d Delta) Changed() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for i := range d.change.Changed {
			p := &d.change.Changed[i]
			if !yield(Change{Old: endpointOf(p.Old.Claim), New: endpointOf(p.New.Claim),
				Fields: Fields(p.Old.Differences(p.New.Claim))}) {
				return
			}
		}
	}
}

// Counts returns how many endpoints were added, removed and changed. It builds no endpoints.
func (d Delta) Counts() (added, removed, changed int) {
	return len(d.change.Added), len(d.change.Removed), len(d.change.Changed)
}

func endpointsOf(items []view.Item) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		for i := range items {
			if !yield(endpointOf(items[i].Claim)) {
				return
			}
		}
	}
}

// Change is an endpoint before and after a Flush.
type Change struct {
	Old, New Endpoint // with the same address and port number
	// Fields are the fields that changed, at least one.
	Fields Fields
}

// String returns the service port, whether it appeared or is gone, and its endpoints: +added,
// ~changed(fields) and -removed.
func (d Delta) String() string {
	words := []string{d.Port.String()}
	if d.Appeared {
		words = append(words, "appeared")
	}
	if d.Gone {
		words = append(words, "gone")
	}
	for e := range d.Added() {
		words = append(words, "+"+e.String())
	}
	for c := range d.Changed() {
		words = append(words, "~"+c.New.String()+"("+c.Fields.String()+")")
	}
	for e := range d.Removed() {
		words = append(words, "-"+e.String())
	}
	return strings.Join(words, " ")
}
