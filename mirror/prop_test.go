package mirror_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/mirror"
	checkslices "github.com/slicewright/slicewright/internal/test/check/oldslices"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/oldgiven"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// TestRoundTrip: whatever the Endpoints say, their mirrors say the same, once planned on any
// slices, stored, and shown as Endpoints again (M1 to M8, and G1 to G13 on the way).
func TestRoundTrip(t *testing.T) { rapid.Check(t, roundTrip) }

// FuzzRoundTrip is TestRoundTrip for go test -fuzz.
func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

func roundTrip(t *rapid.T) {
	e, s, o := drawEndpoints(t, chance(t, 3, "dirt")), drawService(t), drawOptions(t)
	exists := gen.World(t).Existing
	if _, err := check.RoundTrip(e, s, o, exists); err != nil {
		t.Fatal(err)
	}
}

// TestCopies: slices of any kind, copied to a set of any kind, which changes none of them (M9).
// What becomes of each endpoint TestCopySlice says.
func TestCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := gen.World(t)
		o := drawFunctions(t)
		plan, err := copied(drawSet(t), from.Existing, o)
		if err != nil {
			t.Fatal(err)
		}
		checkFunctions(t, plan, o)
	})
}

// TestCopySlice: any slice, copied alone, has the ports and endpoints of its source in memory of
// its own (M5, M9).
func TestCopySlice(t *testing.T) {
	copies := 0
	rapid.Check(t, func(t *rapid.T) {
		meta := metav1.ObjectMeta{Namespace: "ns", Name: "copy",
			Labels: map[string]string{discoveryv1.LabelManagedBy: "copies.example.com"}}
		for _, from := range gen.World(t).Existing {
			if _, _, err := check.CopySlice(from, meta, gen.CopyOptions(t)); err != nil {
				t.Fatal(err)
			}
			copies++
		}
	})
	if copies == 0 {
		t.Error("no slice was drawn: nothing was tested")
	}
}

// copied plans a copy where nothing exists yet, with all checks.
func copied(set slicer.Set, from []*discoveryv1.EndpointSlice, o mirror.CopyOptions) (slicer.Plan, error) {
	set.ManagedBy += ".copy" // so that not all that is drawn is our own output
	world := given.World{Input: slicer.Input{Set: set}, Existing: from}
	before := checkslices.Copy(world)
	in, err := mirror.FromSlices(set, from, o)
	if d := cmp.Diff(before, world); d != "" {
		return slicer.Plan{}, checkslices.Broken{Err: errors.New("M5: FromSlices changed its input: " + d)}
	}
	if err != nil {
		return slicer.Plan{}, err
	}
	return checkslices.Compute(given.World{Input: in})
}

// drawSet draws a set of slices.
func drawSet(t *rapid.T) slicer.Set {
	in := gen.World(t)
	set := slicer.Set{Namespace: in.Key.Namespace, Name: in.Key.Name, ManagedBy: in.Key.ManagedBy}
	set.Key, set.Labels, set.Annotations = in.Key.MatchLabels, in.Meta.Labels, in.Meta.Annotations
	delete(set.Annotations, "endpoints.kubernetes.io/last-change-trigger-time")
	set.Owners, set.AddressTypes, set.Adopt = in.Meta.OwnerReferences, in.Options.AddressTypes, in.Options.Adopt
	return set
}

// drawFunctions adds the functions of options, which check.CopySlice does not know: no port http,
// and no endpoint that is not ready.
func drawFunctions(t *rapid.T) mirror.CopyOptions {
	o := gen.CopyOptions(t)
	if chance(t, 3, "port") {
		o.Port = func(p discoveryv1.EndpointPort) bool { return p.Name == nil || *p.Name != "http" }
	}
	if chance(t, 3, "transform") {
		o.Transform = func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
			if e.Conditions.Ready != nil && !*e.Conditions.Ready {
				return errors.New("not ready")
			}
			return nil
		}
	}
	return o
}

// checkFunctions checks what the functions of drawFunctions leave out.
func checkFunctions(t *rapid.T, plan slicer.Plan, o mirror.CopyOptions) {
	for _, s := range plan.After() {
		for _, p := range s.Ports {
			if o.Port != nil && p.Name != nil && *p.Name == "http" {
				t.Fatalf("%s has port http, which Port refuses", s.Name)
			}
		}
		for _, e := range s.Endpoints {
			if o.Transform != nil && e.Conditions.Ready != nil && !*e.Conditions.Ready {
				t.Fatalf("%s has an endpoint that Transform refuses", s.Name)
			}
		}
	}
}

// TestView: slices of any manager, shown as Endpoints (M4, M5, M7).
func TestView(t *testing.T) { rapid.Check(t, view) }

func drawViewOptions(t *rapid.T) mirror.ViewOptions {
	o := mirror.ViewOptions{
		AddressType:  pick(t, "type", "", discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6),
		MaxAddresses: pick(t, "max", 0, 3, 1, 6),
		SkipMirror:   chance(t, 3, "skip mirror"),
		TriggerTime:  pick(t, "trigger time", time.Time{}, time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC)),
	}
	if chance(t, 2, "service") {
		o.Service = drawService(t)
	}
	return o
}

func view(t *rapid.T) {
	o := drawViewOptions(t)
	view, _, err := check.MirrorView(gen.Slices(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if skip := view.Labels[discoveryv1.LabelSkipMirror] == "true"; skip != o.SkipMirror {
		t.Fatalf("skip-mirror %v, want %v", skip, o.SkipMirror)
	}
}

// TestNothingPanics: objects with nil and nonsense in every place give an answer or an error.
func TestNothingPanics(t *testing.T) { rapid.Check(t, nonsense) }

func nonsense(t *rapid.T) {
	holds := func(err error) {
		if broken := (checkslices.Broken{}); errors.As(err, &broken) {
			t.Fatal(err)
		}
	}
	e, s := drawEndpoints(t, true), drawService(t)
	if chance(t, 3, "nil endpoints") {
		e = nil
	} else if chance(t, 3, "no name") {
		e.Name = pick(t, "name", "", "other", "Bad Name")
	}
	o := drawOptions(t)
	o.MaxAddressesPerSubset = pick(t, "max", -1, 0, 1, 1001)
	in, err := check.Mirror(e, s, o)
	if holds(err); err == nil {
		if _, err := checkslices.Compute(given.World{Input: in}); err != nil && !checkslices.Mistake(err) {
			t.Fatal(err)
		}
	}
	all := gen.World(t).Existing
	for range rapid.IntRange(0, 2).Draw(t, "nils") {
		all = append(all, pick(t, "slice", nil, &discoveryv1.EndpointSlice{}, nonsenseSlice(), emptySlice()))
	}
	v := mirror.ViewOptions{AddressType: pick(t, "type", "", discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeFQDN,
		"?"), MaxAddresses: pick(t, "view max", 0, -1, 2)}
	_, _, err = check.MirrorView(all, v)
	holds(err)
	for _, s := range all {
		_, _, err := check.CopySlice(s, metav1.ObjectMeta{}, gen.CopyOptions(t))
		holds(err)
	}
	_, err = copied(drawSet(t), all, gen.CopyOptions(t))
	holds(err)
}

func nonsenseSlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		AddressType: "IPv4",
		Ports: []discoveryv1.EndpointPort{{}, {Port: ptr(int32(-1))},
			{Name: ptr("Bad Name"), Protocol: ptr(corev1.Protocol(""))}},
		Endpoints: []discoveryv1.Endpoint{{},
			{Addresses: []string{""}, Hostname: ptr(""), TargetRef: &corev1.ObjectReference{}, Hints: &discoveryv1.EndpointHints{}}},
	}
}

// emptySlice has an endpoint without an address.
func emptySlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, AddressType: discoveryv1.AddressTypeIPv4,
		Ports: []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}, Endpoints: []discoveryv1.Endpoint{{}},
	}
}
