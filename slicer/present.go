package slicer

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// presentSlices has the existing slices, divided by what the plan may do with them. All lists
// except byVersion are sorted by name.
type presentSlices struct {
	slices    []liveSlice                  // neither stale nor being deleted
	byVersion []int32                      // indices in slices, by resourceVersion, the highest first
	stale     []*discoveryv1.EndpointSlice // slices of an earlier owner
	ignored   []*discoveryv1.EndpointSlice // slices that the plan must not write
	claimed   []int32                      // slices with our labels and another owner: indices in request.existing
	types     typeSet                      // the address types that the set has

	placeholders typeSet // the address types that have no item and keep a placeholder

	ports []endpoint.Port // memory of describe: the ports of one slice
}

// liveSlice is one of our slices that is neither stale nor being deleted.
type liveSlice struct {
	object      *discoveryv1.EndpointSlice
	typ         int32      // none if the set does not have its address type
	portsBefore int32      // its port set, or none if no item wants its ports
	drift       meta.Drift // the parts of its metadata that are not as wanted
}

// classify divides the related slices into our slices, stale slices, and slices that the plan must
// not write.
func (x *presentSlices) classify(req *request, wanted *wantedItems) *presentSlices {
	for _, i := range req.related {
		s := req.existing[i]
		switch req.kindOf(s) {
		case ours:
			x.slices = append(x.slices, liveSlice{object: s, typ: none, portsBefore: none})
		case stale:
			x.stale = append(x.stale, s)
		case claimed:
			x.claimed = append(x.claimed, i)
			x.ignored = append(x.ignored, s)
		default:
			x.ignored = append(x.ignored, s)
		}
	}
	x.sortByVersion()
	x.chooseTypes(req, wanted)
	x.describe(req, wanted)
	return x
}

// sortByVersion sorts the slices by age. Readers of package dedup compare ages by AgeOf of
// dedup/internal/content, which must agree with it for slices of one API server.
func (x *presentSlices) sortByVersion() {
	for n := range x.slices {
		x.byVersion = append(x.byVersion, int32(n))
	}
	slices.SortFunc(x.byVersion, func(a, b int32) int {
		v, w := x.slices[a].object.ResourceVersion, x.slices[b].object.ResourceVersion
		return cmp.Or(endpoint.CompareVersions(w, v), cmp.Compare(a, b))
	})
}

// chooseTypes decides which address types the set has, and which of them keep a placeholder.
func (x *presentSlices) chooseTypes(req *request, wanted *wantedItems) {
	x.types = wanted.types
	if x.types == (typeSet{}) { // neither the set nor the groups have an address type
		for n := range x.slices {
			x.types.add(x.slices[n].object.AddressType)
		}
	}
	if !req.Options.NoPlaceholder {
		x.placeholders = x.types
	}
	for n := range wanted.portSets {
		x.placeholders[wanted.portSets[n].typ] = false
	}
}

// describe sets the address type, the port set and the drift of our slices. It leaves out slices
// whose address type the set does not have.
func (x *presentSlices) describe(req *request, wanted *wantedItems) {
	for n := range x.slices {
		s := &x.slices[n]
		t := typeOf(s.object.AddressType)
		if t == none || !x.types[t] {
			continue
		}
		clear(x.ports)
		x.ports = endpoint.Ports(x.ports[:0], s.object.Ports)
		s.typ = t
		s.drift = req.meta.Drift(s.object)
		s.portsBefore = wanted.numbers.find(t, x.ports)
	}
}

// unlikePlaceholder returns how far a slice is from a placeholder that needs no write. 0 means that
// the slice is such a placeholder.
func (s *liveSlice) unlikePlaceholder() (distance int) {
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

// claimedNotice returns the Notice for a slice that has the labels of the Key and that another
// object controls. place is the index of the slice in existing.
func claimedNotice(s *discoveryv1.EndpointSlice, place int32) Notice {
	owner := s.OwnerReferences[slices.IndexFunc(s.OwnerReferences, meta.Controls)]
	return Notice{
		Reason: "OtherOwner", Object: sliceReference(s), Path: field.NewPath("existing").Index(int(place)).String(),
		Err: fmt.Errorf("it has the labels of the Key, but its controller is %s %s: "+
			"readers join the endpoints of both; give each parent labels of its own",
			quote.Text(owner.Kind), quote.Text(owner.Name)),
	}
}

func sliceReference(s *discoveryv1.EndpointSlice) corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion: discoveryv1.SchemeGroupVersion.String(), Kind: "EndpointSlice",
		Namespace: s.Namespace, Name: s.Name, UID: s.UID,
	}
}
