package sim_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// TestAddresses has one row for each sentence of V2 and V3.
func TestAddresses(t *testing.T) {
	const v4, v6, name = discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN
	for _, row := range []struct {
		address string
		of      discoveryv1.AddressType
		good    bool
		why     string
	}{
		{"10.0.0.1", v4, true, "an ordinary address"},
		{"010.0.0.001", v4, true, "leading zeros pass with a warning"},
		{"239.1.1.1", v4, true, "multicast that is not link-local passes"},
		{"::ffff:10.0.0.1", v4, true, "an IPv4 address in IPv6 clothes is one"},
		{"::ffff:10.0.0.1", v6, false, "and no IPv6 address"},
		{"fd00::1", v4, false, "the other type"},
		{"10.0.0.1", v6, false, "the other type"},
		{"FD00:0::1", v6, true, "any spelling"},
		{"fd00::00001", v6, false, "IPv6 must parse strictly"},
		{"fe80::1%eth0", v6, false, "a zone"},
		{"127.0.0.1", v4, false, "loopback"},
		{"::1", v6, false, "loopback"},
		{"0.0.0.0", v4, false, "unspecified"},
		{"169.254.0.1", v4, false, "link-local"},
		{"224.0.0.1", v4, false, "link-local multicast"},
		{"ff02::1", v6, false, "link-local multicast"},
		{"10.0.0", v4, false, "too short"},
		{"10.0.0.256", v4, false, "too large"},
		{"10.0.0.+1", v4, false, "a sign"},
		{"", v4, false, "empty"},
		{"web.example.com", name, true, "fully qualified"},
		{"web.example.com.", name, true, "with the root"},
		{"web", name, false, "not qualified"},
		{"Web.example.com", name, false, "capital letters"},
		{"", name, false, "empty"},
	} {
		if good := len(sim.AddressErrors([]string{row.address}, row.of, nil)) == 0; good != row.good {
			t.Errorf("%q as %s: accepted %t, because: %s", row.address, row.of, good, row.why)
		}
	}
	many := strings.Split(strings.Repeat("10.0.0.1 ", 101), " ")[:101]
	if len(sim.AddressErrors(many, v4, nil)) == 0 || len(sim.AddressErrors(many[:100], v4, nil)) > 0 || len(sim.AddressErrors(nil, v4, nil)) == 0 {
		t.Error("1 to 100 addresses")
	}
}

// TestRefused has one row for each other sentence of V2, V4 and V5.
func TestRefused(t *testing.T) {
	port := func(s *discoveryv1.EndpointSlice) *discoveryv1.EndpointPort {
		s.Ports = append(s.Ports, discoveryv1.EndpointPort{})
		return &s.Ports[len(s.Ports)-1]
	}
	hints := func(s *discoveryv1.EndpointSlice, zones ...string) {
		s.Endpoints[0].Hints = &discoveryv1.EndpointHints{}
		for _, z := range zones {
			s.Endpoints[0].Hints.ForZones = append(s.Endpoints[0].Hints.ForZones, discoveryv1.ForZone{Name: z})
		}
	}
	for _, row := range []struct {
		why    string
		change func(*discoveryv1.EndpointSlice)
		good   bool
	}{
		{"nothing", func(*discoveryv1.EndpointSlice) {}, true},
		{"a number out of range passes", func(s *discoveryv1.EndpointSlice) { port(s).Port = ptr(int32(70000)) }, true},
		{"one port without name", func(s *discoveryv1.EndpointSlice) { port(s); port(s).Name = ptr("http") }, true},
		{"two ports without name", func(s *discoveryv1.EndpointSlice) { port(s); port(s).Name = ptr("") }, false},
		{"a port name that is no label", func(s *discoveryv1.EndpointSlice) { port(s).Name = ptr("a_b") }, false},
		{"an unknown protocol", func(s *discoveryv1.EndpointSlice) { port(s).Protocol = ptr(corev1.Protocol("ICMP")) }, false},
		{"an appProtocol with two slashes", func(s *discoveryv1.EndpointSlice) { port(s).AppProtocol = ptr("a/b/c") }, false},
		{"an empty appProtocol", func(s *discoveryv1.EndpointSlice) { port(s).AppProtocol = ptr("") }, false},
		{"an unknown address type", func(s *discoveryv1.EndpointSlice) { s.AddressType, s.Endpoints = "IP", nil }, false},
		{"a hostname with a dot", func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Hostname = ptr("a.b") }, false},
		{"an empty hostname", func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Hostname = ptr("") }, false},
		{"a node name with a dot", func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].NodeName = ptr("a.b") }, true},
		{"a node name with a capital", func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].NodeName = ptr("Node") }, false},
		{"8 zone hints", func(s *discoveryv1.EndpointSlice) { hints(s, "a", "b", "c", "d", "e", "f", "g", "h") }, true},
		{"9 zone hints", func(s *discoveryv1.EndpointSlice) { hints(s, "a", "b", "c", "d", "e", "f", "g", "h", "i") }, false},
		{"a zone hint twice", func(s *discoveryv1.EndpointSlice) { hints(s, "a", "a") }, false},
		{"a zone hint with a space", func(s *discoveryv1.EndpointSlice) { hints(s, "a b") }, false},
		{"a node hint that is no name", func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: "A"}}}
		}, false},
		{"a name with a capital", func(s *discoveryv1.EndpointSlice) { s.Name = "Web" }, false},
		{"a label that is none", func(s *discoveryv1.EndpointSlice) { s.Labels = map[string]string{"a": "b c"} }, false},
		{"1001 endpoints", func(s *discoveryv1.EndpointSlice) {
			s.Endpoints = slice("", strings.Split(strings.Repeat("10.0.0.1 ", 1001), " ")[:1001]...).Endpoints
		}, false},
	} {
		var server sim.Server
		s := slice("web", "10.0.0.1")
		row.change(s)
		if _, err := server.Create(s); (err == nil) != row.good {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}
