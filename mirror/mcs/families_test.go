package mcs_test

import (
	"cmp"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/mirror/mcs"
)

// TestFamilies: each family of the result is there once and is one of the exports'. With Union,
// each family of an export is there, and a cluster that does not have all is in conflict. With
// Intersection, a cluster has all families of the result, or none of them and is in conflict. A
// cluster whose families are not known is never in conflict.
func TestFamilies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exports := drawExports(t, false)
		slices.SortFunc(exports, func(a, b mcs.Export) int {
			return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Cluster, b.Cluster))
		})
		for _, how := range []mcs.Families{mcs.Union, mcs.Intersection} {
			merged, err := mcs.MergeExports(exports, how)
			if err != nil {
				t.Fatal(err)
			}
			var oldest []corev1.IPFamily // of the oldest export that has any
			for _, e := range exports {
				has := func(f corev1.IPFamily) bool { return slices.Contains(e.IPFamilies, f) }
				lacks := func(f corev1.IPFamily) bool { return !has(f) }
				known := has("IPv4") || has("IPv6")
				if known && oldest == nil {
					oldest = e.IPFamilies
				}
				want := known && slices.ContainsFunc(merged.IPFamilies, lacks)
				if how == mcs.Intersection && want && slices.ContainsFunc(merged.IPFamilies, has) {
					t.Fatalf("%s has some of %v, which is more than what all have", e.Cluster, merged.IPFamilies)
				}
				conflict := slices.ContainsFunc(merged.Conflicts, func(c mcs.Conflict) bool {
					return c.Cluster == e.Cluster && slices.Contains(c.Reasons, "IPFamilyConflict")
				})
				if conflict != want {
					t.Fatalf("%q: %s with %v is in conflict: %v; the families are %v", how, e.Cluster, e.IPFamilies,
						conflict, merged.IPFamilies)
				}
				for _, f := range e.IPFamilies {
					if how == mcs.Union && f != "IPv8" && !slices.Contains(merged.IPFamilies, f) {
						t.Fatalf("%s of %s is not among %v", f, e.Cluster, merged.IPFamilies)
					}
				}
			}
			if n := len(merged.IPFamilies); (n > 0) != (oldest != nil) ||
				n > 0 && !slices.Contains(oldest, merged.IPFamilies[0]) ||
				n > 1 && merged.IPFamilies[0] == merged.IPFamilies[1] {
				t.Fatalf("%q: families %v of %v", how, merged.IPFamilies, exports)
			}
		}
	})
}
