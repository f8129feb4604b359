package dedup

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"
)

// TestShapes: whatever shapes share a slot (names with equal ends do), get returns one that is equal, the same one for
// two in turn, and never the caller's list.
func TestShapes(t *testing.T) {
	zones, other := []string{"", "a", "eu-1a", "us-1a", "ap-1a", "eu-1b"}, []string{"", "x", "y"}
	rapid.Check(t, func(t *rapid.T) {
		var all shapes
		for range rapid.IntRange(1, 30).Draw(t, "gets") {
			want := &shape{
				zone: rapid.SampledFrom(zones).Draw(t, "zone"),
				kind: rapid.SampledFrom(other).Draw(t, "kind"), namespace: rapid.SampledFrom(other).Draw(t, "namespace"),
			}
			for range rapid.IntRange(0, 2).Draw(t, "hints") {
				want.zones = append(want.zones, discoveryv1.ForZone{Name: rapid.SampledFrom(zones).Draw(t, "hint")})
			}
			got := all.get(want)
			if !got.equal(want) || !want.equal(got) || got.zone != want.zone || len(got.zones) != len(want.zones) {
				t.Fatalf("got %v, want %v", *got, *want)
			}
			for i := range want.zones {
				if got.zones[i] != want.zones[i] || &got.zones[i] == &want.zones[i] {
					t.Fatalf("got %v, want a copy of %v", got.zones, want.zones)
				}
			}
			if got.kind != want.kind || got.namespace != want.namespace {
				t.Fatalf("got %v, want %v", *got, *want)
			}
		}
		one, two := &shape{zone: "eu-1a"}, &shape{zone: "us-1a"}
		a, b := all.get(one), all.get(two)
		if all.get(one) != a || all.get(two) != b {
			t.Fatal("two shapes push each other out")
		}
	})
}
