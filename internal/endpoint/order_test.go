package endpoint

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// The fields are compared one after the other: the address as a number, hostname, kind, namespace,
// name.
func TestCompareOrder(t *testing.T) {
	at := func(address, host, kind, namespace, name string) *discoveryv1.Endpoint {
		return &discoveryv1.Endpoint{Addresses: []string{address}, Hostname: &host,
			TargetRef: &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name}}
	}
	ordered := []*discoveryv1.Endpoint{
		{Addresses: []string{"010.0.0.1"}}, at("10.0.0.1", "", "a", "z", "z"), at("10.0.0.1", "", "b", "a", "z"), at("10.0.0.1", "", "b", "b", "a"),
		at("10.0.0.1", "", "b", "b", "b"), at("10.0.0.1", "h", "a", "a", "a"), at("010.0.0.2", "", "a", "a", "a"),
	}
	for i := range ordered[1:] {
		if d := Compare(ordered[i], ordered[i+1]); d >= 0 {
			t.Errorf("Compare(%v, %v) = %d", ordered[i], ordered[i+1], d)
		}
	}
}

// TestCompareContentOrder: endpoints that stand for the same target are ordered by Node, then by
// zone.
func TestCompareContentOrder(t *testing.T) {
	in := func(node, zone string) *discoveryv1.Endpoint {
		return &discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, NodeName: &node, Zone: &zone}
	}
	ordered := []*discoveryv1.Endpoint{in("a", "b"), in("a", "c"), in("b", "a")}
	for i := range ordered[1:] {
		if d, turned := Compare(ordered[i], ordered[i+1]), Compare(ordered[i+1], ordered[i]); d >= 0 || turned <= 0 {
			t.Errorf("%v and %v compare as %d and %d", ordered[i], ordered[i+1], d, turned)
		}
	}
}

// TestCompareTellsNilFromEmpty: endpoints that differ only in whether an empty text is nil have an
// order, the same from both sides.
func TestCompareTellsNilFromEmpty(t *testing.T) {
	empty, plain := "", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}
	for name, set := range map[string]func(e *discoveryv1.Endpoint){
		"hostname": func(e *discoveryv1.Endpoint) { e.Hostname = &empty },
		"node":     func(e *discoveryv1.Endpoint) { e.NodeName = &empty },
		"zone":     func(e *discoveryv1.Endpoint) { e.Zone = &empty },
		"hints":    func(e *discoveryv1.Endpoint) { e.Hints = &discoveryv1.EndpointHints{} },
	} {
		other := plain
		set(&other)
		if a, b := Compare(&plain, &other), Compare(&other, &plain); a != -1 || b != 1 {
			t.Errorf("%s: nil compares as %d with empty, and empty as %d with nil", name, a, b)
		}
	}
}

// TestCompareAddressesOfEndpoints holds CompareIdentity and CompareContent against SameIdentity
// and Compare, for all pairs of addresses that differ in one thing, ordered from the least.
func TestCompareAddressesOfEndpoints(t *testing.T) {
	name := "a"
	ref := func(r corev1.ObjectReference) *corev1.ObjectReference { return &r }
	identities := []corev1.EndpointAddress{
		{}, {TargetRef: ref(corev1.ObjectReference{})}, {TargetRef: ref(corev1.ObjectReference{Name: "a"})},
		{TargetRef: ref(corev1.ObjectReference{Namespace: "a"})}, {TargetRef: ref(corev1.ObjectReference{Kind: "Pod"})}, {Hostname: "a"},
	}
	contents := []corev1.EndpointAddress{
		{TargetRef: ref(corev1.ObjectReference{})}, {TargetRef: ref(corev1.ObjectReference{ResourceVersion: "1"})},
		{TargetRef: ref(corev1.ObjectReference{FieldPath: "a"})}, {TargetRef: ref(corev1.ObjectReference{APIVersion: "v1"})},
		{TargetRef: ref(corev1.ObjectReference{UID: "1"})}, {NodeName: &name, TargetRef: ref(corev1.ObjectReference{})},
	}
	for i := range identities {
		for j := range identities {
			a, b := &identities[i], &identities[j]
			x, y := published(a), published(b)
			one := SameIdentity(x, y)
			if got := CompareIdentity(a, b); sign(got) != sign(i-j) || (got == 0) != one ||
				sign(got) != sign(Compare(x, y)) {
				t.Errorf("identities %d and %d: got %d, endpoints %d", i, j, got, Compare(x, y))
			}
			if got := CompareContent(&contents[i], &contents[j]); sign(got) != sign(i-j) {
				t.Errorf("contents %d and %d: got %d", i, j, got)
			}
		}
	}
	if got := CompareContent(&corev1.EndpointAddress{}, &corev1.EndpointAddress{}); got != 0 {
		t.Errorf("nothing differs: got %d", got)
	}
}

func published(a *corev1.EndpointAddress) *discoveryv1.Endpoint {
	return &discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, Hostname: &a.Hostname, NodeName: a.NodeName,
		TargetRef: a.TargetRef}
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestCompareVersions(t *testing.T) {
	for _, c := range []struct {
		why, older, newer string
	}{
		{"numbers, not texts", "9", "10"},
		{"digits decide between numbers of one length", "41", "42"},
		{"leading zeros do not count", "0009", "10"},
		{"longer than 64 bits", "99999999999999999999", "100000000000000000000"},
		{"no number is the oldest", "v99", "0"},
		{"a sign makes no number", "-5", "0"},
		{"a digit is not enough", "9x", "0"},
		{"empty is no number", "", "0"},
		{"zero is a number", "0", "1"},
		{"every digit is one", "8", "9"},
		{"what follows the digits is none", "1:", "0"},
		{"what precedes the digits is none", "1/", "0"},
	} {
		if CompareVersions(c.older, c.newer) >= 0 || CompareVersions(c.newer, c.older) <= 0 {
			t.Errorf("%s: %q is not older than %q", c.why, c.older, c.newer)
		}
	}
	for _, c := range [][2]string{{"x", ""}, {"010", "10"}, {"00", "0"}} { // no numbers, and two spellings of one
		if got := CompareVersions(c[0], c[1]); got != 0 {
			t.Errorf("%q and %q compare as %d", c[0], c[1], got)
		}
	}
}
