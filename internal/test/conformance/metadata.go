package conformance

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// compareMetadata: what is written carries the same labels and trigger time, and what is created the same owner and prefix.
func (x *comparison) compareMetadata() {
	ref, ours := x.ref.of(slicer.Create, slicer.Update), x.ours.of(slicer.Create, slicer.Update)
	x.same("labels", each(ref, labelsOf), each(ours, labelsOf))
	x.same("trigger times", each(ref, triggerOf), each(ours, triggerOf))
	x.same("owners", each(x.ref.of(slicer.Create), ownersOf), each(x.ours.of(slicer.Create), ownersOf))
	x.same("prefixes", each(x.ref.of(slicer.Create), prefixOf), each(x.ours.of(slicer.Create), prefixOf))
	for _, s := range ref {
		if _, has := s.Labels[corev1.IsHeadlessService]; has != isHeadless(x.c.Service) {
			x.used[ReservedLabels] = true
		}
	}
}

// same checks that two sides, where both have something, have one and the same value.
func (x *comparison) same(what string, ref, ours []string) {
	if len(ref) > 1 || len(ours) > 1 || len(ref) == 1 && len(ours) == 1 && ref[0] != ours[0] {
		x.fault("%s: the reference writes %q, slicewright %q", what, ref, ours)
	}
}

// each lists the different values that slices have.
func each(list []*discoveryv1.EndpointSlice, value func(*discoveryv1.EndpointSlice) string) []string {
	values := map[string]bool{}
	for _, s := range list {
		values[value(s)] = true
	}
	return slices.Sorted(maps.Keys(values))
}

// labelsOf is without the headless one, which the reference does not put right on every slice that it writes.
func labelsOf(s *discoveryv1.EndpointSlice) string {
	labels := maps.Clone(s.Labels)
	delete(labels, corev1.IsHeadlessService)
	return fmt.Sprint(labels)
}

func prefixOf(s *discoveryv1.EndpointSlice) string { return s.Namespace + "/" + s.GenerateName }
func triggerOf(s *discoveryv1.EndpointSlice) string {
	return s.Annotations[corev1.EndpointsLastChangeTriggerTime]
}

func ownersOf(s *discoveryv1.EndpointSlice) string {
	text := ""
	for _, o := range s.OwnerReferences {
		text += fmt.Sprintln(o.APIVersion, o.Kind, o.Name, o.UID, isTrue(o.Controller, false), isTrue(o.BlockOwnerDeletion, false))
	}
	return text
}
