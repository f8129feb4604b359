package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// Mirror calls mirror.FromEndpoints and checks what package mirror promises about it, M1 and M3 to
// M6. An error of FromEndpoints itself is no broken promise: it is returned with an empty input.
func Mirror(endpoints *corev1.Endpoints, service *corev1.Service, o mirror.Options) (slicer.Input, error) {
	before, serviceBefore := endpoints.DeepCopy(), service.DeepCopy()
	in, err := mirror.FromEndpoints(endpoints, service, o)
	if !reflect.DeepEqual(before, endpoints) || !reflect.DeepEqual(serviceBefore, service) {
		return in, check.Broken{Err: errors.New("M5: FromEndpoints changed its input")}
	}
	if err != nil {
		if !reflect.DeepEqual(in, slicer.Input{}) {
			return in, check.Broken{Err: fmt.Errorf("rule 6: an input beside the error %w", err)}
		}
		return in, err
	}
	if !eligible(endpoints, service) {
		if len(in.Groups) > 0 || len(in.Warnings)+len(in.Normal) != 1 || !in.Options.NoPlaceholder {
			return in, check.Broken{Err: fmt.Errorf("M6: Endpoints that are not mirrored want %+v", in)}
		}
		return in, nil
	}
	if broken := errors.Join(means(endpoints, in), explained(in.Warnings), explained(in.Normal),
		turned(endpoints, service, o, in), alone(endpoints, service, in)); broken != nil {
		return in, check.Broken{Err: broken}
	}
	return in, nil
}

// eligible: Endpoints of a Service without a selector are mirrored, unless a label or an annotation
// says otherwise.
func eligible(e *corev1.Endpoints, service *corev1.Service) bool {
	if e == nil || service == nil || len(service.Spec.Selector) > 0 || e.Labels[discoveryv1.LabelSkipMirror] == "true" {
		return false
	}
	_, isLock := e.Annotations["control-plane.alpha.kubernetes.io/leader"]
	return !isLock
}

// alone: the input shares no memory with the arguments (M5).
func alone(endpoints *corev1.Endpoints, service *corev1.Service, in slicer.Input) error {
	in.Warnings, in.Normal = nil, nil
	for _, given := range []check.Memories{{Owner: "the Endpoints", Of: endpoints}, {Owner: "the Service", Of: service}} {
		if a, b, shared := check.Shared(given, check.Memories{Owner: "the input", Of: &in}); shared {
			return fmt.Errorf("M5: %s and %s share memory", a, b)
		}
	}
	return nil
}

var families = []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

func overLimit(in slicer.Input) bool {
	return slices.ContainsFunc(in.Warnings, func(n slicer.Notice) bool { return n.Reason == "TooManyAddressesToMirror" })
}

// means: what is wanted is what the Endpoints mean, no more, and no less but for what is above the
// limit; in canonical form (M1, M3). Under Kubernetes' own name its own controller is the judge, in
// internal/test/conformance. Which addresses stay below the limit is pinned by the scenario
// over-limit.
func means(endpoints *corev1.Endpoints, in slicer.Input) error {
	if in.Key.ManagedBy == mirror.KubernetesManager {
		return nil
	}
	for _, t := range families {
		groups := subsetsOf(in, t)
		want, got := Meaning(endpoints.Subsets, t), Meaning(groups, t)
		if overLimit(in) {
			want = slices.DeleteFunc(want, func(line string) bool { return !slices.Contains(got, line) })
		}
		if !slices.Equal(want, got) {
			return fmt.Errorf("M1: of %s -what the Endpoints mean +what the groups say:\n%s", t, cmp.Diff(want, got))
		}
		if err := inForm(groups); err != nil {
			return fmt.Errorf("M1: of %s %w", t, err)
		}
	}
	return nil
}

// subsetsOf writes the groups of a family as subsets.
func subsetsOf(in slicer.Input, t discoveryv1.AddressType) (subsets []corev1.EndpointSubset) {
	for _, g := range in.Groups {
		if g.AddressType == t {
			var list []discoveryv1.Endpoint
			for _, e := range g.Endpoints {
				list = append(list, e.API)
			}
			subsets = append(subsets, Subset(g.Ports, list))
		}
	}
	return subsets
}

// Subset lists endpoints by their first addresses, on the ports that have a number.
func Subset(ports []discoveryv1.EndpointPort, endpoints []discoveryv1.Endpoint) (s corev1.EndpointSubset) {
	for _, p := range ports {
		if p.Port == nil {
			continue
		}
		port := corev1.EndpointPort{Name: check.Text(p.Name), Port: *p.Port, AppProtocol: p.AppProtocol}
		if p.Protocol != nil {
			port.Protocol = *p.Protocol
		}
		s.Ports = append(s.Ports, port)
	}
	for i := range endpoints {
		e := &endpoints[i]
		a := corev1.EndpointAddress{Hostname: check.Text(e.Hostname), NodeName: e.NodeName, TargetRef: e.TargetRef}
		if len(e.Addresses) > 0 {
			a.IP = e.Addresses[0]
		}
		if check.Ready(e) {
			s.Addresses = append(s.Addresses, a)
		} else {
			s.NotReadyAddresses = append(s.NotReadyAddresses, a)
		}
	}
	return s
}

// explained: Notices say where in the arguments, what is wrong and what to do.
func explained(list slicer.Notices) error {
	for _, n := range list {
		fault, ok := n.Err.(*field.Error)
		if !ok || fault.Detail == "" || fault.Field != n.Path || n.Path == "" || strings.HasPrefix(n.Path, "groups") {
			return fmt.Errorf("rule 6: a Notice without an error that says where and what to do: %+v", n)
		}
	}
	return nil
}

// turned: Endpoints in another order want the same (M4). Under Kubernetes' own name the first
// content of an address counts.
func turned(endpoints *corev1.Endpoints, service *corev1.Service, o mirror.Options, in slicer.Input) error {
	if o.ManagedBy == mirror.KubernetesManager {
		return nil
	}
	e := endpoints.DeepCopy()
	slices.Reverse(e.Subsets)
	for i := range e.Subsets {
		slices.Reverse(e.Subsets[i].Addresses)
		slices.Reverse(e.Subsets[i].NotReadyAddresses)
		slices.Reverse(e.Subsets[i].Ports)
	}
	other, err := mirror.FromEndpoints(e, service, o)
	if err != nil || len(other.Warnings) != len(in.Warnings) || len(other.Normal) != len(in.Normal) {
		return fmt.Errorf("M4: reversed, the Endpoints have other Warnings (%v):\n%v\n%v", err, other.Warnings, in.Warnings)
	}
	other.Warnings, other.Normal = in.Warnings, in.Normal
	if !reflect.DeepEqual(in, other) {
		return fmt.Errorf("M4: reversed, the Endpoints give another input:\n%+v\n%+v", other, in)
	}
	return nil
}

// RoundTrip mirrors Endpoints, plans on what exists with all checks, applies the plan to an API
// server, and checks that a view of the mirrors is what the Endpoints mean, family by family (M8),
// and that slices of others are as they were (M6).
func RoundTrip(
	endpoints *corev1.Endpoints, service *corev1.Service, o mirror.Options, exists []*discoveryv1.EndpointSlice,
) (slicer.Plan, error) {
	in, err := Mirror(endpoints, service, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	plan, err := check.Compute(gen.Case{Input: in, Existing: exists})
	if err != nil {
		return plan, err
	}
	var server sim.Server
	server.Put(exists...)
	for _, step := range plan.Steps {
		if err := check.Apply(&server, step); err != nil {
			return plan, check.Broken{Err: err}
		}
	}
	ours, foreign := tellApart(in, server.List())
	if _, before := tellApart(in, exists); !reflect.DeepEqual(foreign, before) {
		return plan, check.Broken{Err: errors.New("M6: the plan changes slices of others")}
	}
	if slices.ContainsFunc(plan.Warnings, func(n slicer.Notice) bool { return !strings.HasPrefix(n.Path, "subsets") }) {
		return plan, nil
	}
	portless := &corev1.Service{}
	portless.Namespace, portless.Name = in.Key.Namespace, in.Key.Name
	for _, t := range families {
		portless.Spec.IPFamilies = []corev1.IPFamily{corev1.IPFamily(t)}
		view, _, err := MirrorView(portless, ours)
		if err != nil {
			return plan, err
		}
		if want, got := Meaning(subsetsOf(in, t), t), Meaning(view.Subsets, t); !slices.Equal(want, got) {
			return plan, check.Broken{Err: fmt.Errorf("M8: -what the Endpoints mean +what their mirrors "+
				"show:\n%s", cmp.Diff(want, got))}
		}
	}
	return plan, nil
}

// tellApart tells live mirrors from slices of others, these sorted by name.
func tellApart(in slicer.Input, all []*discoveryv1.EndpointSlice) (ours, foreign []*discoveryv1.EndpointSlice) {
	for _, s := range all {
		switch {
		case s.Labels[discoveryv1.LabelManagedBy] != in.Key.ManagedBy ||
			s.Labels[discoveryv1.LabelServiceName] != in.Key.Name:
			foreign = append(foreign, s)
		case s.DeletionTimestamp == nil:
			ours = append(ours, s)
		}
	}
	slices.SortFunc(foreign, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	return ours, foreign
}
