package dedup_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
)

func TestProblemString(t *testing.T) {
	web := types.NamespacedName{Namespace: "shop", Name: "web-a"}
	err := field.Required(field.NewPath("endpoints").Index(7).Child("addresses"), "give one")
	for _, row := range []struct {
		why     string
		problem dedup.Problem
		want    string
	}{
		{"the slice and the error", dedup.Problem{Slice: web, Reason: dedup.BadAddress, Err: err},
			"shop/web-a: endpoints[7].addresses: Required value: give one"},
		{"a slice without name is not named", dedup.Problem{Reason: dedup.NoSlice, Err: err},
			"endpoints[7].addresses: Required value: give one"},
		{"without error the reason has to do (D8)", dedup.Problem{Slice: web, Reason: dedup.BadAddress}, "shop/web-a: " + string(dedup.BadAddress)},
		{"the zero value (D8)", dedup.Problem{}, ""},
		{"a reason that this version does not know (D8)", dedup.Problem{Reason: "Unheard"}, "Unheard"},
	} {
		if got := row.problem.String(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
}

// TestErrIsBounded: an error of many problems has twenty lines and says how many more there are.
func TestErrIsBounded(t *testing.T) {
	web := dedup.Problem{Reason: dedup.BadAddress}
	for n, lines := range map[int]int{1: 1, 20: 20, 21: 21, 1501: 21} {
		err := dedup.Problems(slices.Repeat([]dedup.Problem{web}, n)).Err()
		more := fmt.Sprintf("\nand %d more that were set aside: the Problems have them all", n-20)
		if got := strings.Count(err.Error(), "\n") + 1; got != lines || strings.HasSuffix(err.Error(), more) != (n > 20) {
			t.Errorf("%d problems: %d lines: %v", n, got, err)
		}
	}
}

// faultOf returns the *field.Error of a problem, an empty one where there is none.
func faultOf(p dedup.Problem) *field.Error {
	fault := &field.Error{}
	errors.As(p.Err, &fault)
	return fault
}

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
		if p.Reason == dedup.NoSlice {
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
