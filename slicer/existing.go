package slicer

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/identity"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// present is what Existing holds, from the set's point of view. Nothing of it changes once sortExisting has filled it.
type present struct {
	slices  []liveSlice                  // ours, by name
	newest  []int32                      // and by resourceVersion, the highest first
	stale   []*discoveryv1.EndpointSlice // ours, of an earlier owner
	ignored []Ignored                    // foreign and dying ones; by name
	claimed []int32                      // those of them that have our labels and another owner, as indexes of existing
	types   typeSet                      // the address types that the set has
	empty   typeSet                      // those of them that have no endpoint and keep a placeholder

	related []int32         // what relate returned
	ports   []endpoint.Port // of the slice at hand
}

func (x *present) release() {
	clear(x.slices)
	clear(x.ports)
	*x = present{slices: x.slices[:0], newest: x.newest[:0], related: x.related[:0], ports: x.ports[:0]}
}

// liveSlice is one of our slices that is neither stale nor being deleted.
type liveSlice struct {
	object *discoveryv1.EndpointSlice
	typ    int32      // address type, or none for one that the set does not have
	ports  int32      // the group of the slice's ports, or none if nobody wants these
	drift  meta.Drift // what in its metadata is not as wanted
}

// relate lists the existing slices that are of the parent, whoever manages them, or adopted, by name. To all others a plan gives no
// more than a look at their labels. The list is valid until release.
func (x *present) relate(in *Input, existing []*discoveryv1.EndpointSlice, r *rules) []int32 {
	for i, s := range existing {
		if s != nil && (r.meta.OfParent(s) || r.adopt(s)) {
			x.related = append(x.related, int32(i))
		}
	}
	slices.SortFunc(x.related, func(a, b int32) int { return cmp.Or(byName(existing[a], existing[b]), cmp.Compare(a, b)) })
	return x.related
}

func byName(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }

// sortExisting tells ours, stale, foreign and dying slices apart. All are in the order of their names, as the
// related ones are.
func sortExisting(in *Input, existing []*discoveryv1.EndpointSlice, related []int32, r *rules, w *wanted, x *present) {
	x.types = w.types
	for _, i := range related {
		s := existing[i]
		switch {
		case !r.meta.Ours(s) && !r.adopt(s):
			x.ignored = append(x.ignored, Ignored{s, Foreign})
		case s.DeletionTimestamp != nil:
			x.ignored = append(x.ignored, Ignored{s, Dying})
		case controlledByOther(s.OwnerReferences, in.Set.Owners) && !r.adopt(s):
			x.ignored = append(x.ignored, Ignored{s, Foreign})
			x.claimed = append(x.claimed, i)
		case staleOwner(s.OwnerReferences, r.meta.Owners):
			x.stale = append(x.stale, s)
		default:
			x.newest = append(x.newest, int32(len(x.slices)))
			x.slices = append(x.slices, liveSlice{object: s, ports: none, typ: none})
		}
	}
	slices.SortFunc(x.newest, func(a, b int32) int {
		return cmp.Or(-endpoint.CompareVersions(x.slices[a].object.ResourceVersion, x.slices[b].object.ResourceVersion), cmp.Compare(a, b))
	})
	if x.types == (typeSet{}) { // neither the set nor the groups name any
		for i := range x.slices {
			x.types.add(x.slices[i].object.AddressType)
		}
	}
	if !r.options.NoPlaceholder {
		x.empty = x.types
	}
	for g := range w.groups {
		x.empty[w.groups[g].Type] = false
	}
	for i := range x.slices {
		s := &x.slices[i]
		t := typeIndex(s.object.AddressType)
		if t == none || !x.types[t] {
			continue
		}
		s.typ = int32(t)
		s.drift = r.meta.Drift(s.object)
		clear(x.ports)
		x.ports = endpoint.Ports(x.ports[:0], s.object.Ports)
		s.ports = w.portSets.Find(t, x.ports)
	}
}

// controlledByOther reports whether the controller of a slice is another object of the kind of one of the set's owners, which
// publishes under the same labels.
func controlledByOther(has, wanted []metav1.OwnerReference) bool {
	c := slices.IndexFunc(has, controls)
	if c < 0 {
		return false
	}
	other := false
	for i := range wanted {
		w := &wanted[i]
		if w.UID != "" && w.UID == has[c].UID || w.Kind == has[c].Kind && w.Name == has[c].Name {
			return false
		}
		other = other || w.Kind == has[c].Kind
	}
	return other
}

// staleOwner reports whether a slice belongs to an earlier owner of the same kind and name.
func staleOwner(has, wanted []metav1.OwnerReference) bool {
	stale := false
	for i := range has {
		for j := range wanted {
			h, w := &has[i], &wanted[j]
			if h.UID == w.UID {
				return false
			}
			stale = stale || h.Kind == w.Kind && h.Name == w.Name
		}
	}
	return stale
}

// unlikePlaceholder says how far a slice is from an empty one that needs no write, as package layout asks.
func (s *liveSlice) unlikePlaceholder() (distance int32) {
	if s.drift != (meta.Drift{}) {
		distance++
	}
	if len(s.object.Ports) > 0 {
		distance += 2
	}
	if len(s.object.Endpoints) > 0 {
		distance += 4
	}
	return distance
}

// held is what package layout asks about wanted endpoints and live slices.
type held struct {
	*identity.Items
	present *present
	ids     []int32
}

// Held lists the identities of the endpoints that a slice holds.
func (h *held) Held(slice int32) []int32 {
	s := &h.present.slices[slice]
	h.ids = h.ids[:0]
	for j := range s.object.Endpoints {
		h.ids = h.IDs(h.ids, &s.object.Endpoints[j], s.typ)
	}
	return h.ids
}
