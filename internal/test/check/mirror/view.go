package mirror

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
	"github.com/slicewright/slicewright/internal/test/check/memory"
	checkslices "github.com/slicewright/slicewright/internal/test/check/oldslices"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// MirrorView calls mirror.ToEndpoints and checks what package mirror promises about it: M4, M5, M7.
// An error of ToEndpoints itself is returned with nil Endpoints.
func MirrorView(all []*discoveryv1.EndpointSlice, o mirror.ViewOptions) (*corev1.Endpoints, []slicer.Skip, error) {
	before, service := slices.Clone(all), o.Service.DeepCopy()
	for i, s := range all {
		before[i] = s.DeepCopy()
	}
	view, skips, err := mirror.ToEndpoints(all, o)
	if !reflect.DeepEqual(before, all) || !reflect.DeepEqual(service, o.Service) {
		return view, skips, checkslices.Broken{Err: errors.New("M5: ToEndpoints changed its input")}
	}
	if err != nil {
		return nil, nil, err
	}
	// A view is an object to write, so that a client may decode an answer into it.
	if a, b, shared := memory.Shared(memory.Value{Owner: "the slices", Of: &all},
		memory.Value{Owner: "the view", Of: view}); shared {
		return view, skips, checkslices.Broken{Err: fmt.Errorf("M5: %s and %s share memory", a, b)}
	}
	if broken := errors.Join(viewed(all, o, view, skips), explained(skips),
		reordered(all, o, view, skips)); broken != nil {
		return view, skips, checkslices.Broken{Err: broken}
	}
	return view, skips, nil
}

// viewed: the subsets mean what the slices hold, in canonical form (M7). Above the limit, others
// than ready addresses are shown only when all ready ones are; which of them is pinned by the
// scenarios view-truncated and view-thousand.
func viewed(all []*discoveryv1.EndpointSlice, o mirror.ViewOptions, view *corev1.Endpoints, skips []slicer.Skip) error {
	t := o.AddressType
	if t == "" && o.Service != nil && len(o.Service.Spec.IPFamilies) > 0 {
		t = discoveryv1.AddressType(o.Service.Spec.IPFamilies[0])
	}
	if t == "" {
		t = discoveryv1.AddressTypeIPv6
		for _, s := range all {
			if s.AddressType == discoveryv1.AddressTypeIPv4 {
				t = discoveryv1.AddressTypeIPv4
			}
		}
	}
	limit := o.MaxAddresses
	if limit == 0 {
		limit = 1000
	}
	shown := 0
	others := 0
	excess := 0
	for _, s := range view.Subsets {
		shown, others = shown+len(s.Addresses)+len(s.NotReadyAddresses), others+len(s.NotReadyAddresses)
	}
	for _, s := range skips {
		if s.Reason == mirror.OverLimit {
			excess++
		}
	}
	value, over := view.Annotations[corev1.EndpointsOverCapacity]
	if shown > limit || excess > 0 && shown < limit || over != (excess > 0) || over && value != "truncated" {
		return fmt.Errorf("M7: of at most %d addresses %d are shown, %d not, and the annotation is %q", limit, shown,
			excess, value)
	}
	want, got := Meaning(naive(all, t, o.Service), t), Meaning(view.Subsets, t)
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
	hasPorts := service != nil && len(service.Spec.Ports) > 0
	for _, s := range all {
		hasPorts = hasPorts || service == nil && len(s.Ports) > 0
	}
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

// reordered: the order of slices, endpoints and ports does not count (M4).
func reordered(all []*discoveryv1.EndpointSlice, o mirror.ViewOptions, view *corev1.Endpoints,
	skips []slicer.Skip) error {
	turned := make([]*discoveryv1.EndpointSlice, len(all))
	for i, s := range all {
		s = s.DeepCopy()
		slices.Reverse(s.Endpoints)
		slices.Reverse(s.Ports)
		turned[len(all)-1-i] = s
	}
	other, otherSkips, err := mirror.ToEndpoints(turned, o)
	if err != nil || !reflect.DeepEqual(view, other) || len(skips) != len(otherSkips) {
		return fmt.Errorf("M4: reversed, the slices give another view (%v): %+v %s, %+v %s", err, view, skips, other,
			otherSkips)
	}
	return nil
}
