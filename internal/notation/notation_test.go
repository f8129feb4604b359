package notation

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

func at(addresses ...string) discoveryv1.Endpoint { return discoveryv1.Endpoint{Addresses: addresses} }

func TestEndpoints(t *testing.T) {
	yes, no, host := true, false, "a b"
	full := at("10.0.0.9", "10.0.0.8")
	full.Hostname = &host
	full.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: "web-1", UID: "u"}
	full.Conditions = discoveryv1.EndpointConditions{Ready: &no, Terminating: &yes}
	full.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z1"}, {Name: "z2"}}}
	placed := one("10.0.0.1", pod("a", ""), version("7"), node("n"), zone("z"), topology("k", "a b"))
	for _, key := range []string{"d", "c", "b", "a"} {
		placed.DeprecatedTopology[key] = "1"
	}
	hinted := at("10.0.0.1")
	hinted.Hints = &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: "n1"}, {Name: "n2"}}}
	both := at("10.0.0.1")
	both.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z"}},
		ForNodes: []discoveryv1.ForNode{{Name: "n"}}}
	noHints := at("10.0.0.1")
	noHints.Hints = &discoveryv1.EndpointHints{}
	other := at("fd00::1")
	other.TargetRef = &corev1.ObjectReference{Kind: "VM", Namespace: "far", Name: "x"}

	for _, row := range []struct {
		why  string
		in   []discoveryv1.Endpoint
		want string
	}{
		{"nothing is a dash", nil, "-"},
		{"no address is not nothing", []discoveryv1.Endpoint{at()}, "[]"},
		{"an empty address stays visible", []discoveryv1.Endpoint{at("")}, `""`},
		{"two are no run", []discoveryv1.Endpoint{at("10.0.0.1"), at("10.0.0.2")}, "10.0.0.1 10.0.0.2"},
		{"a run over the last number is in full",
			[]discoveryv1.Endpoint{at("10.0.0.254"), at("10.0.0.255"), at("10.0.1.0")}, "10.0.0.254..10.0.1.0"},
		{"a longer number with the same start is in full",
			[]discoveryv1.Endpoint{at("fd00::e"), at("fd00::f"), at("fd00::10")}, "fd00::e..fd00::10"},
		{"another spelling is shown as it is",
			[]discoveryv1.Endpoint{at("FD00::1"), at("fd00::2"), at("fd00::3")}, "FD00::1 fd00::2 fd00::3"},
		{"fields in a fixed order", []discoveryv1.Endpoint{full},
			`10.0.0.9,10.0.0.8{host="a b",pod=web-1,uid=u,!ready,terminating,hints=z1+z2}`},
		{"all of where it is", []discoveryv1.Endpoint{placed}, `10.0.0.1{pod=a,ref-rv=7,node=n,zone=z,topology.a=1,topology.b=1,topology.c=1,topology.d=1,topology.k="a b"}`},
		{"hints for nodes alone", []discoveryv1.Endpoint{hinted}, "10.0.0.1{node-hints=n1+n2}"},
		{"hints for zones and nodes", []discoveryv1.Endpoint{both}, "10.0.0.1{hints=z,node-hints=n}"},
		{"hints without a zone", []discoveryv1.Endpoint{noHints}, "10.0.0.1{hints=-}"},
		{"names are no run", []discoveryv1.Endpoint{at("a1"), at("a2"), at("a3")}, "a1 a2 a3"},
		{"a run ends at another field", []discoveryv1.Endpoint{at("10.0.0.1"), at("10.0.0.2"), at("10.0.0.3"),
			one("10.0.0.4", zone("z"))},
			"10.0.0.1..3 10.0.0.4{zone=z}"},
		{"a run has the fields of its first",
			[]discoveryv1.Endpoint{one("10.0.0.1", zone("z")), at("10.0.0.2"), at("10.0.0.3")},
			"10.0.0.1{zone=z} 10.0.0.2 10.0.0.3"},
		{"a run ends at a gap", []discoveryv1.Endpoint{at("10.0.0.1"), at("10.0.0.2"), at("10.0.0.3"), at("10.0.0.5")}, "10.0.0.1..3 10.0.0.5"},
		{"a run ends with the addresses", []discoveryv1.Endpoint{at("255.255.255.254"), at("255.255.255.255"), at("")},
			`255.255.255.254 255.255.255.255 ""`},
		{"the fields of a run", []discoveryv1.Endpoint{one("10.0.0.1", zone("z")), one("10.0.0.2", zone("z")),
			one("10.0.0.3", zone("z"))},
			"10.0.0.1..3{zone=z}"},
		{"a reference to another namespace says so", []discoveryv1.Endpoint{other}, "fd00::1{ref=VM/far/x}"},
	} {
		if got := Endpoints(row.in, "ns"); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.why, got, row.want)
		}
		if len(row.in) == 1 {
			if got := Endpoint(&row.in[0], "ns"); got != row.want {
				t.Errorf("%s: alone it is %s", row.why, got)
			}
		}
	}
}

func TestPorts(t *testing.T) {
	name, empty, number, udp, app := "http", "", int32(80), corev1.ProtocolUDP, "kubernetes.io/h2c"
	tcp := corev1.ProtocolTCP
	for _, row := range []struct {
		why  string
		in   []discoveryv1.EndpointPort
		want string
	}{
		{"none", nil, "-"},
		{"sorted by name", []discoveryv1.EndpointPort{{Name: &name, Protocol: &tcp, Port: &number},
			{Name: &empty, Protocol: &udp}},
			":*/udp,http:80"},
		{"nil is not the default", []discoveryv1.EndpointPort{{Port: &number}}, "80/?"},
		{"appProtocol", []discoveryv1.EndpointPort{{Name: &name, Protocol: &tcp, Port: &number, AppProtocol: &app}},
			"http:80(kubernetes.io/h2c)"},
	} {
		if got := Ports(row.in); got != row.want {
			t.Errorf("%s: got %s, want %s", row.why, got, row.want)
		}
	}
}

type fields = func(*discoveryv1.Endpoint)

// one is an endpoint with these fields.
func one(address string, set ...fields) discoveryv1.Endpoint {
	e := at(address)
	for _, f := range set {
		f(&e)
	}
	return e
}

func pod(name string, uid types.UID) fields {
	return func(e *discoveryv1.Endpoint) {
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: name, UID: uid}
	}
}

func version(rv string) fields {
	return func(e *discoveryv1.Endpoint) { e.TargetRef.ResourceVersion = rv }
}

func node(name string) fields { return func(e *discoveryv1.Endpoint) { e.NodeName = &name } }
func zone(name string) fields { return func(e *discoveryv1.Endpoint) { e.Zone = &name } }

func topology(key, value string) fields {
	return func(e *discoveryv1.Endpoint) { e.DeprecatedTopology = map[string]string{key: value} }
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"", "-", "a b", "a\tb", "a\nb", `"`, `\`, "{", "}", "[", "]", ",", "|", "=", "+", "#",
		"1..2", "\x00", "\u200b"} {
		if got := Quote(s); got != fmt.Sprintf("%q", s) {
			t.Errorf("%q is printed as %s", s, got)
		}
	}
	for _, s := range []string{"a", "10.0.0.1", "fd00::1", "a-b", "ü", "kubernetes.io/name"} {
		if got := Quote(s); got != s {
			t.Errorf("%q is printed as %s", s, got)
		}
	}
}
