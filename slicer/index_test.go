package slicer

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestManyOfOneAddress: a search that would pass too many endpoints of one address makes the index
// hash all that tells endpoints apart, until they are released.
func TestManyOfOneAddress(t *testing.T) {
	var all index
	for _, n := range []int{maxOthers + 1, maxOthers + 2, maxOthers + 1} {
		items := make([]item, n)
		for i := range items {
			e := &discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"},
				TargetRef: &corev1.ObjectReference{Name: fmt.Sprint(i)}}
			items[i] = item{endpoint: e, ip: endpoint.OnlyIPv4(e)}
		}
		if kept, again := all.take(items, []wantedPorts{{}}); len(kept) != n || len(again) > 0 ||
			all.hashAll != (n > maxOthers+1) {
			t.Errorf("of %d items %d are kept, %d are duplicates, all is hashed: %v", n, len(kept), len(again),
				all.hashAll)
		}
		for i := range items {
			if id, _ := all.identity(items[i].endpoint, &wantedPorts{}); id != items[i].id {
				t.Errorf("item %d of %d has identity %d, and %d is found", i, n, items[i].id, id)
			}
		}
		all.release()
	}
}
