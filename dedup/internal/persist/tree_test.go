package persist

import (
	"cmp"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTree edits trees against a plain slice: the new version has the edits, the old one is as it was, and each is balanced.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set Tree[int]
		var want []int
		for range rapid.IntRange(1, 60).Draw(t, "edits") {
			before, copied := set, slices.Clone(want)
			v := rapid.IntRange(0, 40).Draw(t, "value")
			at, found := slices.BinarySearch(want, v)
			switch {
			case !found:
				set, want = set.Insert(v, cmp.Compare), slices.Insert(want, at, v)
			case rapid.Bool().Draw(t, "remove"):
				set, want = set.Remove(v, cmp.Compare), slices.Delete(want, at, at+1)
			}
			checkTree(t, set, want)
			checkTree(t, before, copied)
		}
		if absent := set.Remove(-1, cmp.Compare); !slices.Equal(slices.Collect(absent.All), want) {
			t.Fatal("removing what is not there changed the tree")
		}
	})
}

func checkTree(t *rapid.T, set Tree[int], want []int) {
	if got := slices.Collect(set.All); !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	checkBalance(t, set.root)
	if set.Single() != (len(want) == 1) || set.Empty() != (len(want) == 0) {
		t.Fatalf("single: %v, empty: %v", set.Single(), set.Empty())
	}
	for probe := range 42 {
		at, _ := slices.BinarySearch(want, probe)
		got, found := set.First(func(v int) bool { return v >= probe })
		if found != (at < len(want)) || found && got != want[at] {
			t.Fatalf("the first from %d is %d, %v in %v", probe, got, found, want)
		}
	}
	if len(want) > 0 && set.Least() != want[0] {
		t.Fatalf("the least is %d in %v", set.Least(), want)
	}
}

func checkBalance[T any](t *rapid.T, n *node[T]) {
	if n == nil {
		return
	}
	l, r := n.left.levels(), n.right.levels()
	if n.height != max(l, r)+1 || l > r+1 || r > l+1 {
		t.Fatalf("height %d over %d and %d", n.height, l, r)
	}
	checkBalance(t, n.left)
	checkBalance(t, n.right)
}

// TestTreeStops: the reader of a tree stops when the caller breaks off.
func TestTreeStops(t *testing.T) {
	var set Tree[int]
	for i := range 9 {
		set = set.Insert(i, cmp.Compare)
	}
	n := 0
	for range set.All {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("read %d values, want 5", n)
	}
}

// TestTreeShares: an edit of a large tree makes nodes by its height, and leaves the others to both versions.
func TestTreeShares(t *testing.T) {
	var set Tree[int]
	const size = 4096
	for i := range size {
		set = set.Insert(i*7919%size, cmp.Compare)
	}
	if height, least := int(set.root.height), bits.Len(size); height > least*3/2 {
		t.Errorf("height %d for %d values", height, size)
	}
	old := map[*node[int]]bool{}
	collectNodes(set.root, old)
	edited := map[*node[int]]bool{}
	collectNodes(set.Remove(size/3, cmp.Compare).Insert(-1, cmp.Compare).root, edited)
	made := 0
	for n := range edited {
		if !old[n] {
			made++
		}
	}
	if made > 4*int(set.root.height) {
		t.Errorf("%d nodes are new after two edits of a tree of height %d", made, set.root.height)
	}
}

func collectNodes[T any](n *node[T], all map[*node[T]]bool) {
	if n != nil {
		all[n] = true
		collectNodes(n.left, all)
		collectNodes(n.right, all)
	}
}
