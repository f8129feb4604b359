package meta

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestPrefix: a prefix is a name with a dash. A long one is cut where the longest
// name would not fit, and keeps apart what it was cut from.
func TestPrefix(t *testing.T) {
	long := strings.Repeat("a", maxPrefixLength-1)
	for _, name := range []string{"web", long} {
		if have := Prefix(name); have != name+"-" {
			t.Errorf("%q: %q", name, have)
		}
	}
	one, two := Prefix(long+"b"), Prefix(long+"c")
	if one == two || len(one) != maxPrefixLength || len(two) != maxPrefixLength || one[:200] != long[:200] {
		t.Errorf("%q of %d characters and %q of %d", one, len(one), two, len(two))
	}
	if have := Prefix(long[:maxPrefixLength-20] + "-.-.-.-.-.-.-.-.-.-.-."); strings.Contains(have, "-.") ||
		strings.Contains(have, "--") {
		t.Errorf("%q", have)
	}
	if longest := maxPrefixLength + hashLength + len("-fqdn") + maxOrdinal; longest != 253 {
		t.Errorf("the longest name has %d characters", longest)
	}
}

// TestNamer pins the names of a set, which must not change from version to version, and shows which
// are left out.
func TestNamer(t *testing.T) {
	key := []Label{{"of", "web"}, {"by", "me"}}
	taken := func(names ...string) (list []*discoveryv1.EndpointSlice) {
		for _, name := range names {
			list = append(list, &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: name}})
		}
		return list
	}
	n := Namer("web-", key, nil)
	first := n(discoveryv1.AddressTypeIPv4)
	hash := strings.TrimSuffix(strings.TrimPrefix(first, "web-"), "-ipv4")
	if hash != "mb58wzpc" {
		t.Errorf("the hash is %q", hash)
	}
	for _, want := range []string{"web-" + hash + "-ipv4-2", "web-" + hash + "-ipv4-3"} {
		if have := n(discoveryv1.AddressTypeIPv4); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
	if have, want := n(discoveryv1.AddressTypeIPv6), "web-"+hash+"-ipv6"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
	n = Namer("web-", key, taken(first, first+"-2", "other"))
	if have, want := n(discoveryv1.AddressTypeIPv4), first+"-3"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
	hashes := map[string]bool{}
	for _, key := range [][]Label{key, {{"of", "web-2"}, {"by", "me"}}, {{"of", "web"}, {"by", "you"}}, {{"by", "me"}},
		nil} {
		hashes[setHash(key)] = true
	}
	if len(hashes) != 5 {
		t.Errorf("%d hashes of 5 keys", len(hashes))
	}
}
