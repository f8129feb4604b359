package dedup

import (
	"iter"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/view"
)

// Changes are what a Flush changed. All three lists are the caller's, and nil if they are empty.
type Changes struct {
	// Appeared are the Services that were not known before, and Gone those that are not known any more, by namespace and name.
	// A Service is known while a slice says that it belongs to it.
	Appeared, Gone []types.NamespacedName
	// Ports are the service ports at which something changed, those of the Services that came and went included, in the order
	// of ServicePort.Compare. Each is there once.
	Ports []Delta
}

// Delta is what a Flush changed at one service port. An empty one is never made. Like a View it never
// changes, so any number of goroutines may read it and keep it. Its endpoints are made as they are read; a caller who asks only
// which ports changed makes none.
type Delta struct {
	// Port is the service port that changed.
	Port ServicePort
	// Appeared: it was not known before. A port is known while a slice has it, with endpoints or without.
	Appeared bool
	// Gone: it is not known any more.
	Gone bool

	change view.Change
}

// Added yields the endpoints that are there now and were not before, in the order of a View. Each address and number is among
// those added, removed or changed once at most. An endpoint that another slice holds alike has not changed.
func (d Delta) Added() iter.Seq[Endpoint] { return endpointsOf(d.change.Added) }

// Removed yields the endpoints that were there before and are not now, in the order of a View.
func (d Delta) Removed() iter.Seq[Endpoint] { return endpointsOf(d.change.Removed) }

// Changed yields the endpoints of which a field differs, in the order of a View. Change.Fields says which, for readers to whom
// some fields make no difference.
func (d Delta) Changed() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for i := range d.change.Changed {
			p := &d.change.Changed[i]
			if !yield(Change{Old: endpointOf(p.Old.Claim), New: endpointOf(p.New.Claim), Fields: Fields(p.Old.Differences(p.New.Claim))}) {
				return
			}
		}
	}
}

// Counts is how many endpoints were added, removed and changed, without reading them.
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

// Change is an endpoint before and after.
type Change struct {
	Old, New Endpoint // of one address and number
	// Fields are those that differ; at least one.
	Fields Fields
}

// String is the service port and what became of it: +added, ~changed (fields), -removed.
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
