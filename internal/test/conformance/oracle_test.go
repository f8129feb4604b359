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
		{"the trigger time is missing", func(w []Write) []Write { return edit(w, func(s *slice) { s.Annotations = nil }) }, "trigger"},
		{"a write is needless", func(w []Write) []Write { return append(w, Write{Verb: slicer.Create, Slice: empty(w[0].Slice)}) }, "of which deviations explain"},
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

// oracleCluster has two full slices, and a Pod that came after.
func oracleCluster(t *testing.T) *Cluster {
	c := NewCluster(8)
	c.Max = 4
	c.Service.Spec.TrafficDistribution = new(corev1.ServiceTrafficDistributionPreferSameZone)
	if _, err := c.PublishAll(BySlicewright); err != nil {
		t.Fatal(err)
	}
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
