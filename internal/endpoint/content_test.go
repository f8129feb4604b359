package endpoint

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func pointer[V any](v V) *V { return &v }

func fullEndpoint() *discoveryv1.Endpoint {
	return &discoveryv1.Endpoint{
		Addresses: []string{"10.0.0.1"},
		Conditions: discoveryv1.EndpointConditions{Ready: pointer(true), Serving: pointer(true),
			Terminating: pointer(false)},
		TargetRef: &corev1.ObjectReference{
			Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "u", APIVersion: "v1", FieldPath: "spec",
			ResourceVersion: "7",
		},
		NodeName: pointer("n"), Zone: pointer("z"),
		Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}, {Name: "b"}},
			ForNodes: []discoveryv1.ForNode{{Name: "m"}, {Name: "n"}}},
	}
}

// comparisons are what says whether two endpoints are equal in something.
var comparisons = map[string]func(a, b *discoveryv1.Endpoint) bool{
	"letter":     Identical,
	"conditions": func(a, b *discoveryv1.Endpoint) bool { return SameConditions(&a.Conditions, &b.Conditions) },
	"texts":      SameTexts,
	"reference":  func(a, b *discoveryv1.Endpoint) bool { return SameReference(a.TargetRef, b.TargetRef) },
	"addresses":  func(a, b *discoveryv1.Endpoint) bool { return SameAddressList(a.Addresses, b.Addresses) },
	"hints":      func(a, b *discoveryv1.Endpoint) bool { return SameHints(a.Hints, b.Hints) },
	"order":      func(a, b *discoveryv1.Endpoint) bool { return Compare(a, b) == 0 },
}

// changes are changes of one field of fullEndpoint, each with the comparisons that notice it.
var changes = []struct {
	what   string
	notice string
	apply  func(e *discoveryv1.Endpoint)
}{
	{"nothing", "", func(*discoveryv1.Endpoint) {}},
	{"another address", "letter addresses order", func(e *discoveryv1.Endpoint) { e.Addresses[0] = "10.0.0.2" }},
	{"another spelling", "letter order", func(e *discoveryv1.Endpoint) { e.Addresses[0] = "010.0.0.1" }},
	{"no address", "letter addresses order", func(e *discoveryv1.Endpoint) { e.Addresses = nil }},
	{"one more address", "letter addresses order", func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.0.0.1", "10.0.0.2"} }},
	{"another first address", "letter addresses order", func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.0.0.2", "10.0.0.1"} }},
	{"one address twice", "letter order", func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.0.0.1", "10.0.0.1"} }},
	{"a hostname", "letter texts order", func(e *discoveryv1.Endpoint) { e.Hostname = pointer("h") }},
	{"an empty hostname", "letter order", func(e *discoveryv1.Endpoint) { e.Hostname = pointer("") }},
	{"no target", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef = nil }},
	{"kind", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef.Kind = "VM" }},
	{"namespace", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef.Namespace = "x" }},
	{"name", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef.Name = "x" }},
	{"UID", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef.UID = "x" }},
	{"apiVersion", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef.APIVersion = "x" }},
	{"fieldPath", "letter reference order", func(e *discoveryv1.Endpoint) { e.TargetRef.FieldPath = "x" }},
	{"resourceVersion", "order", func(e *discoveryv1.Endpoint) { e.TargetRef.ResourceVersion = "8" }},
	{"not ready", "letter conditions order", func(e *discoveryv1.Endpoint) { e.Conditions.Ready = pointer(false) }},
	{"ready is nil", "letter conditions order", func(e *discoveryv1.Endpoint) { e.Conditions.Ready = nil }},
	{"not serving", "letter conditions order", func(e *discoveryv1.Endpoint) { e.Conditions.Serving = pointer(false) }},
	{"terminating", "letter conditions order", func(e *discoveryv1.Endpoint) { e.Conditions.Terminating = pointer(true) }},
	{"terminating is nil", "letter conditions order", func(e *discoveryv1.Endpoint) { e.Conditions.Terminating = nil }},
	{"Node", "letter texts order", func(e *discoveryv1.Endpoint) { e.NodeName = pointer("x") }},
	{"no Node", "letter texts order", func(e *discoveryv1.Endpoint) { e.NodeName = nil }},
	{"zone", "letter texts order", func(e *discoveryv1.Endpoint) { e.Zone = pointer("x") }},
	{"an empty zone", "letter texts order", func(e *discoveryv1.Endpoint) { e.Zone = pointer("") }},
	{"no hints", "hints order", func(e *discoveryv1.Endpoint) { e.Hints = nil }},
	{"another zone", "hints order", func(e *discoveryv1.Endpoint) { e.Hints.ForZones[0].Name = "c" }},
	{"zones in another order", "order", func(e *discoveryv1.Endpoint) { e.Hints.ForZones[0].Name, e.Hints.ForZones[1].Name = "b", "a" }},
	{"one zone", "hints order", func(e *discoveryv1.Endpoint) { e.Hints.ForZones = e.Hints.ForZones[:1] }},
	{"another Node's hint", "hints order", func(e *discoveryv1.Endpoint) { e.Hints.ForNodes[0].Name = "c" }},
	{"Nodes in another order", "order", func(e *discoveryv1.Endpoint) { e.Hints.ForNodes[0].Name, e.Hints.ForNodes[1].Name = "n", "m" }},
	{"one Node", "hints order", func(e *discoveryv1.Endpoint) { e.Hints.ForNodes = e.Hints.ForNodes[:1] }},
	{"topology", "order", func(e *discoveryv1.Endpoint) { e.DeprecatedTopology = map[string]string{"a": "1"} }},
}

// TestComparisons: each comparison notices changes of the fields that it is about, and of no
// others.
func TestComparisons(t *testing.T) {
	for _, c := range changes {
		a, b := fullEndpoint(), fullEndpoint()
		c.apply(b)
		for name, same := range comparisons {
			want := !strings.Contains(" "+c.notice+" ", " "+name+" ")
			if same(a, b) != want || same(b, a) != want {
				t.Errorf("%s, compared by %s: equal is %v and %v, want %v", c.what, name, same(a, b), same(b, a), want)
			}
			short := name == "letter" && (b.Hostname != nil || len(b.Addresses) != 1)
			if again := b.DeepCopy(); same(b, again) == short {
				t.Errorf("%s, compared by %s with a copy: equal is %v", c.what, name, !short)
			}
		}
	}
}
