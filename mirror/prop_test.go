package mirror_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check"
	checkmirror "github.com/slicewright/slicewright/internal/test/check/mirror"
	"github.com/slicewright/slicewright/internal/test/gen"
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
	exists := gen.Draw(t).Existing
	if _, err := checkmirror.RoundTrip(e, s, o, exists); err != nil {
		t.Fatal(err)
	}
}

// TestCopies: the copy of each endpoint has the fields that the options keep, and no two copies on
// the same ports have one identity (M5, M9).
func TestCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := gen.Draw(t)
		keep := chance(t, 2, "keep")
		o := mirror.CopyOptions{KeepZones: keep, KeepNodes: keep, KeepTargetRefs: keep}
		in, plan := copied(t, from.Existing, o)
		for _, s := range plan.After() {
			for _, e := range s.Endpoints {
				if !keep && (e.Zone != nil || e.NodeName != nil || e.TargetRef != nil) || e.Hints != nil {
					t.Fatalf("%s has %+v", s.Name, e)
				}
			}
		}
		in.Hints.Mode = hints.Given
		if plan, err := check.Compute(gen.World{Input: in}); err != nil {
			t.Fatal(err, plan)
		}
	})
}

// copied plans a copy where nothing exists yet, with all checks.
func copied(t *rapid.T, from []*discoveryv1.EndpointSlice, o mirror.CopyOptions) (slicer.Input, slicer.Plan) {
	k := slicer.Key{Namespace: gen.Namespace, Name: gen.Name, ManagedBy: "copies.example.com"}
	world := gen.World{Existing: from}
	before := check.Copy(world)
	in, err := mirror.FromSlices(k, from, o)
	if d := cmp.Diff(before, world); d != "" {
		t.Fatalf("M5: FromSlices changed its input: %s", d)
	}
	if err != nil {
		if errors.As(err, new(*field.Error)) {
			return slicer.Input{}, slicer.Plan{}
		}
		t.Fatal(err)
	}
	wanted := in
	wanted.Warnings, wanted.Normal = nil, nil
	if a, b, shared := check.Shared(check.Memories{Owner: "the slices", Of: &from},
		check.Memories{Owner: "the input", Of: &wanted}); shared {
		t.Fatalf("M5: %s and %s share memory", a, b)
	}
	plan, err := check.Compute(gen.World{Input: in})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range plan.Warnings {
		if strings.HasPrefix(n.Path, "groups") {
			t.Fatalf("a Warning does not name the argument: %s %v", n.Path, n)
		}
	}
	return in, plan
}

// TestView: slices of any manager, shown as Endpoints (M4, M5, M7).
func TestView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		svc := drawService(t)
		if svc == nil {
			return
		}
		view, _, err := checkmirror.MirrorView(svc, gen.Slices(t))
		if err != nil {
			t.Fatal(err)
		}
		if view.Labels[discoveryv1.LabelSkipMirror] != "true" {
			t.Fatalf("labels %v: Kubernetes would mirror the Endpoints back", view.Labels)
		}
	})
}

// TestNothingPanics: objects with nil and nonsense in every place give an answer or an error.
func TestNothingPanics(t *testing.T) { rapid.Check(t, nonsense) }

func nonsense(t *rapid.T) {
	holds := func(err error) {
		if broken := (check.Broken{}); errors.As(err, &broken) {
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
	in, err := checkmirror.Mirror(e, s, o)
	if holds(err); err == nil {
		if _, err := check.Compute(gen.World{Input: in}); err != nil && !check.Mistake(err) {
			t.Fatal(err)
		}
	}
	all := gen.Draw(t).Existing
	for range rapid.IntRange(0, 2).Draw(t, "nils") {
		all = append(all, pick(t, "slice", nil, &discoveryv1.EndpointSlice{}, nonsenseSlice(), emptySlice()))
	}
	_, _, err = checkmirror.MirrorView(s, all)
	holds(err)
	copied(t, all, mirror.CopyOptions{KeepTargetRefs: chance(t, 2, "keep")})
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
