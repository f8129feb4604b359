package slicer_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/slicer"
)

func TestSkipString(t *testing.T) {
	named := &corev1.ServicePort{TargetPort: intstr.FromString("http"), Protocol: corev1.ProtocolUDP}
	number := &corev1.ServicePort{TargetPort: intstr.FromInt32(80)}
	for _, row := range []struct {
		why  string
		skip slicer.Skip
		want string
	}{
		{"a Pod is known by its name", slicer.Skip{Index: 3, Pod: aPod(1), Reason: slicer.NotSelected}, "pods[3] shop/web-1: not-selected"},
		{"a nil Pod has only a place", slicer.Skip{Index: 3, Reason: slicer.NilPod}, "pods[3]: nil-pod"},
		{"a backend has only a place", slicer.Skip{Index: 3, Reason: slicer.NoAddress}, "backends[3]: no-address"},
		{"which Node", slicer.Skip{Pod: aPod(1), Reason: slicer.NodeMissing}, `pods[0] shop/web-1: node-missing "n1"`},
		{"which address", slicer.Skip{Reason: slicer.NotAnIP, Address: "a b"}, `backends[0]: not-an-ip "a b"`},
		{"which type", slicer.Skip{Reason: slicer.NoAddressOfType, AddressType: "IPv6"}, "backends[0]: no-address-of-type IPv6"},
		{"which port, by name", slicer.Skip{Reason: slicer.PortLeftOut, Port: named}, "backends[0]: port-left-out http/UDP"},
		{"which port, by number", slicer.Skip{Reason: slicer.PortMissing, Port: number}, "backends[0]: port-missing 80/TCP"},
		{"the zero value does not crash", slicer.Skip{}, "backends[0]: SkipReason(0)"},
	} {
		if got := row.skip.String(); got != row.want {
			t.Errorf("String() = %q, want %q: %s", got, row.want, row.why)
		}
	}
}
