package allocate

import (
	"container/heap"
	"slices"
)

// Class is a number of endpoints with the same own zone (Home) and the same zone of a hint that can stay (Prior), each Nowhere if
// there is none.
type Class struct{ Home, Prior, Count int }

// Bounds are how many endpoints each zone gets in total: Low at least, High at most (nil: no limit). Held of these are in slices
// that stay as they are, and may be more than High. The sum of max(Held, Low) must not exceed the number of all endpoints.
type Bounds struct{ Held, Low, High []int }

// Deal returns the zones of the endpoints of each class: the fewest endpoints leave their own zone, and as few hints change as a
// greedy choice finds. If all hints can stay with as few endpoints outside their own zone, they do. Classes differ, and are in an
// order that does not depend on the order of endpoints; the shares of a class are for its endpoints in order.
func Deal(w *Weights, classes []Class, b Bounds) [][]Share {
	t := newTransfer(w, classes, b)
	t.keepHints()
	t.spread()
	t.dealOthers()
	return t.dealt
}

// transfer has how many endpoints leave each zone, how many come to it, and what is dealt so far.
type transfer struct {
	weights *Weights
	classes []Class
	dealt   [][]Share
	rest    []int // by class: endpoints not dealt yet
	has     []int // by zone: endpoints after the transfers that are certain
	wrong   []int // by zone: its own endpoints that are not dealt yet and have no hint for it
	leave   quota // from each zone
	come    quota // into each zone
}

// quota is how many endpoints leave, or come to, each zone: must of them for certain, and up to may more. Over all zones extra
// more do.
type quota struct {
	must, may []int
	extra     int
}

func newTransfer(w *Weights, classes []Class, b Bounds) *transfer {
	zones := len(w.of)
	cells, shares := make([]int, 6*zones+len(classes)), make([]Share, len(classes))
	row := func(i int) []int { return cells[i*zones:][:zones] }
	t := &transfer{weights: w, classes: classes, dealt: make([][]Share, len(classes)), rest: cells[6*zones:],
		has: row(0), wrong: row(1), leave: quota{must: row(2), may: row(3)}, come: quota{must: row(4), may: row(5)}}
	nowhere := 0
	for i, c := range classes {
		t.rest[i], t.dealt[i] = c.Count, shares[i:i:i+1] // most classes have one
		if c.Home == Nowhere {
			nowhere += c.Count
			continue
		}
		t.has[c.Home] += c.Count
		if c.Prior != c.Home {
			t.wrong[c.Home] += c.Count
		}
	}
	t.bound(b, nowhere)
	return t
}

// bound computes how many endpoints must and may leave and come.
func (t *transfer) bound(b Bounds, nowhere int) {
	deficit, surplus := 0, 0
	for z, homes := range t.has {
		low, high := max(0, b.Low[z]-b.Held[z]), int(^uint(0)>>1)
		if b.High != nil {
			high = max(0, b.High[z]-b.Held[z])
		}
		t.come.must[z] = max(0, low-homes)
		t.come.may[z] = max(0, high-homes) - t.come.must[z]
		t.leave.must[z] = max(0, homes-high)
		t.leave.may[z] = max(0, homes-low) - t.leave.must[z]
		deficit += t.come.must[z]
		surplus += t.leave.must[z]
		t.has[z] += b.Held[z] + t.come.must[z] - t.leave.must[z]
	}
	leave := max(surplus, deficit-nowhere, 0)
	t.leave.extra = leave - surplus
	t.come.extra = leave + nowhere - deficit
}

// free is how many more endpoints may leave or come to a zone.
func (q *quota) free(z int) int { return q.must[z] + min(q.may[z], q.extra) }

// use counts n endpoints that leave or come to a zone, and returns how many of them were not certain before.
func (q *quota) use(z, n int) int {
	certain := min(n, q.must[z])
	q.must[z] -= certain
	q.may[z] -= n - certain
	q.extra -= n - certain
	return n - certain
}

// deal gives n endpoints of a class to a zone.
func (t *transfer) deal(class, zone, n int) {
	if n > 0 {
		t.dealt[class] = append(t.dealt[class], Share{zone, n})
		t.rest[class] -= n
	}
}

// keepHints deals endpoints that are hinted to another zone than their own to that zone, as many as may leave the one and come to
// the other.
func (t *transfer) keepHints() {
	for i, c := range t.classes {
		if c.Prior == Nowhere || c.Prior == c.Home {
			continue
		}
		n := min(c.Count, t.come.free(c.Prior))
		if c.Home != Nowhere {
			n = min(n, t.leave.free(c.Home))
			t.has[c.Home] -= t.leave.use(c.Home, n)
			t.wrong[c.Home] -= n
		}
		t.has[c.Prior] += t.come.use(c.Prior, n)
		t.deal(i, c.Prior, n)
	}
}

// spread makes certain which zones the endpoints leave and which they come to, where the bounds leave that open. The zones whose
// endpoints carry least lend: first endpoints whose hint is wrong anyway, then others. The zones whose endpoints carry most take what
// is left.
func (t *transfer) spread() {
	floor := make([]int, len(t.has))
	for z, may := range t.leave.may {
		floor[z] = max(0, may-max(0, t.wrong[z]-t.leave.must[z]))
	}
	t.raise(&t.leave, floor, leastFirst)
	clear(floor)
	t.raise(&t.leave, floor, leastFirst)
	t.raise(&t.come, floor, mostFirst)
}

// raise makes one endpoint after the other certain, at the zone that comes first of those where more than the floor may leave
// (leastFirst) or come (mostFirst). The zone then belongs further back.
func (t *transfer) raise(q *quota, floor []int, direction int) {
	if q.extra == 0 {
		return
	}
	zones := slices.DeleteFunc(numbers(len(q.may)), func(z int) bool { return q.may[z] <= floor[z] })
	order := newQueue(zones, t.weights.byLoad(t.has, direction))
	for q.extra > 0 && len(order.list) > 0 {
		z := order.list[0]
		q.must[z]++
		q.may[z]--
		q.extra--
		t.has[z] += direction // mostFirst is +1: one comes
		if q.may[z] == floor[z] {
			heap.Pop(order)
		} else {
			heap.Fix(order, 0)
		}
	}
}

// dealOthers deals the endpoints that leave their zone, or have none, to the zones that endpoints must come to, in the order of
// zones; endpoints with a hint for their own zone are the last. Then all other endpoints stay in their zone.
func (t *transfer) dealOthers() {
	to := 0 // no endpoint must come to a zone before it any more
	for _, hintedHome := range []bool{false, true} {
		for i, c := range t.classes {
			if right := c.Home == c.Prior && c.Home != Nowhere; right != hintedHome {
				continue
			}
			n := t.rest[i]
			if c.Home != Nowhere {
				n = min(n, t.leave.must[c.Home])
				t.leave.must[c.Home] -= n
			}
			for n > 0 {
				part := min(n, t.come.must[to])
				t.deal(i, to, part)
				t.come.must[to] -= part
				if n -= part; n > 0 {
					to++
				}
			}
		}
	}
	for i, n := range t.rest {
		t.deal(i, t.classes[i].Home, n)
	}
}
