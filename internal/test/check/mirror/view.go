package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/check/memory"
	checkslices "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// MirrorView calls mirror.ToEndpoints and checks what package mirror promises about it: M4, M5, M7. An error of ToEndpoints
// itself is returned with nil Endpoints.
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
	if shared := sharesMemory(view, all); shared != nil {
		return view, skips, checkslices.Broken{Err: shared}
	}
	if broken := errors.Join(viewed(all, o, view, skips), reordered(all, o, view, skips)); broken != nil {
		return view, skips, checkslices.Broken{Err: broken}
	}
	return view, skips, nil
}

// sharesMemory: a view is an object to write, so that a client may decode an answer into it.
func sharesMemory(view *corev1.Endpoints, all []*discoveryv1.EndpointSlice) error {
	if a, b, shared := memory.Shared(memory.Value{Owner: "the slices", Of: &all}, memory.Value{Owner: "the view", Of: view}); shared {
		return fmt.Errorf("M5: %s and %s share memory", a, b)
	}
	return nil
}

// viewed: the subsets are what the slices hold, written down naively as Endpoints and brought into canonical form.
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
	want := CanonicalSubsets(naive(all, t, o.Service), t)
	limit := o.MaxAddresses
	if limit == 0 {
		limit = 1000
	}
	total, ready, notReady := 0, 0, 0
	for _, s := range want {
		ready, notReady = ready+len(s.Addresses), notReady+len(s.NotReadyAddresses)
	}
	shown := 0
	for _, s := range view.Subsets {
		shown += len(s.Addresses) + len(s.NotReadyAddresses)
	}
	total = ready + notReady
	excess := 0
	for _, s := range skips {
		if s.Err == nil || s.Path == "" {
			return fmt.Errorf("rule 6: a skip that does not say where and what: %+v", s)
		}
		if s.Reason == mirror.OverLimit {
			excess++
		}
	}
	if shown != min(limit, total) || excess != total-shown {
		return fmt.Errorf("M7: of %d addresses %d are shown, and the Skips are %v", total, shown, skips)
	}
	value, over := view.Annotations[corev1.EndpointsOverCapacity]
	if over != (total > limit) || over && value != "truncated" {
		return fmt.Errorf("M7: the annotation about the capacity is %q", value)
	}
	if total <= limit {
		if a, b := subsetsText(want), subsetsText(view.Subsets); a != b {
			return fmt.Errorf("M7: the slices hold\n%s\nand the view shows\n%s", a, b)
		}
		return nil
	}
	return cut(want, view.Subsets, ready)
}

// naive makes a subset of every endpoint that serves a port of the Service, or that is of a Service without ports.
func naive(all []*discoveryv1.EndpointSlice, t discoveryv1.AddressType, service *corev1.Service) []corev1.EndpointSubset {
	hasPorts := service != nil && len(service.Spec.Ports) > 0
	for _, s := range all {
		hasPorts = hasPorts || service == nil && len(s.Ports) > 0
	}
	var out []corev1.EndpointSubset
	for _, s := range all {
		if s.AddressType != t || hasPorts && len(s.Ports) == 0 {
			continue
		}
		var ports []corev1.EndpointPort
		for _, p := range s.Ports {
			if p.Port == nil {
				continue
			}
			port := corev1.EndpointPort{Name: form.Text(p.Name), Port: *p.Port, AppProtocol: p.AppProtocol}
			if p.Protocol != nil {
				port.Protocol = *p.Protocol
			}
			ports = append(ports, port)
		}
		if len(ports) == 0 && len(s.Ports) > 0 {
			continue
		}
		for _, e := range s.Endpoints {
			state := conditions.Of(e.Conditions)
			if len(e.Addresses) == 0 || state.Terminating && !state.Ready {
				continue
			}
			a := []corev1.EndpointAddress{{IP: e.Addresses[0], Hostname: form.Text(e.Hostname), NodeName: e.NodeName, TargetRef: e.TargetRef}}
			if state.Ready {
				out = append(out, corev1.EndpointSubset{Ports: ports, Addresses: a})
			} else {
				out = append(out, corev1.EndpointSubset{Ports: ports, NotReadyAddresses: a})
			}
		}
	}
	return out
}

// cut: a subset shows the first of its addresses, and others than ready ones only when all ready ones are shown. Which share each
// subset has is pinned by the scenarios view-truncated and view-thousand.
func cut(want, got []corev1.EndpointSubset, ready int) error {
	shown, others := 0, 0
	for _, g := range got {
		i := slices.IndexFunc(want, func(s corev1.EndpointSubset) bool { return portsText(s.Ports) == portsText(g.Ports) })
		if i < 0 {
			return fmt.Errorf("M7: no slice has the ports of subset %s", portsText(g.Ports))
		}
		all := want[i]
		all.Addresses = all.Addresses[:min(len(g.Addresses), len(all.Addresses))]
		all.NotReadyAddresses = all.NotReadyAddresses[:min(len(g.NotReadyAddresses), len(all.NotReadyAddresses))]
		if subsetsText([]corev1.EndpointSubset{all}) != subsetsText([]corev1.EndpointSubset{g}) {
			return fmt.Errorf("M7: the addresses of subset %s are not the first ones", portsText(g.Ports))
		}
		shown, others = shown+len(g.Addresses), others+len(g.NotReadyAddresses)
	}
	if others > 0 && shown < ready {
		return fmt.Errorf("M7: %d of %d ready addresses are shown, and %d others", shown, ready, others)
	}
	return nil
}

// reordered: the order of slices, endpoints and ports does not count (M4).
func reordered(all []*discoveryv1.EndpointSlice, o mirror.ViewOptions, view *corev1.Endpoints, skips []slicer.Skip) error {
	turned := make([]*discoveryv1.EndpointSlice, len(all))
	for i, s := range all {
		s = s.DeepCopy()
		slices.Reverse(s.Endpoints)
		slices.Reverse(s.Ports)
		turned[len(all)-1-i] = s
	}
	other, otherSkips, err := mirror.ToEndpoints(turned, o)
	if err != nil || !reflect.DeepEqual(view, other) || len(skips) != len(otherSkips) {
		return fmt.Errorf("M4: reversed, the slices give another view (%v): %+v %s, %+v %s", err, view, skips, other, otherSkips)
	}
	return nil
}

// RoundTrip mirrors Endpoints, plans on what exists with all checks, applies the plan to an API server, and checks that
// a view of the mirrors is what the Endpoints mean, family by family (M8), and that slices of others are as they were
// (M6).
func RoundTrip(
	endpoints *corev1.Endpoints, service *corev1.Service, o mirror.Options, exists []*discoveryv1.EndpointSlice,
) (slicer.Plan, error) {
	in, err := Mirror(endpoints, service, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	plan, err := checkslices.Compute(given.World{Input: in, Existing: exists})
	if err != nil {
		return plan, err
	}
	var server sim.Server
	server.Put(exists...)
	for _, step := range plan.Steps {
		if err := checkslices.Apply(&server, step); err != nil {
			return plan, checkslices.Broken{Err: err}
		}
	}
	m := mirrored{endpoints: endpoints, service: service, options: o, in: in}
	wanted := m.wanted()
	ours, foreign := m.ours(server.List())
	if _, before := m.ours(exists); !reflect.DeepEqual(foreign, before) {
		return plan, checkslices.Broken{Err: errors.New("M6: the plan changes slices of others")}
	}
	if slices.ContainsFunc(plan.Skips, func(s slicer.Skip) bool { return !strings.HasPrefix(s.Path, "subsets") }) {
		return plan, nil
	}
	portless := &corev1.Service{}
	portless.Namespace, portless.Name = m.in.Set.Namespace, m.in.Set.Name
	for t, subsets := range wanted {
		view, _, err := MirrorView(ours, mirror.ViewOptions{Service: portless, AddressType: t, MaxAddresses: 1 << 20})
		if err != nil {
			return plan, err
		}
		if a, b := subsetsText(subsets), subsetsText(view.Subsets); a != b {
			return plan, checkslices.Broken{Err: fmt.Errorf("M8: the Endpoints mean\n%s\nand their mirrors show\n%s", a, b)}
		}
	}
	return plan, nil
}

// ours tells live mirrors from slices of others, both sorted by name.
func (m mirrored) ours(all []*discoveryv1.EndpointSlice) (ours, foreign []*discoveryv1.EndpointSlice) {
	for _, s := range all {
		switch {
		case s.Labels[discoveryv1.LabelManagedBy] != m.in.Set.ManagedBy || s.Labels[discoveryv1.LabelServiceName] != m.in.Set.Name:
			foreign = append(foreign, s)
		case s.DeletionTimestamp == nil:
			ours = append(ours, s)
		}
	}
	slices.SortFunc(foreign, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	return ours, foreign
}
