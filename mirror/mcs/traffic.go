package mcs

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Traffic has the fields of a Service that decide which of its endpoints a client uses. A field
// that is nil or empty has the API server's default.
type Traffic struct {
	SessionAffinity       corev1.ServiceAffinity               // empty is None
	SessionAffinityConfig *corev1.SessionAffinityConfig        // used with ClientIP; the default is three hours
	InternalTrafficPolicy *corev1.ServiceInternalTrafficPolicy // nil is Cluster
	TrafficDistribution   *string                              // nil and empty are none
}

// withDefaults returns the fields as the API server stores them. The result shares no memory with
// t.
func (t Traffic) withDefaults() Traffic {
	cluster := corev1.ServiceInternalTrafficPolicyCluster
	policy := *cmp.Or(t.InternalTrafficPolicy, &cluster)
	out := Traffic{SessionAffinity: cmp.Or(t.SessionAffinity, corev1.ServiceAffinityNone),
		InternalTrafficPolicy: &policy}
	if out.SessionAffinity == corev1.ServiceAffinityClientIP {
		seconds := t.timeout()
		out.SessionAffinityConfig = &corev1.SessionAffinityConfig{
			ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &seconds},
		}
	}
	if text := endpoint.Text(t.TrafficDistribution); text != "" {
		out.TrafficDistribution = &text
	}
	return out
}

// timeout returns the timeout of the session affinity ClientIP, in seconds.
func (t Traffic) timeout() int32 {
	if c := t.SessionAffinityConfig; c != nil && c.ClientIP != nil && c.ClientIP.TimeoutSeconds != nil {
		return *c.ClientIP.TimeoutSeconds
	}
	return corev1.DefaultClientIPServiceAffinitySeconds
}

// sameNode reports whether readers compare the Node of an endpoint with their own.
func (t Traffic) sameNode() bool {
	return *t.withDefaults().InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal ||
		endpoint.Text(t.TrafficDistribution) == corev1.ServiceTrafficDistributionPreferSameNode
}

// currentName returns PreferSameZone for PreferClose, which is its older name (KEP-3015), and any
// other trafficDistribution as it is.
func currentName(distribution string) string {
	if distribution == corev1.ServiceTrafficDistributionPreferClose {
		return corev1.ServiceTrafficDistributionPreferSameZone
	}
	return distribution
}

// addTraffic adds the traffic fields in which an export differs from the oldest one. Both have the
// defaults of withDefaults. Timeouts are compared only if both have the same session affinity.
func (d *difference) addTraffic(t, oldest Traffic, cluster string) {
	compare := func(reason, name string, a, b any) {
		if a != b {
			d.add(reason, "%s %q gives way to %q of %s", name, fmt.Sprint(a), fmt.Sprint(b), cluster)
		}
	}
	compare("SessionAffinityConflict", "sessionAffinity", t.SessionAffinity, oldest.SessionAffinity)
	if t.SessionAffinity == oldest.SessionAffinity {
		compare("SessionAffinityConfigConflict", "sessionAffinityConfig.clientIP.timeoutSeconds", t.timeout(),
			oldest.timeout())
	}
	compare("InternalTrafficPolicyConflict", "internalTrafficPolicy", *t.InternalTrafficPolicy,
		*oldest.InternalTrafficPolicy)
	ours, theirs := endpoint.Text(t.TrafficDistribution), endpoint.Text(oldest.TrafficDistribution)
	if currentName(ours) != currentName(theirs) {
		compare("TrafficDistributionConflict", "trafficDistribution", ours, theirs)
	}
}
