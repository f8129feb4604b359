package allocate

import (
	"container/heap"
	"slices"
)

// Class is a number of endpoints (Count) that are in the same zone (Home) and have a hint for the
// same zone (Prior). Home is Nowhere if they are in no zone with a weight. Prior is Nowhere if they
// have no hint that can stay.
type Class struct{ Home, Prior, Count int }

// Bounds say, by zone, how many endpoints the zone gets in total: at least Low, and at most High.
// If High is nil, there is no upper bound. Held is the number of endpoints with a hint for the zone
// in slices that stay as they are. These endpoints are part of the total, and may be more than
// High. The sum of max(Held, Low) over all zones must not exceed the number of all endpoints.
type Bounds struct{ Held, Low, High []int }

// Deal returns the zones of the endpoints of each class. As few endpoints as possible are assigned
// to another zone than their own. The choice is greedy, so few hints change, but not always the
// fewest possible. If this number can be reached without changing a hint, no hint changes.
//
// No two classes may have the same Home and Prior, and the order of classes must not depend on the
// order of endpoints. The result has the counts of each class. The first count is for the first
// endpoints of the class, and so on.
func Deal(w *Weights, classes []Class, b Bounds) [][]ZoneCount {
	t := newTransfer(w, classes, b)
	t.keepHints()
	t.spread()
	t.dealOthers()
	return t.dealt
}

// transfer counts, for each zone, the endpoints that leave it and the endpoints that come to it. It
// also has the counts that are dealt so far.
type transfer struct {
	weights *Weights
	classes []Class
	dealt   [][]ZoneCount
	rest    []int // by class: the number of endpoints that are not dealt yet
	has     []int // by zone: the number of endpoints after the transfers decided so far
	wrong   []int // by zone: the number of endpoints in it that are not dealt yet and have no hint for it
	leave   quota // from each zone
	come    quota // into each zone
}

// quota says how many endpoints leave each zone z, or how many come to it: must[z] endpoints for
// certain, and up to may[z] more. The field extra is the number of these further endpoints in all
// zones together.
type quota struct {
	must, may []int
	extra     int
}

func newTransfer(w *Weights, classes []Class, b Bounds) *transfer {
	zones := len(w.of)
	// cells is memory for all numbers, and counts for one count of each class. Most classes need
	// only one count.
	cells, counts := make([]int, 6*zones+len(classes)), make([]ZoneCount, len(classes))
	row := func(i int) []int { return cells[i*zones:][:zones] }
	t := &transfer{weights: w, classes: classes, dealt: make([][]ZoneCount, len(classes)), rest: cells[6*zones:],
		has: row(0), wrong: row(1), leave: quota{must: row(2), may: row(3)}, come: quota{must: row(4), may: row(5)}}
	nowhere := 0
	for i, c := range classes {
		t.rest[i], t.dealt[i] = c.Count, counts[i:i:i+1]
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

// bound computes the quotas leave and come. nowhere is the number of endpoints without a zone of
// their own.
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
	// Endpoints without a zone fill deficits first, because they leave no zone. Each endpoint that
	// leaves a zone comes to another one, and each endpoint without a zone comes to one. So the
	// sums of both quotas differ by the number of endpoints without a zone.
	leave := max(surplus, deficit-nowhere, 0)
	t.leave.extra = leave - surplus
	t.come.extra = leave + nowhere - deficit
}

// free returns how many more endpoints may leave zone z, or come to it.
func (q *quota) free(z int) int { return q.must[z] + min(q.may[z], q.extra) }

// use counts n endpoints that leave zone z, or come to it, and returns how many of them were not
// certain before.
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
		t.dealt[class] = append(t.dealt[class], ZoneCount{zone, n})
		t.rest[class] -= n
	}
}

// keepHints looks for endpoints that have a hint for another zone than their own, and deals them to
// that other zone, as far as the quotas of both zones allow. The hints of these endpoints need not
// change.
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

// spread decides which zones the extra endpoints leave, and which zones they come to. Endpoints
// leave the zones whose endpoints carry least: first endpoints whose hint must change in any case,
// then others. Endpoints come to the zones whose endpoints carry most.
func (t *transfer) spread() {
	// In the first round, no endpoint with a hint for its own zone leaves. floor is the number of
	// such endpoints among those that may leave. The endpoints that must leave are taken from those
	// without such a hint, if there are enough of them.
	floor := make([]int, len(t.has))
	for z, may := range t.leave.may {
		floor[z] = max(0, may-max(0, t.wrong[z]-t.leave.must[z]))
	}
	t.raise(&t.leave, floor, leastFirst)
	clear(floor)
	t.raise(&t.leave, floor, leastFirst)
	t.raise(&t.come, floor, mostFirst)
}

// raise makes extra endpoints certain, one at a time: it moves them from may to must. Each time it
// takes the zone that is first in the order of the direction, which is leastFirst for leave and
// mostFirst for come. A zone is left out as soon as its value in may has fallen to its floor.
func (t *transfer) raise(q *quota, floor []int, direction int) {
	if q.extra == 0 {
		return
	}
	zones := slices.DeleteFunc(Numbers(len(q.may)), func(z int) bool { return q.may[z] <= floor[z] })
	order := newQueue(zones, t.weights.byLoad(t.has, direction))
	for q.extra > 0 && len(order.list) > 0 {
		z := order.list[0]
		q.must[z]++
		q.may[z]--
		q.extra--
		t.has[z] += direction // mostFirst is +1, because one endpoint comes
		if q.may[z] == floor[z] {
			heap.Pop(order)
		} else {
			heap.Fix(order, 0) // the load of its endpoints has changed
		}
	}
}

// dealOthers deals the endpoints that leave their zone, or have none, to the zones that endpoints
// must come to, in the order of zones. Then all other endpoints stay in their zone.
func (t *transfer) dealOthers() {
	to := 0 // no zone before this one needs more endpoints
	// Endpoints with a hint for their own zone come last: if one of them leaves, a hint that was
	// right must change.
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
