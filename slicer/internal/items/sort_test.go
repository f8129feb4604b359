package items

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestSortItems holds the sorting of numbers against the comparison of endpoints, for lists short and long, with addresses
// that differ in any byte or not at all, and some that are no number.
func TestSortItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Item
		var octets [4]*rapid.Generator[int] // some of which do not differ
		for i := range octets {
			octets[i] = rapid.SampledFrom(rapid.SampledFrom([][]int{{1}, {1}, {2, 3}, {1, 2, 128, 255}}).Draw(t, "octets"))
		}
		numbers := rapid.Bool().Draw(t, "only IPv4")
		var items []int32
		for i := range rapid.IntRange(0, 120).Draw(t, "items") {
			e := &discoveryv1.Endpoint{
				Addresses: []string{fmt.Sprintf("%d.%d.%d.%d", octets[0].Draw(t, "a"), octets[1].Draw(t, "b"), octets[2].Draw(t, "c"), octets[3].Draw(t, "d"))},
				TargetRef: &corev1.ObjectReference{Name: fmt.Sprint(i)},
			}
			if !numbers && rapid.IntRange(0, 20).Draw(t, "other") == 20 {
				e.Addresses[0] = "fd00::1"
			}
			ip, _ := endpoint.IPv4(e.Addresses[0])
			all = append(all, Item{Endpoint: e, IP: ip})
			items = append(items, int32(i))
		}
		items = rapid.Permutation(items).Draw(t, "order")
		want := slices.Clone(items)
		slices.SortFunc(want, func(a, b int32) int { return endpoint.Compare(all[a].Endpoint, all[b].Endpoint) })
		if (&Sorter{}).Sort(all, items); !slices.Equal(items, want) {
			t.Fatalf("sorted to %v, want %v", items, want)
		}
	})
}
