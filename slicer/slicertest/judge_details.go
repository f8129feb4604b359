package slicertest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// What slices say of an endpoint besides its address, ports and readiness. What is there must be true; what is missing is
// judged only if Options.Also asks for it.

// judgeDetails compares an endpoint with what is wanted of it. Conditions count by their effect: an unset one as readers take it.
func (r *replay) judgeDetails(p place, w Want) {
	have, want := p.endpoint, plain(&w.Endpoint)
	given := w.Endpoint.Conditions
	for _, c := range []struct {
		name       kit.Word
		given      *bool
		have, want bool
	}{
		{"serving", given.Serving, *have.Conditions.Serving, *want.Conditions.Serving},
		{"terminating", given.Terminating, *have.Conditions.Terminating, *want.Conditions.Terminating},
	} {
		if c.given != nil && c.have != c.want {
			r.fail("nothing-false", "%s says %s=%t by its conditions, which is not so", p, c.name, c.have)
		}
	}
	for key, value := range w.Labels {
		if p.labels[key] != value {
			r.fail("labels", "%s is in slice %s with label %s=%s, and should be in one with %s", p, p.slice, kit.Word(key), p.labels[key], value)
		}
	}
	for _, d := range []struct {
		feature, name string
		have, want    *string
	}{
		{"Zone", "zone", have.Zone, want.Zone},
		{"NodeName", "nodeName", have.NodeName, want.NodeName},
		{"TargetRef", "targetRef", refOf(have.TargetRef, want.TargetRef), refOf(want.TargetRef, have.TargetRef)},
	} {
		switch {
		case d.want == nil:
		case d.have != nil && *d.have != *d.want:
			r.fail("nothing-false", "%s says %s %s, and it is %s", p, kit.Word(d.name), *d.have, *d.want)
		case d.have == nil && r.kit.Can(d.feature):
			r.fail("detailed", "%s has no %s", p, kit.Word(d.name))
		}
	}
}

// refOf is what a reference says of its target, as far as another one speaks of that as well.
func refOf(ref, other *corev1.ObjectReference) *string {
	if ref == nil {
		return nil
	}
	text := ref.Kind + " " + ref.Namespace + "/" + ref.Name
	if other != nil && ref.UID != "" && other.UID != "" {
		text += " with UID " + string(ref.UID)
	}
	return &text
}

// judgeSlice judges what Kubernetes' own controller puts on a slice.
func (r *replay) judgeSlice(s *discoveryv1.EndpointSlice) {
	_, labelled := s.Labels[corev1.IsHeadlessService]
	if headless := r.world.service.Spec.ClusterIP == corev1.ClusterIPNone; headless && !labelled && r.kit.Can("HeadlessLabel") {
		r.fail("detailed", "slice %s of a headless Service has no label %s", s.Name, kit.Word(corev1.IsHeadlessService))
	}
	r.judgeOwners(s)
	owned := slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == r.world.service.UID })
	if !owned && r.kit.Can("Owner") {
		r.fail("detailed", "slice %s has not the Service as owner, so that it will stay when the Service is deleted", s.Name)
	}
}

func (r *replay) judgeOwners(s *discoveryv1.EndpointSlice) {
	for _, o := range s.OwnerReferences {
		if o.Kind == "Service" && o.UID != r.world.service.UID {
			r.fail("nothing-false", "slice %s has an owner that is gone, and will be deleted with it", s.Name)
		}
	}
}
