package sim_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/test/sim"
)

func slice(name string, addresses ...string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Namespace, s.Name = "ns", name
	for _, a := range addresses {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
	}
	return s
}

func ptr[V any](v V) *V { return &v }

// TestCreateDefaultsAndNames: a created slice gets the default values and a generated name.
func TestCreateDefaultsAndNames(t *testing.T) {
	var server sim.Server
	in := slice("", "10.0.0.1")
	in.GenerateName = strings.Repeat("a", 70) + "-"
	in.Ports = []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}
	in.Endpoints[0].DeprecatedTopology = map[string]string{"a": "b"}
	out, err := server.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Name) != 63 || out.UID == "" || out.ResourceVersion == "" || out.Generation != 1 {
		t.Errorf("a generated name has 58 characters of the prefix and 5 more, and metadata: %v", out.ObjectMeta)
	}
	if p := out.Ports[0]; *p.Name != "" || *p.Protocol != corev1.ProtocolTCP {
		t.Errorf("the port without name and protocol is %v", p)
	}
	if out.Endpoints[0].DeprecatedTopology != nil || in.Endpoints[0].DeprecatedTopology == nil || in.Name != "" {
		t.Error("deprecatedTopology goes, and the caller's object stays as it was")
	}
	if _, err := server.Create(slice(out.Name)); !apierrors.IsAlreadyExists(err) {
		t.Errorf("a second slice of one name: %v", err)
	}
}

// TestCache walks a cache through every state of two slices, in any order of the slices.
func TestCache(t *testing.T) {
	var server sim.Server
	cache := sim.Cache{Server: &server}
	for _, name := range []string{"a", "b"} {
		if _, err := server.Create(slice(name, "10.0.0.1")); err != nil {
			t.Fatal(err)
		}
	}
	if err := server.Delete("a", nil); err != nil {
		t.Fatal(err)
	}
	if have := fmt.Sprint(cache.Behind(), len(cache.List()), cache.Horizon()); have != "[a b] 0 1" {
		t.Errorf("before any event: %s", have)
	}
	cache.Step("b")
	if have := fmt.Sprintf("%v %s %d", cache.Behind(), cache.List()[0].Name, cache.Horizon()); have != "[a] b 1" {
		t.Errorf("b only: %s", have)
	}
	cache.Step("a")
	if have := fmt.Sprint(cache.Behind(), len(cache.List()), cache.Horizon()); have != "[a] 2 3" {
		t.Errorf("a as it was: %s", have)
	}
	cache.CatchUp()
	if have := fmt.Sprint(cache.Behind(), len(cache.List()), cache.Horizon()); have != "[] 1 4" {
		t.Errorf("all: %s", have)
	}
	if gone := cache.Deleted(); len(gone) != 1 || gone[0].Name != "a" || len(cache.Deleted()) != 0 {
		t.Errorf("deletions are delivered once: %v", gone)
	}
}

// TestAddresses has one row for each rule about addresses.
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
	if len(sim.AddressErrors(many, v4, nil)) == 0 || len(sim.AddressErrors(many[:100], v4, nil)) > 0 ||
		len(sim.AddressErrors(nil, v4, nil)) == 0 {
		t.Error("1 to 100 addresses")
	}
}
