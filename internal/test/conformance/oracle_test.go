package conformance

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// TestOracle gives the oracle plans that are wrong in one thing each.
func TestOracle(t *testing.T) {
	for _, row := range []struct {
		why   string
		wrong func(writes []Write) []Write
		want  string
	}{
		{"nothing is wrong", func(w []Write) []Write { return w }, ""},
		{"an endpoint is missing", func(w []Write) []Write { return edit(w, func(s *slice) { s.Endpoints = s.Endpoints[1:] }) }, "publishes"},
		{"a condition differs", func(w []Write) []Write {
			return edit(w, func(s *slice) { s.Endpoints[0].Conditions.Serving = new(false) })
		}, "publishes"},
		{"a port differs", func(w []Write) []Write { return edit(w, func(s *slice) { s.Ports[0].Port = new(int32(1)) }) }, "publishes"},
		{"a hint is missing", func(w []Write) []Write { return edit(w, func(s *slice) { s.Endpoints[0].Hints = nil }) }, "hints of"},
		{"a label is missing", func(w []Write) []Write { return edit(w, func(s *slice) { delete(s.Labels, "team") }) }, "labels"},
		{"a reserved label is wrong", func(w []Write) []Write {
			return edit(w, func(s *slice) { s.Labels[corev1.IsHeadlessService] = "" })
		}, "headless"},
		{"the owner is missing", func(w []Write) []Write { return edit(w, func(s *slice) { s.OwnerReferences = nil }) }, "owner"},
		{"the trigger time is missing", func(w []Write) []Write { return edit(w, func(s *slice) { s.Annotations = nil }) }, "trigger"},
		{"the address type changes", func(w []Write) []Write {
			return edit(w, func(s *slice) { s.AddressType = discoveryv1.AddressTypeIPv6 })
		}, "is written as"},
		{"a write is needless", func(w []Write) []Write { return append(w, Write{Verb: slicer.Create, Slice: empty(w[0].Slice)}) }, "of which deviations explain"},
		{"a foreign slice is deleted", func(w []Write) []Write { return append(w, Write{Verb: slicer.Delete, Name: "foreign"}) }, "somebody else's"},
	} {
		_, err := compareWith(oracleCluster(t), func(c *Cluster) ([]Write, slicer.Plan, error) {
			writes, plan, err := Slicewright(c, nil)
			return row.wrong(writes), plan, err
		})
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
	}
}

type slice = discoveryv1.EndpointSlice

// oracleCluster has a full slice, one with room, one of somebody else, and a Pod that came after.
func oracleCluster(t *testing.T) *Cluster {
	c := fresh(7, 4)
	c.Service.Spec.TrafficDistribution = new(corev1.ServiceTrafficDistributionPreferSameZone)
	if _, err := c.PublishAll(BySlicewright); err != nil {
		t.Fatal(err)
	}
	foreign := c.Slices[0].DeepCopy()
	foreign.Name, foreign.UID, foreign.Labels[discoveryv1.LabelManagedBy] = "foreign", "foreign", "somebody"
	c.Slices = append(c.Slices, foreign)
	c.Pods = append(c.Pods, NewPod(100, "node-0"))
	return c
}

// edit changes the first object written.
func edit(writes []Write, change func(*slice)) []Write {
	writes[0].Slice = writes[0].Slice.DeepCopy()
	change(writes[0].Slice)
	return writes
}

func empty(s *slice) *slice {
	s = s.DeepCopy()
	s.Name, s.GenerateName, s.Endpoints = "", serviceName+"-", nil
	return s
}

// TestHintOracle gives the oracle hints that are wrong in one thing each.
func TestHintOracle(t *testing.T) {
	for _, row := range []struct {
		why   string
		wrong func(o *hintingOutcome)
		want  string
	}{
		{"nothing is wrong", func(*hintingOutcome) {}, ""},
		{"hints are off", func(o *hintingOutcome) {
			for _, s := range o.slices {
				for i := range s.Endpoints {
					s.Endpoints[i].Hints = nil
				}
			}
		}, "hints should be on"},
		{"an endpoint has none", func(o *hintingOutcome) { o.slices[1].Endpoints[0].Hints = nil }, "without hint"},
		{"a zone has too few", func(o *hintingOutcome) { hintTo(o, 1, 3, "a") }, "has 0 of 4"},
		{"a zone without weight is hinted to", func(o *hintingOutcome) { hintTo(o, 0, 0, "z") }, "hints to"},
		{"one is lent needlessly", func(o *hintingOutcome) { hintTo(o, 0, 0, "b") }, "lends"},
		{"one that is not ready has one", func(o *hintingOutcome) { o.slices[0].Endpoints[4].Hints = o.slices[0].Endpoints[0].Hints }, "not ready"},
		{"a slice is opened needlessly", func(o *hintingOutcome) { o.opened++ }, "opens"},
	} {
		h := zoned(4, 4).with(true, "aaaaa").with(false, "bbbb").hinted()
		h.Slices[0].Endpoints[4].Conditions.Ready, h.Slices[0].Endpoints[4].Hints = new(false), nil
		o, _, err := h.Slicewright()
		if err != nil {
			t.Fatal(err)
		}
		row.wrong(o)
		_, err = compareHintsWith(h, o)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
	}
}

// hintTo hints endpoints of a slice, from one on to the end, to a zone.
func hintTo(o *hintingOutcome, slice, last int, zone string) {
	for i := 0; i <= last; i++ {
		o.slices[slice].Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	}
}

// fresh is a cluster with nothing published.
func fresh(n, most int) *Cluster {
	c := NewCluster(n)
	c.Max = most
	return c
}

// hinted hints all endpoints so far to their own zones.
func (h *Hinting) hinted() *Hinting {
	for _, s := range h.Slices {
		for i := range s.Endpoints {
			s.Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: *s.Endpoints[i].Zone}}}
		}
	}
	return h
}
