package slicer

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/meta"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

const none = -1 // no slice, no group, no item, no address type

// rules are what an Input says apart from endpoints and slices.
type rules struct {
	options *Options
	hints   *hints.Options
	layout  layout.Rules
	meta    meta.Metadata   // what every slice carries
	adopts  map[string]bool // names of slices; nil for none
	mode    hints.Mode      // Proportional for each that decides over all endpoints once they are placed, as SameZone with a limit does
}

func (r *rules) read(in *Input) {
	r.options, r.hints = &in.Options, &in.Hints
	r.meta = meta.Metadata{
		Key: keyOf(r.meta.Key[:0], &in.Set), Labels: in.Set.Labels, Annotations: in.Set.Annotations, Owners: withUID(in.Set.Owners),
		KeepLabels: in.Options.KeepForeignLabels, RemoveAnnotations: in.Options.RemoveForeignAnnotations,
	}
	if len(in.Set.Adopt) > 0 {
		r.adopts = map[string]bool{}
	}
	for _, name := range in.Set.Adopt {
		r.adopts[name] = true
	}
	if r.mode = in.Hints.Mode; r.mode == hints.SameZone && in.Hints.Limit > 0 {
		r.mode = hints.Proportional
	}
	most := cmp.Or(in.Options.MaxEndpointsPerSlice, defaultMaxEndpoints)
	r.layout = layout.Rules{
		Limits:  packing.Limits{Max: most, NoCreates: in.Set.Terminating},
		Compact: in.Options.Packing == Compact, DissolveUpTo: most * cmp.Or(in.Options.DissolveUpTo, 100) / 100,
	}
}

func (r *rules) release() {
	clear(r.meta.Key)
	*r = rules{meta: meta.Metadata{Key: r.meta.Key[:0]}}
}

// withUID returns the owners that slices get. The API server refuses one without UID, which collect sets aside.
func withUID(owners []metav1.OwnerReference) []metav1.OwnerReference {
	without := func(o metav1.OwnerReference) bool { return o.UID == "" }
	if !slices.ContainsFunc(owners, without) {
		return owners
	}
	return slices.DeleteFunc(slices.Clone(owners), without)
}

// adopt reports whether a slice is taken over by name. A slice of another parent is not.
func (r *rules) adopt(s *discoveryv1.EndpointSlice) bool {
	return r.adopts[s.Name] && !r.meta.OfOther(s)
}

// keyOf lists the labels that tell the slices of the set from all others, managed-by last.
func keyOf(key []meta.Label, s *Set) []meta.Label {
	for name, value := range s.Key {
		key = append(key, meta.Label{Name: name, Value: value})
	}
	if len(s.Key) == 0 {
		key = append(key, meta.Label{Name: discoveryv1.LabelServiceName, Value: s.Name})
	}
	return append(key, meta.Label{Name: discoveryv1.LabelManagedBy, Value: s.ManagedBy})
}

// sameContent reports whether a slice that holds one endpoint need not be written for the other, hints apart.
func (r *rules) sameContent(a, b *discoveryv1.Endpoint) bool {
	return r.sameConditions(&a.Conditions, &b.Conditions) && endpoint.SameTexts(a, b) &&
		endpoint.SameReference(a.TargetRef, b.TargetRef) && endpoint.SameAddressList(a.Addresses, b.Addresses)
}

// sameWantedHints reports whether what a slice holds for an endpoint has the hints that are wanted. Proportional decides
// over all endpoints once they are placed, and Keep demands only that the API server accepts what is kept.
func (r *rules) sameWantedHints(wanted, held *discoveryv1.Endpoint) bool {
	if r.mode == hints.Keep || r.mode == hints.Proportional {
		return true
	}
	return r.wantedHints(wanted).same(held.Hints)
}

// wantedHints are those of an endpoint in the modes that look at it alone.
func (r *rules) wantedHints(wanted *discoveryv1.Endpoint) (have hintsOfItem) {
	if r.mode == hints.Given {
		have.given = endpoint.HintsOf(wanted.Hints)
	} else {
		have.own, _ = hints.HintOf(r.mode, wanted)
	}
	return have
}

// hintsOfItem is what an endpoint is to have: hints as they are given, which belong to the input, or one of our own.
type hintsOfItem struct {
	given discoveryv1.EndpointHints
	own   hints.Hint
}

// same reports whether an endpoint that has hints h has those it is to have.
func (w hintsOfItem) same(h *discoveryv1.EndpointHints) bool {
	if w.own != (hints.Hint{}) {
		return w.own.Matches(h)
	}
	return endpoint.SameHints(&w.given, h)
}

// sameConditions compares what conditions mean, or with Options.ExplicitConditions what they say.
func (r *rules) sameConditions(a, b *discoveryv1.EndpointConditions) bool {
	if r.options.ExplicitConditions {
		return endpoint.SameConditions(a, b)
	}
	return conditions.Of(*a) == conditions.Of(*b)
}

// keeps reports whether Keep may write hints back that a slice holds already: the API server may refuse them today.
func (r *rules) keeps(h *discoveryv1.EndpointHints) bool {
	return h == nil || r.options.Invalid == Pass || accept.RefuseHints(h) == nil
}

// typeIndex returns the position of an address type in the plan's order, or -1 for one that slices cannot have.
func typeIndex(t discoveryv1.AddressType) int { return slices.Index(endpoint.AddressTypes[:], t) }

// typeSet has the address types that are wanted, by their index.
type typeSet [len(endpoint.AddressTypes)]bool

func (set *typeSet) add(t discoveryv1.AddressType) {
	if i := typeIndex(t); i >= 0 {
		set[i] = true
	}
}

func typesOf(types []discoveryv1.AddressType) (set typeSet) {
	for _, t := range types {
		set.add(t)
	}
	return set
}

// sameList reports whether two lists of ports are one in memory. It spares a look at ports that groups have in common.
func sameList(a, b []discoveryv1.EndpointPort) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
