package hints_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
)

func TestPolicyOf(t *testing.T) {
	local, cluster := corev1.ServiceInternalTrafficPolicyLocal, corev1.ServiceInternalTrafficPolicyCluster
	for _, row := range []struct {
		why  string
		spec corev1.ServiceSpec
		want hints.Policy
	}{
		{"nothing said", corev1.ServiceSpec{}, hints.Policy{}},
		{"said the default", corev1.ServiceSpec{InternalTrafficPolicy: &cluster, ExternalTrafficPolicy: "Cluster", Type: "ClusterIP"}, hints.Policy{}},
		{"internal", corev1.ServiceSpec{InternalTrafficPolicy: &local}, hints.Policy{InternalLocal: true}},
		{"a node port is reached from outside", corev1.ServiceSpec{Type: "NodePort", ExternalTrafficPolicy: "Local"},
			hints.Policy{External: true, ExternalLocal: true}},
		{"so is a load balancer", corev1.ServiceSpec{Type: "LoadBalancer"}, hints.Policy{External: true}},
		{"and any type with external IPs", corev1.ServiceSpec{Type: "ClusterIP", ExternalIPs: []string{"192.0.2.1"}}, hints.Policy{External: true}},
	} {
		if got := hints.PolicyOf(&corev1.Service{Spec: row.spec}); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.why, got, row.want)
		}
	}
	if got := hints.PolicyOf(nil); got != (hints.Policy{}) {
		t.Errorf("nil: got %+v", got)
	}
	if c := hints.CandidateOf("IPv6", nil); c.State.Ready || c.ForZones != nil || c.AddressType != "IPv6" {
		t.Errorf("nil: got %+v", c)
	}
}
