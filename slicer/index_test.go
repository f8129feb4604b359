package slicer

import (
	"fmt"
	"math/rand"
	"slices"
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
			if id, _ := all.identity(items[i].endpoint, 0); id != items[i].id {
				t.Errorf("item %d of %d has identity %d, and %d is found", i, n, items[i].id, id)
			}
		}
		all.release()
	}
}

// TestCandidates: of each identity the first 16 free items of its row are candidates, whichever
// have been taken since, and asking again and again does not look at the same taken ones.
func TestCandidates(t *testing.T) {
	rows := [][]int32{nil, nil, nil}
	for i := range int32(100) {
		rows[0] = append(rows[0], i)
	}
	rows[1], rows[2] = []int32{100, 101}, rows[0][:16]
	taken, looks := map[int32]bool{}, 0
	c := newCandidates(func(id int32) []int32 { return rows[id] }, func(i int32) bool { looks++; return !taken[i] })
	r := rand.New(rand.NewSource(1))
	const calls = 300
	for range calls {
		id := int32(r.Intn(3))
		var want []int32
		for _, i := range rows[id] {
			if !taken[i] && len(want) < 16 {
				want = append(want, i)
			}
		}
		if have := c.of([]int32{-7}, id); !slices.Equal(have, append([]int32{-7}, want...)) {
			t.Fatalf("identity %d: %v, want %v", id, have, want)
		}
		taken[int32(r.Intn(102))] = true
	}
	if most := calls*16 + 100 + 2*calls; looks > most {
		t.Errorf("%d looks, want at most %d", looks, most)
	}
}

// TestHashesSpread: addresses at equal distances fill a table evenly, so that a search takes few
// steps.
func TestHashesSpread(test *testing.T) {
	const n, places = 10000, 1 << 14
	for range 10 {
		var t table
		t.reset(0)
		for _, apart := range []uint32{1, 3, 1 << 8, 3 << 8, 1 << 12, 3 << 10, 1 << 16} {
			taken := map[uint64]bool{}
			for i := range uint32(n) {
				taken[t.ip((i+1)*apart)%places] = true
			}
			if len(taken) < 7000 { // at random about 7500
				test.Errorf("%x apart, %d hashes fall on %d of %d places", apart, n, len(taken), places)
			}
		}
	}
}
