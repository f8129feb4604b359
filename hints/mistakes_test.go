package hints_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
)

func TestMistakes(t *testing.T) {
	zones := func(weight int64) hints.Weights {
		return hints.Weights{Zones: map[string]int64{"a": 1, "b": weight}}
	}
	rows := []struct {
		why    string
		config hints.Options
		fields []string
	}{
		{"the zero value is valid", hints.Options{}, nil},
		{"weights without zones are no mistake but a reason", hints.Options{Mode: hints.Proportional}, nil},
		{"the largest weight", hints.Options{Mode: hints.Proportional, Weights: zones(1<<40 - 1)}, nil},
		{"a mode that does not exist", hints.Options{Mode: "proportional"}, []string{"mode"}},
		{"a limit below the mean", hints.Options{Limit: -1}, []string{"limit"}},
		{"a limit that no endpoint reaches", hints.Options{Mode: hints.SameZone, Limit: 1001}, []string{"limit"}},
		{"a zone with nothing", hints.Options{Mode: hints.Proportional, Weights: zones(0)}, []string{"weights.zones[b]"}},
		{"less than nothing", hints.Options{Mode: hints.Proportional, Weights: zones(-1)}, []string{"weights.zones[b]"}},
		{"products would overflow", hints.Options{Mode: hints.Proportional, Weights: zones(1 << 40)}, []string{"weights.zones[b]"}},
		{"aim above start would never be met and not be a goal", hints.Options{Thresholds: hints.Thresholds{Aim: 21, Start: 20, Stop: 30}}, []string{"thresholds.aim"}},
		{"stop below start would flap at once", hints.Options{Thresholds: hints.Thresholds{Aim: 10, Start: 20, Stop: 19}}, []string{"thresholds.stop"}},
		{"half a threshold is not the default", hints.Options{Thresholds: hints.Thresholds{Start: 20}}, []string{"thresholds.stop"}},
		{"stop alone would put hints only where no zone is above its share", hints.Options{Thresholds: hints.Thresholds{Stop: 30}}, []string{"thresholds.start"}},
		{"a negative overload", hints.Options{Thresholds: hints.Thresholds{Aim: -1, Start: 20, Stop: 20}}, []string{"thresholds.aim"}},
		{"products would overflow", hints.Options{Thresholds: hints.Thresholds{Start: 20, Stop: 10001}}, []string{"thresholds.stop"}},
		{"all mistakes at once, in order",
			hints.Options{Mode: "nonsense", Weights: hints.Weights{Zones: map[string]int64{"b": 0, "a": math.MinInt64}},
				Thresholds: hints.Thresholds{Aim: 3, Start: 2, Stop: 1}},
			[]string{"mode", "thresholds.aim", "thresholds.stop", "weights.zones[a]", "weights.zones[b]"}},
	}
	for _, row := range rows {
		in := mustSlices("a>b b>a")
		changes, d, err := hints.Assign(row.config, in)
		if diff := cmp.Diff(row.fields, fieldsOf(t, err)); diff != "" {
			t.Errorf("%s: fields (-want +got):\n%s", row.why, diff)
		}
		if err != nil && (changes != nil || !cmp.Equal(d, hints.Decision{})) {
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
	in := []hints.Slice{{}, {Endpoints: []discoveryv1.Endpoint{empty, {NodeName: &bad}, {NodeName: &bad, Zone: &none},
		{Zone: &bad, NodeName: &none}, {Hints: &discoveryv1.EndpointHints{}}, {TargetRef: &corev1.ObjectReference{Name: "web-1"}}}}}
	hinted := discoveryv1.Endpoint{Zone: &[]string{"a"}[0],
		Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{}}, ForNodes: []discoveryv1.ForNode{}}}
	in = append(in, hints.Slice{Name: "hint for no zone", Endpoints: []discoveryv1.Endpoint{hinted}})
	for _, o := range []hints.Options{{}, {Mode: hints.Given}, {Mode: hints.Keep}, {Mode: hints.SameZone},
		{Mode: hints.SameZone, Limit: 20}, {Mode: hints.SameNode}, {Mode: hints.Proportional}} {
		mode := o.Mode
		for _, w := range []hints.Weights{{}, {Zones: map[string]int64{"": 1, "a": 1}},
			{Zones: map[string]int64{"a": 1, "b": 1}}} {
			for _, slices := range [][]hints.Slice{nil, {}, in, make([]hints.Slice, 3)} {
				o.Weights = w
				_, d, err := hints.Assign(o, slices)
				if err != nil {
					t.Errorf("mode %v: %v", mode, err)
				}
				_ = d.String()
				hints.NeedsSync(d, hints.Options{})
			}
		}
		if hint, ok := hints.HintOf(mode, nil); hint != (hints.Hint{}) || !ok {
			t.Errorf("mode %v: hint %v for nil", mode, hint)
		}
		hints.HintOf(mode, &empty)
	}
	w := hints.NodeWeights([]*corev1.Node{nil, {}}, nil)
	if len(w.Zones)+len(w.Problems) > 0 {
		t.Errorf("weights of nothing: %v", w)
	}
	if mode := hints.ModeOf(nil); mode != hints.None {
		t.Errorf("mode %v for nil", mode)
	}
	if hints.NeedsSync(hints.Decision{Mode: hints.Proportional, Allocation: hints.Allocation{Ready: 9}},
		hints.Options{Weights: hints.Weights{Zones: map[string]int64{"a": 1, "b": 0}}}) {
		t.Error("a sync for weights that Assign refuses")
	}
}
