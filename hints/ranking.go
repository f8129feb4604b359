package hints

// ranking is a heap of zones by what one of their endpoints carries. Ties go by the zone's number, that is by name. The
// counts are the caller's, who changes them for the top zone only, and then calls fix or drop.
type ranking struct {
	shares *shares
	count  []int
	first  extreme
	heap   []int
}

type extreme bool

const (
	heaviestFirst extreme = true  // the zone in most need
	lightestFirst extreme = false // the zone that can spare most
)

func newRanking(s *shares, count []int, first extreme) *ranking {
	return &ranking{shares: s, count: count, first: first}
}

func (r *ranking) less(a, b int) bool {
	if r.first == lightestFirst {
		if r.shares.heavier(b, r.count[b], a, r.count[a]) {
			return true
		}
		return !r.shares.heavier(a, r.count[a], b, r.count[b]) && a < b
	}
	if r.shares.heavier(a, r.count[a], b, r.count[b]) {
		return true
	}
	return !r.shares.heavier(b, r.count[b], a, r.count[a]) && a < b
}

func (r *ranking) add(zone int) {
	r.heap = append(r.heap, zone)
	for i := len(r.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !r.less(r.heap[i], r.heap[parent]) {
			return
		}
		r.heap[i], r.heap[parent] = r.heap[parent], r.heap[i]
		i = parent
	}
}

func (r *ranking) empty() bool { return len(r.heap) == 0 }

func (r *ranking) top() int { return r.heap[0] }

// fix restores the order after the top's count changed.
func (r *ranking) fix() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(r.heap) {
			return
		}
		if child+1 < len(r.heap) && r.less(r.heap[child+1], r.heap[child]) {
			child++
		}
		if !r.less(r.heap[child], r.heap[i]) {
			return
		}
		r.heap[i], r.heap[child] = r.heap[child], r.heap[i]
		i = child
	}
}

// drop removes the top.
func (r *ranking) drop() {
	last := len(r.heap) - 1
	r.heap[0] = r.heap[last]
	r.heap = r.heap[:last]
	r.fix()
}
