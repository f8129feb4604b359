package persist

import (
	"cmp"
	"slices"
	"testing"

	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
	"pgregory.net/rapid"
)

func compareInts(a, b *int) int { return cmp.Compare(*a, *b) }

// TestList edits lists against a plain slice: the new version has the edits, the old one is as it
// was, and parts have their size. A list that withers keeps so few elements of a tree of three rows
// that only parts are left that had no neighbours of their own.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := numbers(rapid.SampledFrom([]int{0, 0, most * least, 20000}).Draw(t, "elements"))
		want := flat(t, &list)
		for range rapid.IntRange(1, 12).Draw(t, "versions") {
			before, copied := list, slices.Clone(want)
			first := rapid.IntRange(0, 40000).Draw(t, "first")
			step := rapid.IntRange(1, 40).Draw(t, "step")
			count := rapid.SampledFrom([]int{0, 1, 2, 30, 129, 700, 20000}).Draw(t, "count")
			puts := rapid.SampledFrom([]int{1, 2, 3, 1000}).Draw(t, "one in so many is put")
			var edits []Edit[int]
			if rapid.IntRange(0, 3).Draw(t, "withers") == 0 {
				keep := rapid.IntRange(1, 4000).Draw(t, "one in so many is kept")
				for i, v := range want {
					if i%keep != first%keep {
						edits = append(edits, Edit[int]{Element: v, Remove: true})
					}
				}
				count = 0
			}
			for i := range count {
				edits = append(edits, Edit[int]{Element: first + i*step, Remove: i%puts != 0})
			}
			list, want = list.Apply(edits, compareInts), applied(want, edits)
			if got := flat(t, &list); !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if got := flat(t, &before); !slices.Equal(got, copied) {
				t.Fatalf("the old version is %v, was %v", got, copied)
			}
			for _, probe := range []int{first, first + step, -1, 1 << 30} {
				_, found := slices.BinarySearch(want, probe)
				if at := list.Find(func(v *int) int { return *v - probe }); (at != nil) != found ||
					(at != nil && *at != probe) {
					t.Fatalf("find %d: %v", probe, at)
				}
			}
		}
	})
}

// applied does the same with a plain slice.
func applied(list []int, edits []Edit[int]) []int {
	has := map[int]bool{}
	for _, v := range list {
		has[v] = true
	}
	for _, e := range edits {
		if delete(has, e.Element); !e.Remove {
			has[e.Element] = true
		}
	}
	var after []int
	for v := range has {
		after = append(after, v)
	}
	slices.Sort(after)
	return after
}

// flat returns the elements, and checks how the tree is built.
func flat(t *rapid.T, l *List[int]) []int {
	checkShape(t, l, true)
	var all []int
	for v := range l.All {
		all = append(all, *v)
	}
	if len(all) != l.Len() {
		t.Fatalf("length %d, elements %d", l.Len(), len(all))
	}
	return all
}

// checkShape returns the height.
func checkShape(t *rapid.T, l *List[int], root bool) (height int) {
	n := len(l.elements) + len(l.parts)
	if len(l.elements) > 0 && len(l.parts) > 0 || n > most || !root && n < least || root && len(l.parts) == 1 ||
		cap(l.elements) > len(l.elements)*9/8+4 {
		t.Fatalf("%d elements and %d parts", len(l.elements), len(l.parts))
	}
	for i, p := range l.parts {
		if h := checkShape(t, p, false) + 1; i > 0 && h != height {
			t.Fatalf("heights %d and %d", height, h)
		} else {
			height = h
		}
	}
	return height
}

// numbers is a list of the even numbers below 2n.
func numbers(n int) List[int] {
	edits := make([]Edit[int], n)
	for i := range edits {
		edits[i].Element = 2 * i
	}
	var list List[int]
	return list.Apply(edits, compareInts)
}

// TestFewLeaves: a list that is made at once has as few leaves as can be, and what an element is
// not put in keeps its leaf.
func TestFewLeaves(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 127: 0, 128: 0, 129: 2, 256: 2, 257: 3, 128 * 128: 128} {
		list := numbers(n)
		if len(list.parts) != want {
			t.Errorf("%d elements have %d parts, want %d", n, len(list.parts), want)
		}
		for i := range list.parts {
			after := list.Apply([]Edit[int]{{Element: *list.parts[i].first()}}, compareInts)
			for j := range list.parts {
				if kept := after.parts[j] == list.parts[j]; kept != (i != j) {
					t.Fatalf("of %d elements: an edit of part %d keeps part %d: %v", n, i, j, kept)
				}
			}
		}
	}
}

// TestListStops holds readers that stop early.
func TestListStops(t *testing.T) {
	list, n := numbers(300), 0
	for range list.All {
		if n++; n == 130 {
			break
		}
	}
	if n != 130 {
		t.Errorf("read %d elements, want 130", n)
	}
}
