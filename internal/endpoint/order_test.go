package endpoint

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"
)

// Compare is a total order: 0 only for endpoints that are equal in every field, opposite when its arguments change places,
// and transitive. CompareTargets is 0 exactly for targets of one identity.
func TestCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e [3]discoveryv1.Endpoint
		for i := range e {
			e[i] = drawEndpoint(t)
		}
		for i := range e {
			for j := range e {
				d := Compare(&e[i], &e[j])
				if (d == 0) != reflect.DeepEqual(e[i], e[j]) {
					t.Fatalf("Compare(%v, %v) = %d", e[i], e[j], d)
				}
				if same := CompareTargets(e[i].TargetRef, e[j].TargetRef) == 0; same != (keyOf(&discoveryv1.Endpoint{TargetRef: e[i].TargetRef}) == keyOf(&discoveryv1.Endpoint{TargetRef: e[j].TargetRef})) {
					t.Fatalf("CompareTargets(%v, %v) is 0: %v", e[i].TargetRef, e[j].TargetRef, same)
				}
				if back := Compare(&e[j], &e[i]); d != -back {
					t.Fatalf("Compare(%v, %v) = %d, and back %d", e[i], e[j], d, back)
				}
				for k := range e {
					if d <= 0 && Compare(&e[j], &e[k]) <= 0 && Compare(&e[i], &e[k]) > 0 {
						t.Fatalf("%v <= %v <= %v, and the first is above the last", e[i], e[j], e[k])
					}
				}
			}
		}
	})
}

func drawEndpoint(t *rapid.T) discoveryv1.Endpoint {
	address := rapid.SampledFrom([]string{"10.0.0.1", "010.0.0.1", "10.0.0.2", "fd00::1", "FD00:0::1", "web", ""})
	e := discoveryv1.Endpoint{Addresses: rapid.SliceOfN(address, 0, 2).Draw(t, "addresses")}
	e.DeprecatedTopology = rapid.SampledFrom([]map[string]string{nil, {"a": "1"}, {"a": "2"}, {"b": "1"}}).Draw(t, "topology")
	if rapid.Bool().Draw(t, "hints") {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b"}), 0, 2, rapid.ID[string])
		e.Hints = &discoveryv1.EndpointHints{}
		for _, name := range names.Draw(t, "zones") {
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: name})
		}
		for _, name := range names.Draw(t, "nodes") {
			e.Hints.ForNodes = append(e.Hints.ForNodes, discoveryv1.ForNode{Name: name})
		}
	}
	if rapid.Bool().Draw(t, "hostname") {
		host := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "host")
		e.Hostname = &host
	}
	if rapid.Bool().Draw(t, "target") {
		word := rapid.SampledFrom([]string{"a", "b"})
		e.TargetRef = &corev1.ObjectReference{Kind: word.Draw(t, "kind"), Namespace: word.Draw(t, "namespace"), Name: word.Draw(t, "name")}
		e.TargetRef.ResourceVersion = word.Draw(t, "version")
	}
	return e
}

// The fields are compared one after the other: the address as a number, hostname, kind, namespace, name.
func TestCompareOrder(t *testing.T) {
	at := func(address, host, kind, namespace, name string) *discoveryv1.Endpoint {
		return &discoveryv1.Endpoint{Addresses: []string{address}, Hostname: &host, TargetRef: &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name}}
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

// TestCompareTellsNilFromEmpty: endpoints that differ only in whether an empty text is nil have an order, the same from both sides.
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
