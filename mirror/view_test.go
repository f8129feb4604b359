package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// limit is the largest number of addresses that Endpoints show.
const limit = 1000

// MirrorView calls mirror.ToEndpoints and checks what package mirror promises about it: M4, M5, M7.
// An error of ToEndpoints itself is returned with nil Endpoints.
func MirrorView(svc *corev1.Service, all []*discoveryv1.EndpointSlice) (*corev1.Endpoints, slicer.Notices, error) {
	before, service := slices.Clone(all), svc.DeepCopy()
	for i, s := range all {
		before[i] = s.DeepCopy()
	}
	view, left, err := mirror.ToEndpoints(svc, all)
	if !reflect.DeepEqual(before, all) || !reflect.DeepEqual(service, svc) {
		return view, left, check.Broken{Err: errors.New("M5: ToEndpoints changed its input")}
	}
	if err != nil {
		return nil, nil, err
	}
	// A view is an object to write, so that a client may decode an answer into it.
	if a, b, shared := check.Shared(check.Memories{Owner: "the slices", Of: &all},
		check.Memories{Owner: "the view", Of: view}); shared {
		return view, left, check.Broken{Err: fmt.Errorf("M5: %s and %s share memory", a, b)}
	}
	if broken := errors.Join(viewed(svc, all, view, left), explained(left), reordered(svc, all, view, left)); broken != nil {
		return view, left, check.Broken{Err: broken}
	}
	return view, left, nil
}

// viewed: the subsets mean what the slices hold, in canonical form (M7). Above the limit, others
// than ready addresses are shown only when all ready ones are; which of them is pinned by the
// scenario view-truncated.
func viewed(svc *corev1.Service, all []*discoveryv1.EndpointSlice, view *corev1.Endpoints, left slicer.Notices) error {
	t := discoveryv1.AddressTypeIPv6
	if len(svc.Spec.IPFamilies) > 0 {
		t = discoveryv1.AddressType(svc.Spec.IPFamilies[0])
	} else if slices.ContainsFunc(all, func(s *discoveryv1.EndpointSlice) bool {
		return s.AddressType == discoveryv1.AddressTypeIPv4
	}) {
		t = discoveryv1.AddressTypeIPv4
	}
	shown := 0
	others := 0
	excess := 0
	for _, s := range view.Subsets {
		shown += len(s.Addresses) + len(s.NotReadyAddresses)
		others += len(s.NotReadyAddresses)
	}
	for _, n := range left {
		if n.Reason == "TooManyAddressesToMirror" {
			excess++
		}
	}
	value, over := view.Annotations[corev1.EndpointsOverCapacity]
	if shown > limit || excess > 0 && shown < limit || over != (excess > 0) || over && value != "truncated" {
		return fmt.Errorf("M7: of at most %d addresses %d are shown, %d not, and the annotation is %q", limit, shown,
			excess, value)
	}
	want, got := Meaning(naive(all, t, svc), t), Meaning(view.Subsets, t)
	if over {
		want = slices.DeleteFunc(want, func(line string) bool {
			return !slices.Contains(got, line) && (others == 0 || line[:len("ready=true")] != "ready=true")
		})
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("M7: -what the slices hold +what the view shows:\n%s", cmp.Diff(want, got))
	}
	return inForm(view.Subsets)
}

// naive makes a subset of every slice whose endpoints serve a port of the Service, or of a Service
// without ports.
func naive(all []*discoveryv1.EndpointSlice, t discoveryv1.AddressType,
	service *corev1.Service) []corev1.EndpointSubset {
	hasPorts := len(service.Spec.Ports) > 0
	var out []corev1.EndpointSubset
	for _, s := range all {
		shown := slices.DeleteFunc(slices.Clone(s.Endpoints), func(e discoveryv1.Endpoint) bool {
			state := conditions.Of(e.Conditions)
			return !state.Ready && state.Terminating
		})
		subset := Subset(s.Ports, shown)
		if s.AddressType == t && (!hasPorts || len(s.Ports) > 0) && (len(subset.Ports) > 0 || len(s.Ports) == 0) {
			out = append(out, subset)
		}
	}
	return out
}

// reordered: the order of slices, endpoints and ports makes no difference (M4).
func reordered(svc *corev1.Service, all []*discoveryv1.EndpointSlice, view *corev1.Endpoints, left slicer.Notices) error {
	turned := make([]*discoveryv1.EndpointSlice, len(all))
	for i, s := range all {
		s = s.DeepCopy()
		slices.Reverse(s.Endpoints)
		slices.Reverse(s.Ports)
		turned[len(all)-1-i] = s
	}
	other, otherLeft, err := mirror.ToEndpoints(svc, turned)
	if err != nil || !reflect.DeepEqual(view, other) || len(left) != len(otherLeft) {
		return fmt.Errorf("M4: reversed, the slices give another view (%v): %+v %s, %+v %s", err, view, left, other,
			otherLeft)
	}
	return nil
}
