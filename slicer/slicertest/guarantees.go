package slicertest

import "slices"

// Guarantee is the name of something that a writer must keep. Run has a subtest of this name for each.
type Guarantee string

// The guarantees that are always judged.
const (
	Accepted     Guarantee = "accepted"
	WithinMax    Guarantee = "within-max"
	Complete     Guarantee = "complete"
	Once         Guarantee = "once"
	NoGap        Guarantee = "no-gap"
	ForeignKept  Guarantee = "foreign-kept"
	MetadataKept Guarantee = "metadata-kept"
	Labels       Guarantee = "labels"
	SameAsFresh  Guarantee = "same-as-fresh"
	FixedPoint   Guarantee = "fixed-point"
	Converges    Guarantee = "converges"
	Reports      Guarantee = "reports"
	NoPanic      Guarantee = "no-panic"
	Pure         Guarantee = "pure"
)

// The guarantees of the stricter grade, which Options.Also asks for.
const (
	NoPortGap     Guarantee = "no-port-gap"
	Deterministic Guarantee = "deterministic"
	FewestWrites  Guarantee = "fewest-writes"
	NobodyMoves   Guarantee = "nobody-moves"
)

var defaults = []Guarantee{
	Accepted, WithinMax, Complete, Once, NoGap, ForeignKept, MetadataKept, Labels, SameAsFresh, FixedPoint, Converges, Reports,
	NoPanic, Pure,
}

var stricter = []Guarantee{NoPortGap, Deterministic, FewestWrites, NobodyMoves}

var sentences = map[Guarantee]string{
	Accepted:      "the API server accepts what is written",
	WithinMax:     "no slice grows above the maximum",
	Complete:      "when all is quiet, the slices hold the wanted endpoints, with their ports and readiness, and no others",
	Once:          "when all is quiet, each endpoint is in one slice only",
	NoGap:         "an endpoint that is published on the ports that it should have stays so after every single write",
	ForeignKept:   "slices of other managers and of other Services stay as they are",
	MetadataKept:  "annotations, finalizers and owners that others put on a slice stay",
	Labels:        "after any history, the slices have the labels that the same writer gives on an empty API server",
	SameAsFresh:   "after any history, the slices say what the same writer says on an empty API server",
	FixedPoint:    "a sync that finds nothing to do sends no write",
	Converges:     "a few syncs after the last fault, a sync succeeds",
	Reports:       "a sync whose write failed returns an error",
	NoPanic:       "no sync panics",
	Pure:          "a sync does not change the objects that it is given, because informers share them",
	NoPortGap:     "an endpoint whose ports change is published on old or new ones after every single write",
	Deterministic: "the same history, with lists in another order, leads to the same writes",
	FewestWrites:  "no more slices are written than have changed, or are needed for new endpoints",
	NobodyMoves:   "an endpoint stays in its slice",
}

// Sentence says in one sentence what the guarantee promises. It is empty for a name that is none.
func (g Guarantee) Sentence() string { return sentences[g] }

func rank(g Guarantee) int { return slices.Index(append(slices.Clone(defaults), stricter...), g) }
