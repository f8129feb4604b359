package endpoint

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// hash is such that many keys share one.
func hash(key string) uint64 { return uint64(key[len(key)-1]) << 32 }

// TestTable holds a Table against a map: keys in any order, some twice, more than there is room for, and a table that is used again.
func TestTable(t *testing.T) {
	var table Table[string]
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 6, 7, 100, 700}).Draw(t, "keys")
		table.Reset(rapid.SampledFrom([]int{0, n / 2, n, 2 * n}).Draw(t, "room"))
		known := map[string]int32{}
		for range n {
			key := (fmt.Sprint("web-", rapid.IntRange(0, n).Draw(t, "key")))
			want, old := known[key]
			if at := table.Find(&key, hash(key)); old != (at >= 0) || old && at != want {
				t.Fatalf("%s is found at %d, want %d, %v", key, at, want, old)
			}
			if !old {
				want = int32(len(known))
				known[key] = want
			}
			if at, isNew := table.Add(&key, hash(key)); at != want || isNew == old {
				t.Fatalf("%s becomes %d, new %v; want %d, %v", key, at, isNew, want, !old)
			}
		}
		if table.Len() != len(known) {
			t.Fatalf("%d keys, want %d", table.Len(), len(known))
		}
		for key, want := range known {
			if at := table.Find(&key, hash(key)); at != want {
				t.Fatalf("%s is found at %d, want %d", key, at, want)
			}
		}
	})
}

// TestTableForgets: what was in a table is neither found nor kept after Reset.
func TestTableForgets(t *testing.T) {
	var table Table[string]
	table.Reset(100)
	for i := range 100 {
		key := (fmt.Sprint(i))
		table.Add(&key, hash(key))
	}
	table.Reset(1)
	if key := "7"; table.Find(&key, hash(key)) >= 0 || table.Len() != 0 {
		t.Error("a key is found after Reset")
	}
	for _, key := range table.keys[:100] {
		if key != "" {
			t.Fatalf("%q is kept", key)
		}
	}
}
