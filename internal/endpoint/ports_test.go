package endpoint

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func pointer[V any](v V) *V { return &v }

func TestPortOf(t *testing.T) {
	for _, c := range []struct {
		in   discoveryv1.EndpointPort
		want Port
		text string
	}{
		{discoveryv1.EndpointPort{}, Port{Protocol: corev1.ProtocolTCP, Number: AnyPort}, "*"},
		{discoveryv1.EndpointPort{Name: pointer(""), AppProtocol: pointer("")}, Port{Protocol: corev1.ProtocolTCP, Number: AnyPort}, "*"},
		{discoveryv1.EndpointPort{Port: pointer(int32(80)), Protocol: pointer(corev1.ProtocolTCP)}, Port{Protocol: corev1.ProtocolTCP, Number: 80}, "80"},
		{discoveryv1.EndpointPort{Port: pointer(int32(-1))}, Port{Protocol: corev1.ProtocolTCP, Number: -1}, "-1"}, // not all ports
		{discoveryv1.EndpointPort{Name: pointer("dns"), Port: pointer(int32(53)), Protocol: pointer(corev1.ProtocolUDP),
			AppProtocol: pointer("doh")},
			Port{Name: "dns", Protocol: corev1.ProtocolUDP, Number: 53, AppProtocol: "doh"}, "dns:53/UDP"},
	} {
		if got := PortOf(&c.in); got != c.want || got.String() != c.text {
			t.Errorf("got %+v %s, want %+v %s", got, got, c.want, c.text)
		}
	}
}

// ordered are ports in their order: by name, protocol, number and appProtocol.
var ordered = []Port{
	{Name: "", Protocol: "TCP", Number: 9, AppProtocol: "b"},
	{Name: "a", Protocol: "TCP", Number: 1, AppProtocol: "b"},
	{Name: "a", Protocol: "TCP", Number: 2, AppProtocol: "a"},
	{Name: "a", Protocol: "TCP", Number: 2, AppProtocol: "b"},
	{Name: "a", Protocol: "UDP", Number: 1, AppProtocol: "a"},
	{Name: "b", Protocol: "SCTP", Number: 1, AppProtocol: "a"},
}

// TestPorts shows that whatever the order of ports, they come out sorted behind what was there.
func TestPorts(t *testing.T) {
	var shuffled []discoveryv1.EndpointPort
	for _, i := range []int{3, 0, 5, 1, 4, 2} {
		p := ordered[i]
		shuffled = append(shuffled, discoveryv1.EndpointPort{
			Name: &p.Name, Protocol: &p.Protocol, Port: pointer(int32(p.Number)), AppProtocol: &p.AppProtocol,
		})
	}
	first := Port{Name: "z"}
	if got := Ports([]Port{first}, shuffled); got[0] != first || !slices.Equal(got[1:], ordered) {
		t.Errorf("got %+v", got)
	}
	if got := Ports(nil, nil); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
