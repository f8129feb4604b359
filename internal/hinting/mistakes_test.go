package hinting_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/hinting"
)

func TestMistakes(t *testing.T) {
	zones := func(weight int64) hinting.Weights {
		return hinting.Weights{Zones: map[string]int64{"a": 1, "b": weight}}
	}
	rows := []struct {
		why    string
		config hinting.Options
		fields []string
	}{
		{"the zero value is valid", hinting.Options{}, nil},
		{"weights without zones are no mistake but a reason", hinting.Options{Mode: hinting.Auto}, nil},
		{"the largest weight", hinting.Options{Mode: hinting.Auto, Weights: zones(1<<40 - 1)}, nil},
		{"a mode that does not exist", hinting.Options{Mode: "proportional"}, []string{"mode"}},
		{"a limit below the mean", hinting.Options{Limit: -1}, []string{"limit"}},
		{"a limit that no endpoint reaches", hinting.Options{Mode: hinting.PreferSameZone, Limit: 1001}, []string{"limit"}},
		{"a zone with nothing", hinting.Options{Mode: hinting.Auto, Weights: zones(0)}, []string{"weights.zones[b]"}},
		{"less than nothing", hinting.Options{Mode: hinting.Auto, Weights: zones(-1)}, []string{"weights.zones[b]"}},
		{"products would overflow", hinting.Options{Mode: hinting.Auto, Weights: zones(1 << 40)}, []string{"weights.zones[b]"}},
		{"all mistakes at once, in order",
			hinting.Options{Mode: "nonsense", Limit: -1,
				Weights: hinting.Weights{Zones: map[string]int64{"b": 0, "a": math.MinInt64}}},
			[]string{"mode", "limit", "weights.zones[a]", "weights.zones[b]"}},
	}
	for _, row := range rows {
		in := mustSlices("a>b b>a")
		changes, d, err := hinting.Assign(row.config, in)
		if diff := cmp.Diff(row.fields, fieldsOf(t, err)); diff != "" {
			t.Errorf("%s: fields (-want +got):\n%s", row.why, diff)
		}
		if err != nil && (changes != nil || !cmp.Equal(d, hinting.Decision{})) {
			t.Errorf("%s: an answer beside the error: %v %v", row.why, changes, d)
		}
		var below []string
		for _, f := range row.fields {
			below = append(below, "options.hints."+f)
		}
		if diff := cmp.Diff(below, fieldsOf(t, hinting.Validate(row.config, field.NewPath("options", "hints")))); diff != "" {
			t.Errorf("%s: below a path (-want +got):\n%s", row.why, diff)
		}
	}
}

// fieldsOf returns the fields of joined *field.Errors; each must say more than that something is
// wrong.
func fieldsOf(t *testing.T, err error) []string {
	if err == nil {
		return nil
	}
	var fields []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *field.Error
		if !errors.As(e, &f) {
			t.Fatalf("%v is no *field.Error", e)
		}
		if f.Detail == "" {
			t.Errorf("%v does not say what to do", f)
		}
		fields = append(fields, f.Field)
	}
	return fields
}

// D8 for writers: whatever is nil or empty, nothing panics.
func TestNothingPanicsOnNil(t *testing.T) {
	empty := discoveryv1.Endpoint{}
	bad, none := "no name", ""
	in := []hinting.Slice{{}, {Endpoints: []discoveryv1.Endpoint{empty, {NodeName: &bad}, {NodeName: &bad, Zone: &none},
		{Zone: &bad, NodeName: &none}, {Hints: &discoveryv1.EndpointHints{}}, {TargetRef: &corev1.ObjectReference{Name: "web-1"}}}}}
	hinted := discoveryv1.Endpoint{Zone: &[]string{"a"}[0],
		Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{}}, ForNodes: []discoveryv1.ForNode{}}}
	in = append(in, hinting.Slice{Name: "hint for no zone", Endpoints: []discoveryv1.Endpoint{hinted}})
	for _, o := range []hinting.Options{{}, {Mode: hinting.Given}, {Mode: hinting.Keep}, {Mode: hinting.PreferSameZone},
		{Mode: hinting.PreferSameZone, Limit: 20}, {Mode: hinting.PreferSameNode}, {Mode: hinting.Auto}} {
		mode := o.Mode
		for _, w := range []hinting.Weights{{}, {Zones: map[string]int64{"": 1, "a": 1}},
			{Zones: map[string]int64{"a": 1, "b": 1}}} {
			for _, slices := range [][]hinting.Slice{nil, {}, in, make([]hinting.Slice, 3)} {
				o.Weights = w
				if _, _, err := hinting.Assign(o, slices); err != nil {
					t.Errorf("mode %v: %v", mode, err)
				}
			}
		}
		if hint, ok := hinting.HintOf(mode, nil); hint != (hinting.Hint{}) || !ok {
			t.Errorf("mode %v: hint %v for nil", mode, hint)
		}
		hinting.HintOf(mode, &empty)
	}
}

// TestTooManyZones: if an endpoint would have to serve more zones than a hint can name, there are
// no hints.
func TestTooManyZones(t *testing.T) {
	o := hinting.Options{Mode: hinting.PreferSameZone, Limit: 1, Weights: hinting.Weights{Zones: map[string]int64{}}}
	for zones := range 10 {
		o.Weights.Zones[fmt.Sprint("z", zones)] = 1
		want := "TopologyAwareHintsEnabled"
		if zones+1 > 8 {
			want = "TooManyZones"
		}
		in := []hinting.Slice{{Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"},
			Zone: &[]string{"z0"}[0]}}}}
		changes, d, err := hinting.Assign(o, in)
		if err != nil || d.Reason != want || d.On != (zones < 8) || (len(changes) > 0) != d.On {
			t.Errorf("an endpoint for %d zones: error %v, %+v, want %s", zones+1, err, d, want)
		}
	}
}

// A Message names at most ten, the first in order, and counts the others, whatever the order it
// meets them in.
func TestMessageNamesTheFirst(t *testing.T) {
	in := mustSlices("15_")
	for i := range in[0].Endpoints {
		in[0].Endpoints[i].Addresses[0] = fmt.Sprintf("10.0.0.%d", 10+(i*4)%15)
	}
	in[0].Endpoints = append(in[0].Endpoints, in[0].Endpoints...)
	slices.SortStableFunc(in[0].Endpoints, func(a, b discoveryv1.Endpoint) int {
		return strings.Compare(b.Addresses[0], a.Addresses[0])
	})
	_, d, err := hinting.Assign(auto("1,1", false), in)
	want := "ready endpoints without zone: 10.0.0.10 10.0.0.11 10.0.0.12 10.0.0.13 10.0.0.14 10.0.0.15 10.0.0.16 " +
		"10.0.0.17 10.0.0.18 10.0.0.19 and 5 more"
	if err != nil || d.Message != want {
		t.Errorf("of 15 endpoints in two port groups: %v, %v", d.Message, err)
	}
}

// An endpoint is named by its first address, without address by its target, and without either by
// nothing (H7).
func TestMessageNamesEndpoints(t *testing.T) {
	in := mustSlices("_ _ _")
	endpoints := in[0].Endpoints
	endpoints[1].Addresses, endpoints[1].TargetRef = nil, &corev1.ObjectReference{Kind: "Pod", Name: "web-1"}
	endpoints[2].Addresses = nil
	_, d, err := hinting.Assign(auto("1,1", false), in)
	if want := `ready endpoints without zone: "" 10.0.0.1 web-1`; err != nil || d.Message != want {
		t.Errorf("error %v, %q, want %q", err, d.Message, want)
	}
}
