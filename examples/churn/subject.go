package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/slicer/services"
)

// subject says which of the objects that were recorded make the history: those of one Service, either
// its Pods or its slices.
type subject struct {
	pods    bool // its Pods count, not its slices
	name    types.NamespacedName
	service *corev1.Service // whose selector says which Pods; nil if it is not in the input
}

// has reports whether an object may count.
func (s subject) has(o runtime.Object) bool {
	switch o := o.(type) {
	case *corev1.Pod:
		return s.pods && o.Namespace == s.name.Namespace
	case *discoveryv1.EndpointSlice:
		return !s.pods && serviceOf(o) == s.name
	}
	return false
}

// selects reports whether an object that may count does so in the state that it has.
func (s subject) selects(o runtime.Object) bool {
	pod, ok := o.(*corev1.Pod)
	return !ok || s.service == nil || services.Selects(s.service, pod)
}

func serviceOf(s *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: s.Namespace, Name: s.Labels[discoveryv1.LabelServiceName]}
}

// choose finds the Service whose history was recorded: the one of -service, or the only one. If a Service
// is in the input, its selector says which Pods count, even if slices were recorded as well.
func (c config) choose(entries []manifest.Entry) (subject, error) {
	chosen, at := map[types.NamespacedName]*corev1.Service{}, ""
	for _, e := range entries {
		svc, ok := e.Object.(*corev1.Service)
		if ok && c.wants(svc.Namespace, svc.Name) {
			chosen[types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name}], at = svc, e.At
		}
	}
	if len(chosen) > 1 {
		return subject{}, fmt.Errorf("%s: Services %s are in the input; say which by -service", at, few(chosen))
	}
	for name, svc := range chosen {
		s := subject{name: name, service: svc}
		s.pods = slices.ContainsFunc(entries, func(e manifest.Entry) bool {
			pod, ok := e.Object.(*corev1.Pod)
			return ok && services.Selects(svc, pod)
		})
		return s, nil
	}
	return c.guess(entries)
}

// guess finds the Service without its object.
func (c config) guess(entries []manifest.Entry) (subject, error) {
	var s subject
	var common map[string]string // labels of all Pods
	first := ""                  // where the first Pod or slice is
	for _, e := range entries {
		var name types.NamespacedName
		pod, isPod := e.Object.(*corev1.Pod)
		slice, isSlice := e.Object.(*discoveryv1.EndpointSlice)
		switch {
		case isPod && c.service != "":
			return s, fmt.Errorf("%s: no Service %s in the input, whose selector says which Pods count; add it", e.At, c.service)
		case isPod:
			name.Namespace = pod.Namespace
		case isSlice && c.wants(slice.Namespace, serviceOf(slice).Name):
			name = serviceOf(slice)
		default:
			continue
		}
		switch {
		case first == "":
			first, s, common = e.At, subject{pods: isPod, name: name}, podLabels(pod)
		case s.pods != isPod:
			return s, fmt.Errorf("%s: Pods and EndpointSlices, and no Service that says which count; record one of them", e.At)
		case s.name != name && isSlice:
			return s, fmt.Errorf("%s: EndpointSlice %s/%s is of Service %s, others are of %s; say which by -service",
				e.At, slice.Namespace, slice.Name, name, s.name)
		case s.name != name:
			return s, fmt.Errorf("%s: Pod %s/%s is of another namespace than Pods before; record those of one Service",
				e.At, pod.Namespace, pod.Name)
		case isPod && !shared(common, podLabels(pod)):
			return s, fmt.Errorf("%s: Pod %s/%s has no label that all Pods before have, so no Service selects them all; "+
				"add the Service to the input, or record with its selector: -l app=NAME", e.At, pod.Namespace, pod.Name)
		}
	}
	if first == "" && c.service != "" {
		return s, fmt.Errorf("-service %s: no such Service in the input; check the name", c.service)
	}
	return s, nil
}

// podLabels returns a copy of the labels; none for nil.
func podLabels(pod *corev1.Pod) map[string]string {
	if pod == nil {
		return nil
	}
	return maps.Clone(pod.Labels)
}

// shared removes from common what other has not, and reports whether some label is left, or none was.
func shared(common, other map[string]string) bool {
	if len(common) == 0 {
		return len(other) == 0
	}
	maps.DeleteFunc(common, func(key, value string) bool {
		have, ok := other[key]
		return !ok || have != value
	})
	return len(common) > 0
}

func (c config) wants(namespace, name string) bool {
	return c.service == "" || c.service == name || c.service == namespace+"/"+name
}

// few lists at most three names.
func few(all map[types.NamespacedName]*corev1.Service) string {
	var names []string
	for name := range all {
		names = append(names, name.String())
	}
	slices.Sort(names)
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return strings.Join(names, ", ")
}
