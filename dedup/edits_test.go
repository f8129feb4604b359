package dedup_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// edits change one field of an endpoint each.
var edits = map[string]func(*discoveryv1.Endpoint){
	"nothing":              func(*discoveryv1.Endpoint) {},
	"not ready":            func(e *discoveryv1.Endpoint) { e.Conditions.Ready = ptr(false) },
	"conditions in full":   func(e *discoveryv1.Endpoint) { e.Conditions.Serving = ptr(true) },
	"zone":                 func(e *discoveryv1.Endpoint) { e.Zone = ptr("zone-z") },
	"no zone":              func(e *discoveryv1.Endpoint) { e.Zone = nil },
	"node":                 func(e *discoveryv1.Endpoint) { e.NodeName = ptr("node-z") },
	"no node":              func(e *discoveryv1.Endpoint) { e.NodeName = nil },
	"hostname":             func(e *discoveryv1.Endpoint) { e.Hostname = ptr("host-z") },
	"no hostname":          func(e *discoveryv1.Endpoint) { e.Hostname = nil },
	"target":               func(e *discoveryv1.Endpoint) { e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: "z"} },
	"kind of target":       func(e *discoveryv1.Endpoint) { e.TargetRef.Kind = "VM" },
	"namespace of target":  func(e *discoveryv1.Endpoint) { e.TargetRef.Namespace = "z" },
	"name of target":       func(e *discoveryv1.Endpoint) { e.TargetRef.Name = "z" },
	"UID of target":        func(e *discoveryv1.Endpoint) { e.TargetRef.UID = "z" },
	"no target":            func(e *discoveryv1.Endpoint) { e.TargetRef = nil },
	"empty target":         func(e *discoveryv1.Endpoint) { e.TargetRef = &corev1.ObjectReference{} },
	"no hints":             func(e *discoveryv1.Endpoint) { e.Hints = nil },
	"empty hints":          func(e *discoveryv1.Endpoint) { e.Hints = &discoveryv1.EndpointHints{} },
	"other zone hinted":    func(e *discoveryv1.Endpoint) { e.Hints.ForZones = forZones("z") },
	"two zones hinted":     func(e *discoveryv1.Endpoint) { e.Hints.ForZones = forZones("z", "a") },
	"zones another way":    func(e *discoveryv1.Endpoint) { e.Hints.ForZones = forZones("a", "z", "a") },
	"node hinted":          func(e *discoveryv1.Endpoint) { e.Hints.ForNodes = []discoveryv1.ForNode{{Name: "node-z"}} },
	"address":              func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.9.9.9"} },
	"no address":           func(e *discoveryv1.Endpoint) { e.Addresses = nil },
	"address of another":   func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.0.0.2"} },
	"second address":       func(e *discoveryv1.Endpoint) { e.Addresses = append(e.Addresses[:1:1], "10.9.9.8") },
	"address of no family": func(e *discoveryv1.Endpoint) { e.Addresses = []string{"::10.0.0.1"} },
}

func forZones(names ...string) (zones []discoveryv1.ForZone) {
	for _, name := range names {
		zones = append(zones, discoveryv1.ForZone{Name: name})
	}
	return zones
}

// TestEdits makes each edit after each other one at two endpoints of a slice, and holds the index
// to Merge, where the slice is alone, and where an older and a newer slice have the same addresses.
func TestEdits(t *testing.T) { testEdits(t, "10.0.0.3", "10.0.0.1", "10.0.0.2") }

// TestEditsOfOneAddress does the same where the slice has an address twice, alone and before
// another one.
func TestEditsOfOneAddress(t *testing.T) {
	nightly.Slow(t)
	testEdits(t, "10.0.0.3", "10.0.0.3")
	testEdits(t, "10.0.0.3", "10.0.0.3", "10.0.0.5")
}

func testEdits(t *testing.T, addresses ...string) {
	base := gen.WebSlice("web-b", addresses...)
	for i := range base.Endpoints {
		e := &base.Endpoints[i]
		e.Zone, e.NodeName = ptr("zone-a"), ptr("node-a")
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: fmt.Sprint("web-", i)}
		e.Hints = &discoveryv1.EndpointHints{ForZones: forZones("a")}
	}
	older, newer := base.DeepCopy(), base.DeepCopy()
	older.Name, older.ResourceVersion = "web-a", "1"
	newer.Name, newer.ResourceVersion = "web-c", "900"
	newer.Endpoints = newer.Endpoints[:2]
	for _, others := range [][]*discoveryv1.EndpointSlice{nil, {older}, {older, newer}} {
		for _, o := range []dedup.Options{{}, {AllAddresses: true}}[:nightly.Usual(1, 2)] {
			ix, err := dedup.NewIndex(o)
			if err != nil {
				t.Fatal(err)
			}
			writes := 0
			ix.Replace(others)
			show := func(names ...string) {
				t.Helper()
				writes++
				now := base.DeepCopy()
				now.ResourceVersion = fmt.Sprint(10 + writes/2)
				for i, name := range names {
					edits[name](&now.Endpoints[i])
				}
				ix.Upsert(now)
				before := ix.View()
				changes, _ := ix.Flush()
				if err := checkChanges(before, ix.View(), changes); err != nil {
					t.Fatalf("beside %d slices, options %+v, after %q: %v", len(others), o, names, err)
				}
				want := printView(dedup.Merge(append(others[:len(others):len(others)], now), o))
				if got := printView(ix.View()); got != want {
					t.Fatalf("beside %d slices, options %+v, after %q the index shows\n%s\nand a merge\n%s",
						len(others), o, names, got, want)
				}
			}
			for a := range edits {
				show()
				for b := range edits {
					show(a, b)
					show(a)
				}
			}
		}
	}
}

// TestFirstAppProtocol: of several ports with one name, protocol and number the first text counts,
// in any order.
func TestFirstAppProtocol(t *testing.T) {
	for _, texts := range [][]string{{"a", "b", ""}, {"b", "", "a"}, {"", "b", "a"}, {"a", "a", "b"}} {
		s := gen.WebSlice("web-a", "10.0.0.1")
		s.Ports = nil
		for i := range texts {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Port: ptr(int32(1)), AppProtocol: &texts[i]})
		}
		n := 0
		for _, e := range dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{}).All() {
			if n++; e.AppProtocol != "a" || e.Port != 1 {
				t.Errorf("of %q: %q at port %d", texts, e.AppProtocol, e.Port)
			}
		}
		if n != 1 {
			t.Errorf("%d endpoints, want 1", n)
		}
	}
}

// TestNames: names of endpoints that differ in nothing else stay apart.
func TestNames(t *testing.T) {
	list := []*discoveryv1.EndpointSlice{gen.WebSlice("web-a", "a.example.com", "b.example.com")}
	list[0].AddressType = discoveryv1.AddressTypeFQDN
	o := dedup.Options{AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeFQDN}}
	if err := checkView(list, o, dedup.Merge(list, o)); err != nil {
		t.Error(err)
	}
}
