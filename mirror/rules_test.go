package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// paths lists where an error says that something is wrong, with the text of what does not say what
// to do.
func paths(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, paths(e))
		}
		return strings.Join(all, " ")
	}
	if f := (*field.Error)(nil); errors.As(err, &f) && f.Detail != "" {
		return f.Field
	}
	return fmt.Sprint(err)
}

// TestTransformOwnsItsEndpoint: what a transform does to an endpoint, it does to a copy, and
// likewise what a filter does to a port, of which it need not ask whether name and protocol are
// nil.
func TestTransformOwnsItsEndpoint(t *testing.T) {
	source := fullSlice()
	source.Ports = []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}
	before := source.DeepCopy()
	in, err := mirror.FromSlices(slicer.Key{ManagedBy: "copies.example.com"}, []*discoveryv1.EndpointSlice{source},
		mirror.CopyOptions{
			KeepZones: true, KeepNodes: true, KeepTargetRefs: true,
			Port: func(p discoveryv1.EndpointPort) bool {
				ok := *p.Name == "" && *p.Protocol == corev1.ProtocolTCP
				*p.Name, *p.Port = "changed", 0
				return ok
			},
			Transform: func(e *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error {
				if from != source {
					t.Error("the transform does not get the caller's slice")
				}
				e.Addresses[0], *e.Conditions.Ready = "10.9.9.9", false
				*e.Zone, *e.NodeName, *e.Hostname = "z9", "n9", "h9"
				e.TargetRef.Name, e.Hints.ForZones[0].Name = "p9", "z9"
				return nil
			},
		})
	if err != nil || len(in.Groups) != 1 {
		t.Fatal(err, in.Groups)
	}
	if d := cmp.Diff(before, source); d != "" {
		t.Errorf("the source was changed:\n%s", d)
	}
	e := in.Groups[0].Endpoints[0].API
	if e.Addresses[0] != "10.9.9.9" || *e.Zone != "z9" || *e.NodeName != "n9" || e.Hints.ForZones[0].Name != "z9" ||
		e.TargetRef.Name != "p9" {
		t.Errorf("the change is lost: %+v", e)
	}
	if p := in.Groups[0].Ports[0]; *p.Name != "" || *p.Port != 80 {
		t.Errorf("the filter changed the copy: %+v", p)
	}
}

// TestTransformFails: an endpoint whose address is not known yet stays as it was published, and a
// later call asks again. A mistake in an endpoint, which is a *field.Error, is only left out.
func TestTransformFails(t *testing.T) {
	source := fullSlice()
	source.Endpoints[0].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "far", Name: "p", UID: "u"}
	from := []*discoveryv1.EndpointSlice{source}
	k := slicer.Key{Namespace: "ns", Name: "web", ManagedBy: "copies.example.com"}
	later := errors.New("no address over here yet")
	for _, c := range []struct {
		err     error
		keep    bool
		pending []slicer.Pending
	}{
		{later, true, []slicer.Pending{{Object: *source.Endpoints[0].TargetRef}}},
		{later, false, []slicer.Pending{{Untargeted: true}}},
		{field.Invalid(field.NewPath("addresses"), "", "is wrong"), true, nil},
	} {
		o := mirror.CopyOptions{KeepTargetRefs: c.keep}
		before, err := mirror.FromSlices(k, from, o)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(before, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Transform = func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error { return c.err }
		in, err := mirror.FromSlices(k, from, o)
		if err != nil || !slices.Equal(in.Pending, c.pending) || errors.Is(in.Retry, later) != (c.pending != nil) ||
			len(in.Warnings) != 1 || in.Warnings[0].Reason != "Dropped" || in.Warnings[0].Path != "slices[0].endpoints[0]" {
			t.Errorf("error %v, pending %v, retry %v, warnings %v", err, in.Pending, in.Retry, in.Warnings)
		}
		if again, err := slicer.Compute(in, plan.After()); err != nil || len(again.Steps) > 0 != (c.pending == nil) {
			t.Errorf("error %v: %v", err, again)
		}
	}
}

func fullSlice() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints: []discoveryv1.Endpoint{{
			Addresses: []string{"10.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: ptr(true)},
			Zone: ptr("z"), NodeName: ptr("n"), Hostname: ptr("h"), TargetRef: &corev1.ObjectReference{Name: "p"},
			Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z"}}},
		}},
	}
}
