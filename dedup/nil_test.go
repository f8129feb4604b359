package dedup_test

import (
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
)

// TestNothingPanics gives Merge and an index slices of which any part is nil or empty (D8).
func TestNothingPanics(t *testing.T) { rapid.Check(t, nothingPanics) }

func FuzzNothingPanics(f *testing.F) { f.Fuzz(rapid.MakeFuzz(nothingPanics)) }

func nothingPanics(t *rapid.T) {
	list := rapid.SliceOfN(rapid.Custom(drawBroken), 0, 6).Draw(t, "slices")
	options, copies := drawOptions(t), copiesOf(list)
	merged := dedup.Merge(list, options)
	ix := newIndex(options)
	for _, s := range list {
		ix.Upsert(s)
		dedup.ResolvePort(s, "http", "")
	}
	ix.Delete("", "")
	deltas := portsOf(ix.Flush())
	for _, d := range deltas {
		_ = d.String()
	}
	for _, v := range []dedup.View{merged, ix.View()} {
		for service := range v.Services() {
			for range v.ByAddress(service) {
			}
			for range v.ByTarget(service) {
			}
		}
		_ = print(v)
	}
	unnamed := 0
	for _, p := range merged.Problems() {
		if faultOf(p).Detail == "" {
			t.Fatalf("%v does not say what to do", p)
		}
		if p.Reason == dedup.NilSlice || p.Reason == dedup.Unnamed {
			unnamed++
		}
	}
	want := 0
	for _, s := range list {
		if s == nil || s.Name == "" || s.Namespace == "" {
			want++
		}
	}
	if unnamed != want {
		t.Fatalf("%d slices without a name, %d problems", want, unnamed)
	}
	if !slices.EqualFunc(list, copies, func(a, b *discoveryv1.EndpointSlice) bool { return reflect.DeepEqual(a, b) }) {
		t.Fatal("a slice was changed")
	}
}

// drawBroken draws a slice and takes parts of it away.
func drawBroken(t *rapid.T) *discoveryv1.EndpointSlice {
	gone := func(label string) bool { return rapid.IntRange(0, 4).Draw(t, "no "+label) == 0 }
	if gone("slice") {
		return nil
	}
	s := drawSlice(t, rapid.SampledFrom(sliceNames).Draw(t, "name"))
	for _, part := range []struct {
		label string
		take  func()
	}{
		{"name", func() { s.Name = "" }},
		{"namespace", func() { s.Namespace = "" }},
		{"labels", func() { s.Labels = nil }},
		{"endpoints", func() { s.Endpoints = make([]discoveryv1.Endpoint, len(s.Endpoints)) }},
		{"ports", func() { s.Ports = make([]discoveryv1.EndpointPort, len(s.Ports)) }},
	} {
		if gone(part.label) {
			part.take()
		}
	}
	for i := range s.Ports {
		if gone("protocol") {
			s.Ports[i].Protocol = ptr(corev1.Protocol(""))
		}
	}
	for i := range s.Endpoints {
		if gone("target") {
			s.Endpoints[i].TargetRef = &corev1.ObjectReference{}
		}
		if gone("hints") {
			s.Endpoints[i].Hints = &discoveryv1.EndpointHints{}
		}
		if gone("address") {
			s.Endpoints[i].Addresses = []string{}
		}
	}
	return s
}
