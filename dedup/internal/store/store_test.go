package store

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/test/gen"
)

func newStore() *Store {
	return New(content.Options{
		Service: func(s *discoveryv1.EndpointSlice) (string, bool) {
			return s.Labels["service"], true
		}, Families: address.IPv4,
	})
}

func slice(i int) *discoveryv1.EndpointSlice {
	s := gen.WebSlice(fmt.Sprint(i), "10.0.0.1", "bad")
	s.Labels["service"] = fmt.Sprint(i % 7)
	return s
}

// TestNothingIsLeft: after the last delete the store is as it was before the first slice
// (D6). On the way each port counts its conflicts.
func TestNothingIsLeft(t *testing.T) {
	s := newStore()
	for i := range 100 {
		s.Upsert(slice(i))
		if i%10 == 0 {
			s.Flush(nil)
		}
	}
	s.Upsert(nil)
	s.Flush(nil)
	for i := range 100 {
		s.Delete(types.NamespacedName{Namespace: "default", Name: fmt.Sprint(i)})
		if i%10 != 0 {
			continue
		}
		s.Flush(nil)
		for service := range s.root.Services.All {
			for port := range (*service).Ports.All {
				conflicts := 0
				for item := range (*port).Items.All {
					if item.Conflict != nil {
						conflicts++
					}
				}
				if conflicts != (*port).Conflicts {
					t.Fatalf("%v has %d conflicts, and says %d", (*service).Name, conflicts, (*port).Conflicts)
				}
			}
		}
	}
	s.Flush(nil)
	if n := len(s.held) + len(s.pending) + len(s.unnamed) + s.root.Services.Len() + s.root.Slices.Len() +
		len(s.root.Unnamed); n != 0 {
		t.Errorf("%d things are left: %+v", n, s)
	}
}
