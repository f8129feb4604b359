package endpoint

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTable holds a Table against a map: keys in any order, some twice, many that share a hash,
// more than there is room for, and a table that is used again.
func TestTable(t *testing.T) {
	var table Table
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 6, 7, 100, 700}).Draw(t, "keys")
		hashes := rapid.SampledFrom([]uint64{1, 3, 1000}).Draw(t, "hashes")
		hash := func(key int) uint64 { return uint64(key) % hashes * 0x9e3779b97f4a7c15 }
		table.Reset(rapid.SampledFrom([]int{0, n / 2, n, 2 * n}).Draw(t, "room"))
		var keys []int
		known := map[int]int32{}
		for range n {
			key := rapid.IntRange(0, n).Draw(t, "key")
			same := func(i int32) bool { return keys[i] == key }
			want, old := known[key]
			if at := table.Find(hash(key), same); old != (at >= 0) || old && at != want {
				t.Fatalf("%d is found at %d, want %d, %v", key, at, want, old)
			}
			if !old {
				want = int32(len(keys))
				keys, known[key] = append(keys, key), want
			}
			if at, isNew := table.Add(hash(key), func(i int32) bool {
				return i < int32(len(keys)) && keys[i] == key
			}); at != want || isNew == old {
				t.Fatalf("%d becomes %d, new %v; want %d, %v", key, at, isNew, want, !old)
			}
		}
		if table.Len() != len(known) {
			t.Fatalf("%d keys, want %d", table.Len(), len(known))
		}
		for key, want := range known {
			if at := table.Find(hash(key), func(i int32) bool { return keys[i] == key }); at != want {
				t.Fatalf("%d is found at %d, want %d", key, at, want)
			}
		}
		table.Reset(1)
		if table.Len() != 0 || table.Find(hash(1), func(int32) bool { return true }) >= 0 {
			t.Fatal("a key is found after Reset")
		}
	})
}
