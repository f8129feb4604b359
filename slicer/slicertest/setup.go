package slicertest

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// What a history may begin with, before the writer starts.

func startWithPods(r *replay, n int) string {
	for range n {
		r.world.addPod(portNumber)
	}
	return when(n > 0, "%s", count(n, "Pod"))
}

// starts is an event that changes the Service, with the words for it.
func starts(text string, change func(*corev1.Service)) func(*replay, int) string {
	return func(r *replay, _ int) string {
		r.world.change(change)
		return text
	}
}

var (
	startDual          = starts("both families", func(s *corev1.Service) { setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol) })
	startIPv6          = starts("IPv6 only", func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
	startWithNamedPort = starts("a target port by name", func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
	startWithLongName  = starts("a name of 63 letters", func(s *corev1.Service) { s.Name = longName })
	startHeadless      = starts("no cluster IP", func(s *corev1.Service) {
		s.Spec.ClusterIP = corev1.ClusterIPNone
		setFamilies(s, s.Spec.IPFamilies...)
	})
)

func startWithSpelling(r *replay, _ int) string {
	r.world.spelled = true
	if !dual(r.world.service) {
		r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
	}
	return "IPv6 addresses in capital letters"
}
