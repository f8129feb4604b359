package slices

// waits says which slices must be written before which others.
type waits struct {
	next map[*slot][]*slot
}

func newWaits(slots []*slot) *waits { return &waits{next: make(map[*slot][]*slot, len(slots))} }

// add notes that from waits for to.
func (w *waits) add(from, to *slot) {
	w.next[from] = append(w.next[from], to)
}

// cyclic reports whether two slices wait for each other, directly or through others.
func (w *waits) cyclic(a, b *slot) bool { return w.reaches(a, b) && w.reaches(b, a) }

func (w *waits) reaches(from, to *slot) bool {
	seen, stack := map[*slot]bool{}, []*slot{from}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, n := range w.next[s] {
			if n == to {
				return true
			}
			if !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	return false
}
