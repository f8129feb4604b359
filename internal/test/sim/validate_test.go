package sim_test

import (
	"strings"
	"testing"

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
