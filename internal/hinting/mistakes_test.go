package hinting_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	corev1 "k8s.io/api/core/v1"

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
