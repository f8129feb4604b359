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
		{"weights without zones are no mistake but a reason", hinting.Options{Mode: hinting.Proportional}, nil},
		{"the largest weight", hinting.Options{Mode: hinting.Proportional, Weights: zones(1<<40 - 1)}, nil},
		{"a mode that does not exist", hinting.Options{Mode: "proportional"}, []string{"mode"}},
		{"a limit below the mean", hinting.Options{Limit: -1}, []string{"limit"}},
		{"a limit that no endpoint reaches", hinting.Options{Mode: hinting.SameZone, Limit: 1001}, []string{"limit"}},
		{"a zone with nothing", hinting.Options{Mode: hinting.Proportional, Weights: zones(0)}, []string{"weights.zones[b]"}},
		{"less than nothing", hinting.Options{Mode: hinting.Proportional, Weights: zones(-1)}, []string{"weights.zones[b]"}},
		{"products would overflow", hinting.Options{Mode: hinting.Proportional, Weights: zones(1 << 40)}, []string{"weights.zones[b]"}},
		{"aim above start would never be met and not be a goal", hinting.Options{Thresholds: hinting.Thresholds{Aim: 21, Start: 20, Stop: 30}}, []string{"thresholds.aim"}},
		{"stop below start would flap at once", hinting.Options{Thresholds: hinting.Thresholds{Aim: 10, Start: 20, Stop: 19}}, []string{"thresholds.stop"}},
		{"half a threshold is not the default", hinting.Options{Thresholds: hinting.Thresholds{Start: 20}}, []string{"thresholds.stop"}},
		{"stop alone would put hints only where no zone is above its share", hinting.Options{Thresholds: hinting.Thresholds{Stop: 30}}, []string{"thresholds.start"}},
		{"a negative overload", hinting.Options{Thresholds: hinting.Thresholds{Aim: -1, Start: 20, Stop: 20}}, []string{"thresholds.aim"}},
		{"products would overflow", hinting.Options{Thresholds: hinting.Thresholds{Start: 20, Stop: 10001}}, []string{"thresholds.stop"}},
		{"all mistakes at once, in order",
			hinting.Options{Mode: "nonsense", Weights: hinting.Weights{Zones: map[string]int64{"b": 0, "a": math.MinInt64}},
				Thresholds: hinting.Thresholds{Aim: 3, Start: 2, Stop: 1}},
			[]string{"mode", "thresholds.aim", "thresholds.stop", "weights.zones[a]", "weights.zones[b]"}},
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
		if diff := cmp.Diff(below, fieldsOf(t, row.config.Validate(field.NewPath("options", "hints")))); diff != "" {
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
	for _, o := range []hinting.Options{{}, {Mode: hinting.Given}, {Mode: hinting.Keep}, {Mode: hinting.SameZone},
		{Mode: hinting.SameZone, Limit: 20}, {Mode: hinting.SameNode}, {Mode: hinting.Proportional}} {
		mode := o.Mode
		for _, w := range []hinting.Weights{{}, {Zones: map[string]int64{"": 1, "a": 1}},
			{Zones: map[string]int64{"a": 1, "b": 1}}} {
			for _, slices := range [][]hinting.Slice{nil, {}, in, make([]hinting.Slice, 3)} {
				o.Weights = w
				_, d, err := hinting.Assign(o, slices)
				if err != nil {
					t.Errorf("mode %v: %v", mode, err)
				}
				_ = d.String()
				hinting.NeedsSync(d, hinting.Options{})
			}
		}
		if hint, ok := hinting.HintOf(mode, nil); hint != (hinting.Hint{}) || !ok {
			t.Errorf("mode %v: hint %v for nil", mode, hint)
		}
		hinting.HintOf(mode, &empty)
	}
	w := hinting.NodeWeights([]*corev1.Node{nil, {}}, nil)
	if len(w.Zones)+len(w.Problems) > 0 {
		t.Errorf("weights of nothing: %v", w)
	}
	if mode := hinting.ModeOf(nil); mode != hinting.None {
		t.Errorf("mode %v for nil", mode)
	}
	if hinting.NeedsSync(hinting.Decision{Mode: hinting.Proportional, Allocation: hinting.Allocation{Ready: 9}},
		hinting.Options{Weights: hinting.Weights{Zones: map[string]int64{"a": 1, "b": 0}}}) {
		t.Error("a sync for weights that Assign refuses")
	}
}
