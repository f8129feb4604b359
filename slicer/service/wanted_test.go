package service

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestMatchOther: what a slice has of a Pod whose endpoint is another now is replaced in its place if the address is the same, and
// else made with the rest.
func TestMatchOther(t *testing.T) {
	for why, row := range map[string]struct {
		change        func(e *discoveryv1.Endpoint)
		wanted, there bool // it is matched, and replaced in its place
	}{
		"same":          {func(*discoveryv1.Endpoint) {}, true, false},
		"other node":    {func(e *discoveryv1.Endpoint) { e.NodeName = &[]string{"node-b"}[0] }, true, true},
		"other address": {func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.0.0.7"} }, false, false},
		"empty zone":    {func(e *discoveryv1.Endpoint) { e.Zone = new(string) }, true, true},
		"other UID":     {func(e *discoveryv1.Endpoint) { e.TargetRef.UID = "other" }, true, true},
		"other kind":    {func(e *discoveryv1.Endpoint) { e.TargetRef.Kind = "VM" }, true, true},
		"API version":   {func(e *discoveryv1.Endpoint) { e.TargetRef.APIVersion = "v1" }, true, true},
		"field path":    {func(e *discoveryv1.Endpoint) { e.TargetRef.FieldPath = "spec" }, true, true},
		"version":       {func(e *discoveryv1.Endpoint) { e.TargetRef.ResourceVersion = "7" }, true, true},
		"namespace":     {func(e *discoveryv1.Endpoint) { e.TargetRef.Namespace = "other" }, true, true},
		"no address":    {func(e *discoveryv1.Endpoint) { e.Addresses = nil }, false, false},
		"no target":     {func(e *discoveryv1.Endpoint) { e.TargetRef = nil }, false, false},
		"two addresses": {func(e *discoveryv1.Endpoint) { e.Addresses = append(e.Addresses, "10.0.0.7") }, true, true},
	} {
		m := matcherOf(numberedPods(2), Options{})
		list := held(m, ipv4, 0)
		row.change(&list[0])
		at := m.match(list, ipv4)[0]
		if at.wanted != row.wanted || at.wanted && (at.made != none) != row.there {
			t.Errorf("%s: %+v", why, at)
		}
		found := len(m.w.endpoints)
		m.w.readRest(m.seen, m.w)
		if rest := len(m.w.endpoints) - found; row.wanted && rest != 1 || !row.wanted && rest != 2 {
			t.Errorf("%s: %d endpoints are made with the rest", why, rest)
		}
	}
}

// TestMatchBackendTarget: a target that is empty is another than none, and a Backend's is compared whole.
func TestMatchBackendTarget(t *testing.T) {
	vm := corev1.ObjectReference{Kind: "VM", Name: "vm-1", FieldPath: "spec"}
	for _, target := range []corev1.ObjectReference{{}, vm} {
		for why, change := range map[string]func(e *discoveryv1.Endpoint){
			"none":          func(e *discoveryv1.Endpoint) { e.TargetRef = nil },
			"an empty one":  func(e *discoveryv1.Endpoint) { e.TargetRef = &corev1.ObjectReference{} },
			"the same":      func(e *discoveryv1.Endpoint) { e.TargetRef = &vm },
			"another field": func(e *discoveryv1.Endpoint) { e.TargetRef = &corev1.ObjectReference{Kind: "VM", Name: "vm-1"} },
		} {
			m := matcherOf(workloads{backends: []Backend{{Address: "10.0.0.1", TargetRef: target}}}, Options{})
			list := held(m, ipv4, 0)
			change(&list[0])
			same := why == "the same" && target == vm || why == "none" && target != vm
			if at := m.match(list, ipv4)[0]; !at.wanted || (at.made == none) != same {
				t.Errorf("target %q, the slice has %s: %+v", target.Name, why, at)
			}
		}
	}
}

// TestMatchHostname: an endpoint with the hostname that is wanted is matched, and one without it is replaced.
func TestMatchHostname(t *testing.T) {
	of := numberedPods(1)
	of.pods[0].Spec.Hostname, of.pods[0].Spec.Subdomain = "host-0", "web"
	backend := Backend{Address: "10.0.0.0", Hostname: "host-0", Subdomain: "web"}
	for _, of := range []workloads{of, {backends: []Backend{backend}}} {
		for _, hostname := range []string{"host-0", "host-1", ""} {
			m := matcherOf(of, Options{})
			list := held(m, ipv4, 0)
			if *list[0].Hostname = hostname; hostname == "" {
				list[0].Hostname = nil
			}
			if at := m.match(list, ipv4)[0]; !at.wanted || (at.made == none) != (hostname == "host-0") {
				t.Errorf("hostname %q: %+v", hostname, at)
			}
		}
	}
}

// TestMatchJoined: an endpoint of several addresses is matched whole, and what replaces it has all of them.
func TestMatchJoined(t *testing.T) {
	m := matcherOf(dualStack(), Options{JoinAddresses: true})
	list := held(m, ipv4, 2)
	if at := m.match(list, ipv4)[0]; !at.wanted || at.made != none {
		t.Errorf("same: %+v", at)
	}
	m = matcherOf(dualStack(), Options{JoinAddresses: true})
	list[0].NodeName = &[]string{"node-b"}[0]
	m.match(held(m, ipv4, 0, 1), ipv4)
	at := m.match(list, ipv4)[0]
	var e discoveryv1.Endpoint
	if m.w.make(at.made, &e, &leaves{}); !at.wanted || !slices.Equal(e.Addresses, []string{"10.0.0.2", "10.0.0.9"}) {
		t.Errorf("other node: %+v, made %v", at, e.Addresses)
	}
}
