package endpoint

import (
	"math/rand"
	"slices"
	"testing"
)

// TestTable enters numbers under few hashes, so that many share one, and finds under each hash all of them.
func TestTable(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var table Table
	for _, n := range []int{0, 1, 5, 6, 7, 100, 1000, 3} {
		table.Reset(n)
		want := map[uint64][]int32{}
		for i := range n {
			hash := uint64(random.Intn(1+n/3)) * 0x9e3779b97f4a7c15
			want[hash] = append(want[hash], int32(i))
			slot, found := table.Probe(hash, uint32(hash))
			for found >= 0 {
				slot, found = table.Probe(hash, slot+1)
			}
			table.Put(slot, hash, int32(i))
		}
		for hash, numbers := range want {
			slot, found := table.Probe(hash, uint32(hash))
			var have []int32
			for ; found >= 0; slot, found = table.Probe(hash, slot+1) {
				have = append(have, found)
			}
			for _, i := range numbers {
				if !slices.Contains(have, i) {
					t.Fatalf("%d numbers: %d is not among %d, which have the hash %x", n, i, have, hash)
				}
			}
			if len(have) > len(numbers)+n/20+1 {
				t.Errorf("%d numbers: %d and not %d may have the hash %x", n, len(have), len(numbers), hash)
			}
		}
		if _, found := table.Probe(0x7777777777777777, 0x77777777); n == 0 && found != -1 {
			t.Errorf("an empty table has %d", found)
		}
	}
}

// TestTableFull fills a table as far as it may be filled, with hashes that all begin at one slot and are told apart by their tags.
func TestTableFull(t *testing.T) {
	const n = 6
	var table Table
	table.Reset(n)
	hash := func(i int) uint64 { return uint64(i) << 40 }
	for i := range n {
		slot, found := table.Probe(hash(i), 0)
		if found != -1 {
			t.Fatalf("%d is there already: %d", i, found)
		}
		table.Put(slot, hash(i), int32(i))
	}
	for i := range n {
		if _, found := table.Probe(hash(i), 0); found != int32(i) {
			t.Errorf("%d and not %d is found", found, i)
		}
	}
}
