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

func startHeadless(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) {
		s.Spec.ClusterIP = corev1.ClusterIPNone
		setFamilies(s, s.Spec.IPFamilies...)
	})
	return "no cluster IP"
}

func startDual(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv4Protocol, corev1.IPv6Protocol) })
	return "both families"
}

func startIPv6(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
	return "IPv6 only"
}

func startWithNamedPort(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
	return "a target port by name"
}

func startWithLongName(r *replay, _ int) string {
	r.world.change(func(s *corev1.Service) { s.Name = longName })
	return "a name of 63 letters"
}

func startWithSpelling(r *replay, _ int) string {
	r.world.spelled = true
	if !dual(r.world.service) {
		r.world.change(func(s *corev1.Service) { setFamilies(s, corev1.IPv6Protocol) })
	}
	return "IPv6 addresses in capital letters"
}
