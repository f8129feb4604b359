package manifest

import corev1 "k8s.io/api/core/v1"

// assumedIPs are addresses for documentation (RFC 5737, RFC 3849). No command prints them.
var assumedIPs = map[corev1.IPFamily]string{corev1.IPv4Protocol: "192.0.2.1", corev1.IPv6Protocol: "2001:db8::1"}

// Answered returns the Service as the API server would return it, as far as slices and their
// readers depend on that: with cluster IPs and their families. It reports whether it had to assume
// them, because the Service is from a manifest that was not applied. Then the Service is a copy, of
// IPv4 unless its fields say more.
func Answered(svc *corev1.Service) (*corev1.Service, bool) {
	if svc.Spec.Type == corev1.ServiceTypeExternalName || svc.Spec.ClusterIP != "" || len(svc.Spec.ClusterIPs) > 0 {
		return svc, false
	}
	svc = svc.DeepCopy()
	spec := &svc.Spec
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
		if policy := spec.IPFamilyPolicy; policy != nil && *policy == corev1.IPFamilyPolicyRequireDualStack {
			spec.IPFamilies = append(spec.IPFamilies, corev1.IPv6Protocol)
		}
	}
	for _, family := range spec.IPFamilies {
		spec.ClusterIPs = append(spec.ClusterIPs, assumedIPs[family])
	}
	spec.ClusterIP = spec.ClusterIPs[0]
	return svc, true
}
