package dedup

import (
	"iter"
	"strings"
)

// Delta is what a Flush changed at one service port, or at a Service. An empty one is never made. Like a View it never
// changes, so any number of goroutines may read it and keep it. Its endpoints are made as they are read; a caller who asks only
// which ports changed makes none.
type Delta struct {
	// Port says where. With an empty Protocol the delta is about the Service itself, and only Appeared or Gone is set.
	Port ServicePort
	// Appeared: it was not known before. A Service is known while a slice says that it belongs to it, and a port while
	// a slice has it, with endpoints or without.
	Appeared bool
	// Gone: it is not known any more.
	Gone bool

	added   [][]item // in parts: of a port that had no endpoints these are the chunks of the view
	removed []item
	changed []change
}

// change is a Change before it is made.
type change struct {
	old, new item
	fields   Fields
}

// Added yields the endpoints that are there now and were not before, in the order of a View. Each address and number is among
// those added, removed or changed once at most. An endpoint that another slice holds alike has not changed.
func (d Delta) Added() iter.Seq[Endpoint] { return endpointsOf(d.added...) }

// Removed yields the endpoints that were there before and are not now, in the order of a View.
func (d Delta) Removed() iter.Seq[Endpoint] { return endpointsOf(d.removed) }

// Changed yields the endpoints of which a field differs, in the order of a View. Change.Fields says which, for readers to whom
// some fields make no difference.
func (d Delta) Changed() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for i := range d.changed {
			c := &d.changed[i]
			if !yield(Change{Old: c.old.endpoint(), New: c.new.endpoint(), Fields: c.fields}) {
				return
			}
		}
	}
}

// Counts is how many endpoints were added, removed and changed, without reading them.
func (d Delta) Counts() (added, removed, changed int) {
	for _, part := range d.added {
		added += len(part)
	}
	return added, len(d.removed), len(d.changed)
}

func endpointsOf(parts ...[]item) iter.Seq[Endpoint] {
	return func(yield func(Endpoint) bool) {
		for _, part := range parts {
			for i := range part {
				if !yield(part[i].endpoint()) {
					return
				}
			}
		}
	}
}

// Change is an endpoint before and after.
type Change struct {
	Old, New Endpoint
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

func (d *Delta) empty() bool {
	return !d.Appeared && !d.Gone && len(d.added)+len(d.removed)+len(d.changed) == 0
}

// note records what became of an item; before or after is nil where there is none.
func (d *Delta) note(before, after *item) {
	switch {
	case before == nil:
		if d.added == nil {
			d.added = append(d.added, nil)
		}
		d.added[0] = append(d.added[0], *after)
	case after == nil:
		d.removed = append(d.removed, *before)
	default:
		if fields := differ(before.record, after.record); fields != 0 {
			d.changed = append(d.changed, change{*before, *after, fields})
		}
	}
}
