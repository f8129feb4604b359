package deduptest

import "slices"

// Guarantee is one thing that a reader promises. The package comment says what each of them means.
type Guarantee string

const (
	// All: an endpoint that a slice holds is seen.
	All Guarantee = "all"
	// Only: what is seen is held by a slice, in that state.
	Only Guarantee = "only"
	// Once: an address and port number is seen once behind each service port.
	Once Guarantee = "once"
	// Steady: what is seen of a place stays the same until a slice that holds it changes.
	Steady Guarantee = "steady"
	// NoPanic: neither Event nor See nor Use panics.
	NoPanic Guarantee = "no-panic"
	// Pure: slices of events stay as they are.
	Pure Guarantee = "pure"
	// Hints: hints are obeyed for a service port as a whole. It is judged for readers with Use.
	Hints Guarantee = "hints"

	// Order is judged on request: where slices disagree, the newest copy of one target counts, then the most useful copy.
	Order Guarantee = "order"
	// SameList is judged on request: the same slices give the same list, in the same order.
	SameList Guarantee = "same-list"
)

// guarantees are all of them, each with the sentence that a story begins with.
var guarantees = []struct {
	name      Guarantee
	sentence  string
	onRequest bool
}{
	{All, "an endpoint that a slice holds is seen", false},
	{Only, "what is seen is held by a slice, in that state", false},
	{Once, "an address and port number is seen once behind a service port", false},
	{Steady, "what is seen of a place stays the same until a slice that holds it changes", false},
	{NoPanic, "nothing panics", false},
	{Pure, "the slices of events stay as they are", false},
	{Hints, "hints are obeyed for a service port as a whole", false},
	{Order, "where slices disagree, the newest copy of one target counts, then the most useful copy", true},
	{SameList, "the same slices give the same list, in the same order", true},
}

// heading is the first line of a story.
func (g Guarantee) heading() string {
	for _, known := range guarantees {
		if known.name == g {
			return string(g) + ": " + known.sentence
		}
	}
	return string(g)
}

// judged lists the guarantees that a run judges, in their order.
func (o *Options) judged() []Guarantee {
	var names []Guarantee
	for _, g := range guarantees {
		if !g.onRequest || slices.Contains(o.Also, g.name) {
			names = append(names, g.name)
		}
	}
	return names
}
