package conformance

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
)

// TestHints gives random slices to both sides of what decides hints.
func TestHints(t *testing.T) {
	differential(t, hintDeviations, func(t *rapid.T) ([]Deviation, error) { return CompareHints(hinting(t)) })
}

// hinting draws zones, and slices that one of the sides hinted before, with some changes since.
func hinting(t *rapid.T) *Hinting {
	h := &Hinting{Mode: pick(t, "mode", hints.Proportional, hints.Proportional, hints.Proportional, hints.SameZone, hints.SameNode, hints.None)}
	zoned := zoneNames[:rapid.IntRange(1, len(zoneNames)).Draw(t, "zones")]
	h.weigh(t, zoned)
	place := zoned
	if chance(t, 8, "unweighted zone") {
		place = zoneNames
	}
	n := rapid.IntRange(0, 30).Draw(t, "endpoints")
	per := pick(t, "per slice", 4, 1, 2, 10, 100)
	for i := range n {
		if i%per == 0 {
			h.Slices = append(h.Slices, hints.Slice{Name: fmt.Sprintf("s%02d", i/per), Written: true})
		}
		s := &h.Slices[len(h.Slices)-1]
		s.Endpoints = append(s.Endpoints, hintedEndpoint(t, i, place))
	}
	if chance(t, 3, "fresh") {
		return h
	}
	h.applyHints(t)
	if chance(t, 2, "weights change") {
		h.weigh(t, zoned)
	}
	for i := range h.Slices {
		h.Slices[i].Written = chance(t, 4, "written")
		h.disturb(t, &h.Slices[i], place)
	}
	return h
}

// weigh draws Nodes for zones: mostly one each.
func (h *Hinting) weigh(t *rapid.T, zoned []string) {
	h.Nodes = map[string]*corev1.Node{}
	equal := chance(t, 3, "equal")
	for _, zone := range zoned {
		cores := 4
		if !equal {
			cores = rapid.IntRange(1, 12).Draw(t, "cores")
		}
		node := NewNode("node-"+zone, zone, cores)
		if chance(t, 60, "fault") {
			delete(node.Labels, corev1.LabelTopologyZone)
		}
		h.Nodes[node.Name] = node
	}
}

func hintedEndpoint(t *rapid.T, i int, place []string) discoveryv1.Endpoint {
	zone := pick(t, "zone", place...)
	e := zoneEndpoint(i, zone)
	if chance(t, 100, "no zone") {
		e.Zone = nil
	}
	switch rapid.IntRange(0, 19).Draw(t, "readiness") {
	case 18:
		e.Conditions.Ready = ptr(false)
	case 19:
		e.Conditions.Ready = nil
	}
	return e
}

// applyHints puts the hints that one of the sides decides on.
func (h *Hinting) applyHints(t *rapid.T) {
	before := *h
	if chance(t, 4, "other mode before") {
		before.Mode = pick(t, "mode before", hints.SameNode, hints.SameZone, hints.Proportional)
	}
	var o *hintingOutcome
	if chance(t, 2, "slicewright in charge") {
		var err error
		if o, _, err = before.Slicewright(); err != nil {
			t.Fatal(err)
		}
	} else {
		o = before.Reference()
	}
	for i := range h.Slices {
		h.Slices[i].Endpoints = o.slices[i].Endpoints
	}
}

// disturb changes endpoints of a slice that is written, and few of one that is not.
func (h *Hinting) disturb(t *rapid.T, s *hints.Slice, place []string) {
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		switch {
		case s.Written && chance(t, 4, "new"):
			*e = hintedEndpoint(t, 100+i, place)
		case s.Written && chance(t, 10, "not ready now"):
			e.Conditions.Ready = ptr(false)
		case chance(t, 60, "odd hint"):
			e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: pick(t, "zone hint", place...)}}}
		case chance(t, 60, "two hints"):
			e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}, {Name: "b"}}}
		}
	}
}
