package dedup

import (
	"strings"
)

// Delta is what a Flush changed at one service port, or at a Service. An empty one is never made.
type Delta struct {
	// Port says where. With an empty Protocol the delta is about the Service itself, and only Appeared or Gone is set.
	Port ServicePort
	// Appeared: it was not known before. A Service is known while a slice says that it belongs to it, and a port while
	// a slice has it, with endpoints or without.
	Appeared bool
	// Gone: it is not known any more.
	Gone bool
	// Added and Removed are endpoints, and Changed those whose significant fields differ, all in the order of a View,
	// each address and number in one of the three. An endpoint that another slice holds alike has not changed.
	Added, Removed []Endpoint
	Changed        []Change
}

// Change is an endpoint before and after.
type Change struct {
	Old, New Endpoint
	// Fields are those that differ, whether significant or not.
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
	for _, e := range d.Added {
		words = append(words, "+"+e.String())
	}
	for _, c := range d.Changed {
		words = append(words, "~"+c.New.String()+"("+c.Fields.String()+")")
	}
	for _, e := range d.Removed {
		words = append(words, "-"+e.String())
	}
	return strings.Join(words, " ")
}

func (d *Delta) empty() bool {
	return !d.Appeared && !d.Gone && len(d.Added)+len(d.Removed)+len(d.Changed) == 0
}

// note records what became of an item; before or after is nil where there is none. A nil Delta takes no notes.
func (d *Delta) note(before, after *item, significant Fields) {
	switch {
	case d == nil:
	case before == nil && after != nil:
		d.Added = append(d.Added, after.endpoint())
	case before != nil && after == nil:
		d.Removed = append(d.Removed, before.endpoint())
	case before != nil:
		if fields := differ(before.record, after.record); fields&significant != 0 {
			d.Changed = append(d.Changed, Change{Old: before.endpoint(), New: after.endpoint(), Fields: fields})
		}
	}
}
