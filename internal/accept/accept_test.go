package accept

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

const (
	v4   = discoveryv1.AddressTypeIPv4
	v6   = discoveryv1.AddressTypeIPv6
	fqdn = discoveryv1.AddressTypeFQDN
)

// with returns an endpoint of addresses between commas, changed by each edit.
func with(addresses string, edits ...func(*discoveryv1.Endpoint)) *discoveryv1.Endpoint {
	e := &discoveryv1.Endpoint{Addresses: strings.Split(addresses, ",")}
	for _, edit := range edits {
		edit(e)
	}
	return e
}

func host(name string) func(*discoveryv1.Endpoint) {
	return func(e *discoveryv1.Endpoint) { e.Hostname = &name }
}

func node(name string) func(*discoveryv1.Endpoint) {
	return func(e *discoveryv1.Endpoint) { e.NodeName = &name }
}

func zones(names ...string) func(*discoveryv1.Endpoint) {
	return func(e *discoveryv1.Endpoint) {
		e.Hints = &discoveryv1.EndpointHints{}
		for _, name := range names {
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: name})
		}
	}
}

func nodes(names ...string) func(*discoveryv1.Endpoint) {
	return func(e *discoveryv1.Endpoint) {
		e.Hints = &discoveryv1.EndpointHints{}
		for _, name := range names {
			e.Hints.ForNodes = append(e.Hints.ForNodes, discoveryv1.ForNode{Name: name})
		}
	}
}

// numbered are n names that differ.
func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("n%d", i))
	}
	return names
}

// TestRefuse: for each rule of the API server an endpoint that breaks it, and how the error begins;
// and endpoints at the edges that break none.
func TestRefuse(t *testing.T) {
	const special, multicast = "the API server refuses unspecified", "the API server refuses link-local multicast " +
		"addresses"
	for _, row := range []struct {
		endpoint *discoveryv1.Endpoint
		t        discoveryv1.AddressType
		part     Part
		want     string // "" for an endpoint that is accepted
	}{
		{endpoint: with("10.0.0.1"), t: v4},
		{endpoint: with("fd00::1"), t: v6},
		{endpoint: with("db.example.com"), t: fqdn},
		{endpoint: &discoveryv1.Endpoint{}, t: v4, want: "e.addresses: Required value: an endpoint needs an address"},
		{endpoint: with(strings.Repeat("10.0.0.1,", 99) + "10.0.0.1"), t: v4},
		{endpoint: with(strings.Repeat("10.0.0.1,", 100) + "10.0.0.1"), t: v4, want: "e.addresses: Too many: 101: must have at most 100 items"},
		{endpoint: with("10.0.0.1,"), t: v4, want: `e.addresses[1]: Invalid value: "": is empty: leave it out`},
		{endpoint: with(""), t: fqdn, want: `e.addresses[0]: Invalid value: "": is empty`},
		{endpoint: with("db_1"), t: fqdn, want: `e.addresses[0]: Invalid value: "db_1": a lowercase RFC 1123 subdomain`},
		{endpoint: with("db.example.com"), t: v4, want: `e.addresses[0]: Invalid value: "db.example.com": is not an IPv4 address`},
		{endpoint: with("fd00::1"), t: v4, want: `e.addresses[0]: Invalid value: "fd00::1": is not an IPv4 address: put it into`},
		{endpoint: with("10.0.0.1"), t: v6, want: `e.addresses[0]: Invalid value: "10.0.0.1": is not an IPv6 address: put it into`},
		{endpoint: with("0.0.0.0"), t: v4, want: `e.addresses[0]: Invalid value: "0.0.0.0": ` + special},
		{endpoint: with("127.0.0.1"), t: v4, want: `e.addresses[0]: Invalid value: "127.0.0.1": ` + special},
		{endpoint: with("169.254.0.1"), t: v4, want: `e.addresses[0]: Invalid value: "169.254.0.1": ` + special},
		{endpoint: with("224.0.0.1"), t: v4, want: `e.addresses[0]: Invalid value: "224.0.0.1": ` + multicast},
		{endpoint: with("::"), t: v6, want: `e.addresses[0]: Invalid value: "::": ` + special},
		{endpoint: with("::1"), t: v6, want: `e.addresses[0]: Invalid value: "::1": ` + special},
		{endpoint: with("fe80::1"), t: v6, want: `e.addresses[0]: Invalid value: "fe80::1": ` + special},
		{endpoint: with("ff02::1"), t: v6, want: `e.addresses[0]: Invalid value: "ff02::1": ` + multicast},
		{endpoint: with("0.0.0.1"), t: v4},
		{endpoint: with("224.0.1.1"), t: v4},
		{endpoint: with("10.0.0.1", host("")), t: v4},
		{endpoint: with("10.0.0.1", host("web-1")), t: v4},
		{endpoint: with("10.0.0.1", host(strings.Repeat("a", 63))), t: v4},
		{endpoint: with("10.0.0.1", host("web.1")), t: v4, part: Hostname, want: `e.hostname: Invalid value: "web.1": must not contain dots`},
		{endpoint: with("10.0.0.1", host(strings.Repeat("a", 64))), t: v4, part: Hostname, want: `e.hostname: Invalid value: "aaaa`},
		{endpoint: with("10.0.0.1", node("")), t: v4},
		{endpoint: with("10.0.0.1", node("node-1.example")), t: v4},
		{endpoint: with("10.0.0.1", node(strings.Repeat("a", 64))), t: v4},
		{endpoint: with("10.0.0.1", node("node-1-")), t: v4, part: NodeName, want: `e.nodeName: Invalid value: "node-1-": a lowercase`},
		{endpoint: with("10.0.0.1", zones()), t: v4},
		{endpoint: with("10.0.0.1", zones("Zone_A", "b")), t: v4},
		{endpoint: with("10.0.0.1", zones(numbered(8)...)), t: v4},
		{endpoint: with("10.0.0.1", zones(numbered(9)...)), t: v4, part: Hints, want: "e.hints.forZones: Too many: 9: must have at most 8 items"},
		{endpoint: with("10.0.0.1", zones("a", "")), t: v4, part: Hints, want: `e.hints.forZones[1].name: Invalid value: "": a zone hint must name a zone`},
		{endpoint: with("10.0.0.1", zones("a", "b c")), t: v4, part: Hints, want: `e.hints.forZones[1].name: Invalid value: "b c": a valid label`},
		{endpoint: with("10.0.0.1", zones("a", "b", "a")), t: v4, part: Hints, want: `e.hints.forZones[2].name: Duplicate value: "a": give each name once`},
		{endpoint: with("10.0.0.1", nodes("a", "b.example")), t: v4},
		{endpoint: with("10.0.0.1", nodes(numbered(9)...)), t: v4, part: Hints, want: "e.hints.forNodes: Too many: 9: must have at most 8 items"},
		{endpoint: with("10.0.0.1", nodes("")), t: v4, part: Hints, want: `e.hints.forNodes[0].name: Invalid value: ""`},
		{endpoint: with("10.0.0.1", nodes("node-")), t: v4, part: Hints, want: `e.hints.forNodes[0].name: Invalid value: "node-": a lowercase`},
		{endpoint: with("10.0.0.1", nodes("a", "a")), t: v4, part: Hints, want: `e.hints.forNodes[1].name: Duplicate value: "a"`},
	} {
		refusal := Refuse(endpoint.OnlyIPv4(row.endpoint), row.endpoint, row.t, true)
		switch {
		case refusal == nil && row.want == "":
		case refusal == nil || row.want == "":
			t.Errorf("%v as %s: refused: %v, want %q", *row.endpoint, row.t, refusal != nil, row.want)
		default:
			if err := refusal.Err(field.NewPath("e")); refusal.Part != cmp.Or(row.part, Address) ||
				!strings.HasPrefix(err.Error(), row.want) {
				t.Errorf("%v as %s: part %s, error %q, want %s, %q", *row.endpoint, row.t, refusal.Part, err, row.part,
					row.want)
			}
		}
		if refusal = Refuse(endpoint.OnlyIPv4(row.endpoint), row.endpoint, row.t, false); row.part == Hints &&
			refusal != nil {
			t.Errorf("%v: refused for its hints, which do not count", *row.endpoint)
		}
	}
}

// TestPlainName holds PlainName against the API server's rules, on all short texts of bytes that
// lie at the edges of what is allowed, on the same behind texts that end near the eighth and
// sixteenth byte, and on texts with any one byte.
func TestPlainName(t *testing.T) {
	const edges = "az09-.`{/:,\x80\xadA"
	check := func(s string) {
		if got, want := PlainName(s, true), len(s) <= 63 &&
			len(apivalidation.NameIsDNSSubdomain(s, false)) == 0; got != want {
			t.Fatalf("as a subdomain %q: %v, want %v", s, got, want)
		}
		if got, want := PlainName(s, false), len(validation.IsDNS1123Label(s)) == 0; got != want {
			t.Fatalf("as a label %q: %v, want %v", s, got, want)
		}
	}
	var all func(prefix string, more int)
	all = func(prefix string, more int) {
		check(prefix)
		for i := 0; i < len(edges) && more > 0; i++ {
			all(prefix+edges[i:i+1], more-1)
		}
	}
	all("", 3)
	for n := range 18 { // every byte at every place
		for i := range n {
			for b := range 256 {
				text := []byte(strings.Repeat("a", n))
				text[i] = byte(b)
				check(string(text))
			}
		}
	}
	for _, n := range []int{5, 6, 7, 8, 13, 15, 61, 62} {
		for _, end := range []string{"", "-", "."} {
			all(strings.Repeat("a", n-len(end))+end, 2)
		}
	}
}

// TestPlainIsValid: what is plain is valid by apimachinery's rules, and what is usual is plain.
func TestPlainIsValid(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, s string) {
		if PlainValue(s) && len(validation.IsValidLabelValue(s)) > 0 {
			t.Fatalf("%q is a plain value and not valid", s)
		}
		if PlainKey(s) && len(validation.IsQualifiedName(s)) > 0 {
			t.Fatalf("%q is a plain key and not valid", s)
		}
		if PlainLabels(map[string]string{s: s}) &&
			len(metav1validation.ValidateLabels(map[string]string{s: s}, nil)) > 0 {
			t.Fatalf("%q is a plain label and not valid", s)
		}
	}
	for b := range 256 {
		for _, s := range []string{string([]byte{byte(b)}), "a" + string([]byte{byte(b)}) + "a",
			"a.b/" + string([]byte{byte(b)}), string([]byte{byte(b)}) + "/a"} {
			check(t, s)
		}
	}
	for n := range 70 {
		check(t, strings.Repeat("a", n))
		check(t, strings.Repeat("a", n)+"/"+strings.Repeat("b", 63))
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.StringMatching(`[a-cA-C0-2./_ -]{0,12}`).Draw(t, "text")) })
	for _, key := range []string{"app", "app.kubernetes.io/name", "kubernetes.io/service-name", "Team_1"} {
		if !PlainKey(key) {
			t.Errorf("%q is not plain", key)
		}
	}
	for _, value := range []string{"", "az", "AZ09", strings.Repeat("z", 63), "web", "slices.example.com",
		"endpointslice-controller.k8s.io", "Web_1.2-x"} {
		if !PlainValue(value) {
			t.Errorf("%q is not plain", value)
		}
	}
}
