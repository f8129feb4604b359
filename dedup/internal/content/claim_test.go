package content

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestDistinct draws lists in which slices share names, or have none: of one name the newest
// counts, whatever the order of the list, and everything else is skipped or kept.
func TestDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []*discoveryv1.EndpointSlice
		for range rapid.IntRange(0, 6).Draw(t, "slices") {
			s := &discoveryv1.EndpointSlice{}
			s.Namespace, s.Name = rapid.SampledFrom([]string{"", "m", "n"}).Draw(t,
				"namespace"), rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "name")
			s.ResourceVersion = rapid.SampledFrom([]string{"", "9", "10"}).Draw(t, "version")
			s.AddressType = rapid.SampledFrom([]discoveryv1.AddressType{"IPv4", "IPv6"}).Draw(t, "type")
			list = append(list, s)
		}
		if rapid.Bool().Draw(t, "nil") {
			list = append(list, nil)
		}
		named := rapid.Bool().Draw(t, "named")
		distinct := func(list []*discoveryv1.EndpointSlice) (kept []*discoveryv1.EndpointSlice,
			reasons map[string]int) {
			reasons = map[string]int{}
			for _, i := range Distinct(list, named, func(p Problem) { reasons[p.Reason]++ }) {
				kept = append(kept, list[i])
			}
			return kept, reasons
		}
		kept, reasons := distinct(list)
		want, newest := map[string]int{}, map[types.NamespacedName]*discoveryv1.EndpointSlice{}
		count := 0
		for _, s := range list {
			if s == nil || named && (s.Name == "" || s.Namespace == "") {
				want["NoSlice"]++
				continue
			}
			if s.Name == "" {
				count++
				continue
			}
			other := newest[NameOf(s)]
			if other != nil {
				want["SameName"]++
			} else {
				count++
			}
			if other == nil || older(other, s) {
				newest[NameOf(s)] = s
			}
		}
		if fmt.Sprint(reasons) != fmt.Sprint(want) || len(kept) != count {
			t.Fatalf("%d slices are kept, want %d; skipped are %v, want %v", len(kept), count, reasons, want)
		}
		if !slices.IsSortedFunc(kept, func(a, b *discoveryv1.EndpointSlice) int {
			return CompareNames(NameOf(a),
				NameOf(b))
		}) {
			t.Fatal("the slices are in no order")
		}
		for _, s := range kept {
			if best := newest[NameOf(s)]; s.Name != "" && (older(s, best) || older(best, s)) {
				t.Fatalf("of %s version %q of %s is kept, want %q of %s", s.Name, s.ResourceVersion, s.AddressType,
					best.ResourceVersion, best.AddressType)
			}
		}
	})
}

// older reports whether a gives way to b: an older version does, and of one version an IPv6 slice
// to an IPv4 slice, whose encoding is smaller.
func older(a, b *discoveryv1.EndpointSlice) bool {
	versions := []string{"", "9", "10"}
	return cmp.Or(cmp.Compare(slices.Index(versions, a.ResourceVersion), slices.Index(versions, b.ResourceVersion)),
		cmp.Compare(b.AddressType, a.AddressType)) < 0
}
