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

func TestRouteEnums(t *testing.T) {
	for v := range hints.Scope(6) {
		var back hints.Scope
		text, err := v.MarshalText()
		if err != nil || string(text) != v.String() || back.UnmarshalText(text) != nil || back != v {
			t.Errorf("scope %d: %q %v %v", v, text, err, back)
		}
	}
	for v := range hints.HintUse(8) {
		var back hints.HintUse
		text, err := v.MarshalText()
		if err != nil || string(text) != v.String() || back.UnmarshalText(text) != nil || back != v {
			t.Errorf("reason %d: %q %v %v", v, text, err, back)
		}
	}
	var s hints.Scope
	var r hints.HintUse
	if s.UnmarshalText([]byte("x")) == nil || r.UnmarshalText([]byte("x")) == nil {
		t.Error("an unknown name was taken")
	}
	if _, err := hints.Scope(6).MarshalText(); err == nil || hints.Scope(6).String() != "Scope(6)" {
		t.Error("an unknown scope has a text")
	}
	if _, err := hints.HintUse(8).MarshalText(); err == nil || hints.HintUse(8).String() != "HintUse(8)" {
		t.Error("an unknown reason has a text")
	}
}
