package conformance

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
)

// compareMetadata: what is written carries the same labels, owner and trigger time, and what is created the same prefix.
func (x *comparison) compareMetadata() {
	ref, ours := x.ref.of(slicer.Create, slicer.Update), x.ours.of(slicer.Create, slicer.Update)
	x.same("labels", each(ref, labelsOf), each(ours, labelsOf))
	x.same("trigger times", each(ref, triggerOf), each(ours, triggerOf))
	x.same("owners", each(x.ref.of(slicer.Create), ownersOf), each(x.ours.of(slicer.Create), ownersOf))
	x.same("prefixes", each(x.ref.of(slicer.Create), prefixOf), each(x.ours.of(slicer.Create), prefixOf))
	for _, s := range ref {
		if !x.headlessRight(s) {
			x.used[ReservedLabels] = true
		}
	}
	for _, s := range ours {
		if !x.headlessRight(s) {
			x.fault("%s is written with the wrong headless label: %v", s.Name, s.Labels)
		}
		if !hasOwner(s, x.c.Service) {
			x.fault("%s is written without its owner: %v", s.Name, s.OwnerReferences)
		}
	}
	old := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range x.c.Slices {
		old[s.Name] = s
	}
	for _, w := range x.ours.writes {
		if s := old[w.Name]; w.Verb == slicer.Update && s.AddressType != w.Slice.AddressType {
			x.fault("%s was %s and is written as %s", w.Name, s.AddressType, w.Slice.AddressType)
		}
		if s := old[w.Name]; w.Verb != slicer.Create && !x.c.ours(s) {
			x.fault("%s is somebody else's", w.Name)
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

func (x *comparison) headlessRight(s *discoveryv1.EndpointSlice) bool {
	_, has := s.Labels[corev1.IsHeadlessService]
	return has == isHeadless(x.c.Service)
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
	return fmt.Sprint(slices.Collect(func(yield func(string) bool) {
		for _, o := range s.OwnerReferences {
			if !yield(ownerOf(o)) {
				return
			}
		}
	}))
}

func ownerOf(o metav1.OwnerReference) string {
	return fmt.Sprint(o.APIVersion, o.Kind, o.Name, o.UID, isTrue(o.Controller, false), isTrue(o.BlockOwnerDeletion, false))
}
