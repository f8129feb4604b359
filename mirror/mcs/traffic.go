package mcs

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// setTraffic sets the fields that decide which endpoints a client uses, with the API server's
// defaults.
func setTraffic(to, from *corev1.ServiceSpec) {
	if isHeadless(from) {
		to.ClusterIP = corev1.ClusterIPNone
	}
	to.SessionAffinity = affinity(from)
	if to.SessionAffinity == corev1.ServiceAffinityClientIP {
		seconds := timeout(from)
		to.SessionAffinityConfig = &corev1.SessionAffinityConfig{
			ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &seconds},
		}
	}
	policy := internalPolicy(from)
	to.InternalTrafficPolicy = &policy
	if text := endpoint.Text(from.TrafficDistribution); text != "" {
		to.TrafficDistribution = &text
	}
}

func isHeadless(s *corev1.ServiceSpec) bool { return s.ClusterIP == corev1.ClusterIPNone }

func affinity(s *corev1.ServiceSpec) corev1.ServiceAffinity {
	return cmp.Or(s.SessionAffinity, corev1.ServiceAffinityNone)
}

// timeout returns the timeout of the session affinity ClientIP, in seconds.
func timeout(s *corev1.ServiceSpec) int32 {
	if c := s.SessionAffinityConfig; c != nil && c.ClientIP != nil && c.ClientIP.TimeoutSeconds != nil {
		return *c.ClientIP.TimeoutSeconds
	}
	return corev1.DefaultClientIPServiceAffinitySeconds
}

func internalPolicy(s *corev1.ServiceSpec) corev1.ServiceInternalTrafficPolicy {
	if s.InternalTrafficPolicy == nil {
		return corev1.ServiceInternalTrafficPolicyCluster
	}
	return *s.InternalTrafficPolicy
}

// sameNode reports whether readers compare the Node of an endpoint with their own.
func sameNode(s *corev1.ServiceSpec) bool {
	return internalPolicy(s) == corev1.ServiceInternalTrafficPolicyLocal ||
		endpoint.Text(s.TrafficDistribution) == corev1.ServiceTrafficDistributionPreferSameNode
}

// distribution returns the trafficDistribution. PreferClose is the older name of PreferSameZone
// (KEP-3015).
func distribution(s *corev1.ServiceSpec) string {
	text := endpoint.Text(s.TrafficDistribution)
	if text == corev1.ServiceTrafficDistributionPreferClose {
		return corev1.ServiceTrafficDistributionPreferSameZone
	}
	return text
}

// addType adds that an export is headless and the oldest one is not, or the other way round.
func (d *difference) addType(s *corev1.ServiceSpec, oldest *Export) {
	switch {
	case isHeadless(s) == isHeadless(&oldest.Spec):
	case isHeadless(s):
		d.add("TypeConflict", "is headless, and %s is not", oldest.Cluster)
	default:
		d.add("TypeConflict", "is not headless, and %s is", oldest.Cluster)
	}
}

// addTraffic adds the fields in which an export differs from the oldest one. Timeouts are compared
// only if both have the same session affinity.
func (d *difference) addTraffic(s *corev1.ServiceSpec, oldest *Export) {
	compare := func(reason, name string, a, b any) {
		if a != b {
			d.add(reason, "%s %q gives way to %q of %s", name, fmt.Sprint(a), fmt.Sprint(b), oldest.Cluster)
		}
	}
	o := &oldest.Spec
	compare("SessionAffinityConflict", "sessionAffinity", affinity(s), affinity(o))
	if affinity(s) == affinity(o) && affinity(s) == corev1.ServiceAffinityClientIP {
		compare("SessionAffinityConfigConflict", "sessionAffinityConfig.clientIP.timeoutSeconds",
			timeout(s), timeout(o))
	}
	compare("InternalTrafficPolicyConflict", "internalTrafficPolicy", internalPolicy(s), internalPolicy(o))
	if distribution(s) != distribution(o) {
		compare("TrafficDistributionConflict", "trafficDistribution", endpoint.Text(s.TrafficDistribution),
			endpoint.Text(o.TrafficDistribution))
	}
}
