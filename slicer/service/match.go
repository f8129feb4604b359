package service

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// matcher finds out which endpoints of slices are just what their workloads want, one slice after the other, so that these need
// not be made. It reads the workload that an endpoint is of, each only once for each family.
type matcher struct {
	w       *wanted // what no slice has to the letter
	one     wanted  // what one workload wants
	finder  finder
	seen    []seen  // of each workload
	matches []match // of one slice's endpoints

	// Where slices are in the order of the workloads, or in the reverse order, nothing has to be searched for.
	cursor int32 // the workload after the last that was found
	start  int32 // the workload that the last slice began with, if slices come in reverse order
	misses int   // endpoints, one after the other, that were not of the workload at the cursor
}

// match is what is known of a slice's endpoint.
type match struct {
	wanted bool  // a workload wants it
	made   int32 // what the workload wants in its place; none: just this, hints apart
	set    int32 // of its ports, where it is just this
}

// begin makes ready to match. There must be nothing in w.
func (m *matcher) begin(w *wanted) {
	n := w.len()
	m.w, m.cursor, m.start, m.misses = w, 0, int32(n), 0
	m.one.reader = w.reader
	m.finder.begin(&w.workloads, w.service.Namespace)
	m.seen = slices.Grow(m.seen[:0], n)[:n]
	clear(m.seen)
}

// tooMany is how many endpoints of a slice, one after the other, may be of other workloads than the next one, before the
// order is taken to be another than that of the workloads.
const tooMany = 2

// match says what each endpoint of a slice is. The next call overwrites the list.
func (m *matcher) match(endpoints []discoveryv1.Endpoint, family int) []match {
	m.matches = slices.Grow(m.matches[:0], len(endpoints))[:0]
	m.misses = min(m.misses, tooMany-1) // this slice may be in order again
	m.expect(endpoints)
	for i := range endpoints {
		m.matches = append(m.matches, m.confirm(&endpoints[i], m.guess(&endpoints[i]), family))
	}
	return m.matches
}

// expect moves the cursor to where a slice begins, if slices come in the reverse order of the workloads.
func (m *matcher) expect(endpoints []discoveryv1.Endpoint) {
	m.start -= int32(len(endpoints))
	if len(endpoints) > 0 && m.start >= 0 && m.finder.has(m.start, m.finder.keyOf(&endpoints[0])) {
		m.cursor = m.start
	}
}

// guess guesses of which workload a slice's endpoint is: the one after the last, or by the table.
func (m *matcher) guess(e *discoveryv1.Endpoint) int32 {
	key := m.finder.keyOf(e)
	if key == "" {
		return none
	}
	if m.misses < tooMany {
		if i := m.cursor; int(i) < len(m.seen) && m.finder.has(i, key) {
			m.cursor, m.misses = i+1, 0
			return i
		}
		m.misses++
	}
	if m.misses >= tooMany {
		return m.finder.find(key)
	}
	i := m.finder.find(key)
	if i != none {
		m.cursor = i + 1
	}
	return i
}

// confirm says what a slice's endpoint is. It finds the workload if the guess is wrong, and reads it.
func (m *matcher) confirm(e *discoveryv1.Endpoint, i int32, family int) match {
	if i == none || family < 0 {
		return match{}
	}
	if key := m.finder.keyOf(e); !m.finder.has(i, key) {
		if i = m.finder.find(key); i == none {
			return match{}
		}
	}
	seen := &m.seen[i]
	if seen.left || seen.done.has(family) {
		return match{}
	}
	m.one.empty()
	others := m.w.read(i, only(family), &m.one)
	if n := len(m.one.endpoints); n > 1 || n == 1 && m.one.address(0) != e.Addresses[0] {
		seen.left = true
		return match{}
	}
	if seen.done == 0 { // its skips are not known yet
		m.w.skips = append(m.w.skips, m.one.skips...)
	}
	seen.done |= allFamilies &^ others
	switch {
	case len(m.one.endpoints) == 0:
		return match{}
	case m.one.same(e, 0):
		return match{wanted: true, made: none, set: m.one.endpoints[0].set}
	default:
		return match{wanted: true, made: m.w.add(&m.one)}
	}
}

// release forgets all workloads.
func (m *matcher) release() {
	m.finder.begin(nil, "")
	m.one.release()
	*m = matcher{one: m.one, finder: m.finder, seen: m.seen[:0], matches: m.matches[:0]}
}
