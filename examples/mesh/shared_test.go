package main

import (
	"fmt"
	"math/rand"
	"net/netip"
	"reflect"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// randomEndpoints are some in few zones and nodes, with hints for some of these.
func randomEndpoints(r *rand.Rand) (list []dedup.Endpoint) {
	hinted := r.Intn(3)
	for i := range 1 + r.Intn(6) {
		e := dedup.Endpoint{Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), Port: 80, Zone: string(rune('a' + r.Intn(3))),
			NodeName: fmt.Sprint("n", r.Intn(3)), State: conditions.New(r.Intn(4) > 0, r.Intn(2) > 0, r.Intn(4) == 0)}
		if hinted > 0 && r.Intn(8) > 0 {
			e.ForZones = []discoveryv1.ForZone{{Name: string(rune('a' + r.Intn(2)))}}
		}
		if hinted > 1 && r.Intn(8) > 0 {
			e.ForNodes = []discoveryv1.ForNode{{Name: fmt.Sprint("n", r.Intn(2))}}
		}
		list = append(list, e)
	}
	return list
}

// TestSeenFrom: places share an assignment only if clients there are told the same.
func TestSeenFrom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	shared := 0
	for range 5000 {
		list := randomEndpoints(r)
		p := newServicePort(list, dedup.ServicePort{})
		place := hints.Location{Zone: string(rune('a' + r.Intn(4))), NodeName: []string{"", "n0", "n1", "n2", "n3"}[r.Intn(5)]}
		if p.seenFrom(place) != place {
			shared++
		}
		if here, there := membersOf(list, place), membersOf(list, p.seenFrom(place)); !reflect.DeepEqual(here, there) {
			t.Fatalf("%v is not seen from %v as from %v:\n%v\n%v", list, place, p.seenFrom(place), here, there)
		}
	}
	if shared < 1000 {
		t.Errorf("%d places share, too few to show anything", shared)
	}
}
