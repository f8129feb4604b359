package service_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/words/wordstest"
	"github.com/slicewright/slicewright/slicer/service"
)

func TestWords(t *testing.T) {
	wordstest.Check(t,
		wordstest.Of[service.SkipReason](),
		wordstest.Of[service.Reason](),
	)
}

func TestSkipString(t *testing.T) {
	named := &corev1.ServicePort{TargetPort: intstr.FromString("http"), Protocol: corev1.ProtocolUDP}
	number := &corev1.ServicePort{TargetPort: intstr.FromInt32(80)}
	for _, row := range []struct {
		why  string
		skip service.Skip
		want string
	}{
		{"a Pod is known by its name", service.Skip{Index: 3, Pod: aPod(1), Reason: service.NotSelected}, "pods[3] shop/web-1: not-selected"},
		{"a nil Pod has only a place", service.Skip{Index: 3, Reason: service.NilPod}, "pods[3]: nil-pod"},
		{"a backend has only a place", service.Skip{Index: 3, Reason: service.NoAddress}, "backends[3]: no-address"},
		{"which Node", service.Skip{Pod: aPod(1), Reason: service.NodeMissing}, `pods[0] shop/web-1: node-missing "n1"`},
		{"no Pod, no Node", service.Skip{Reason: service.NodeMissing}, "backends[0]: node-missing"},
		{"which address", service.Skip{Reason: service.NotAnIP, Address: "a b"}, `backends[0]: not-an-ip "a b"`},
		{"which type", service.Skip{Reason: service.NoAddressOfType, AddressType: "IPv6"}, "backends[0]: no-address-of-type IPv6"},
		{"which port, by name", service.Skip{Reason: service.PortLeftOut, Port: named}, "backends[0]: port-left-out http/UDP"},
		{"which port, by number", service.Skip{Reason: service.PortMissing, Port: number}, "backends[0]: port-missing 80/TCP"},
		{"the zero value does not crash", service.Skip{}, "backends[0]: SkipReason(0)"},
	} {
		if got := row.skip.String(); got != row.want {
			t.Errorf("String() = %q, want %q: %s", got, row.want, row.why)
		}
	}
}
