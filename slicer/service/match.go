package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// matcher finds the wanted endpoints that slices have, one slice after the other. None is found twice.
type matcher struct {
	w         *wanted
	addresses addressFinder
	found     []bool  // of each wanted endpoint: some slice has it
	matches   []match // of one slice's endpoints
	cursor    int32   // the wanted endpoint after the last that was found
	misses    int     // slices' endpoints, one after the other, that were not the one at the cursor
	sink      int     // what prefetching adds up, for nobody to read
}

// match is the wanted endpoint that a slice has, or none.
type match struct {
	wanted int32
	ip     uint32 // the slice's endpoint's first address, where that is a canonical IPv4 text; else 0
	same   bool   // to the letter, hints apart
}

// begin makes ready to find wanted endpoints.
func (m *matcher) begin(w *wanted) {
	m.w, m.cursor, m.misses = w, 0, 0
	m.addresses.begin(w)
	m.found = slices.Grow(m.found[:0], len(w.endpoints))[:len(w.endpoints)]
	clear(m.found)
}

// tooMany is how many endpoints of a slice, one after the other, may be other wanted endpoints than the next one, before the
// order is taken to be another than that of the wanted endpoints.
const tooMany = 2

// match returns the wanted endpoint of each endpoint of a slice. The next call overwrites the list. Where the slices are in
// another order than the wanted endpoints, these and what they point to lie all over memory, so that it pays to prefetch.
func (m *matcher) match(endpoints []discoveryv1.Endpoint, of discoveryv1.AddressType) []match {
	m.matches = slices.Grow(m.matches[:0], len(endpoints))[:len(endpoints)]
	family := slices.Index(families[:], of)
	scattered := m.misses >= tooMany // so far; this slice may be in order again
	m.misses = min(m.misses, tooMany-1)
	for start := 0; start < len(endpoints); start += endpoint.PrefetchDistance {
		block := endpoints[start:min(start+endpoint.PrefetchDistance, len(endpoints))]
		matches := m.matches[start:][:len(block)]
		scattered = scattered || m.misses >= tooMany
		if !scattered {
			for i := range block {
				matches[i] = m.guess(&block[i])
				m.confirm(&matches[i], &block[i], family)
			}
			continue
		}
		m.sink += endpoint.PrefetchAddresses(block)
		for i := range block {
			matches[i] = m.guess(&block[i])
		}
		m.prefetch(block, matches)
		for i := range block {
			m.confirm(&matches[i], &block[i], family)
		}
	}
	return m.matches
}

// guess guesses which wanted endpoint a slice's endpoint is, by its address alone: the one after the last, or by the table.
func (m *matcher) guess(e *discoveryv1.Endpoint) match {
	if len(e.Addresses) == 0 {
		return match{wanted: none}
	}
	ip, _ := endpoint.IPv4(e.Addresses[0])
	if m.misses < tooMany {
		if i := m.cursor; int(i) < len(m.w.endpoints) && m.addresses.has(i, ip, e.Addresses[0]) {
			m.cursor, m.misses = i+1, 0
			return match{wanted: i, ip: ip}
		}
		m.misses++
	}
	if m.misses >= tooMany {
		return match{wanted: m.addresses.guess(ip, e.Addresses[0]), ip: ip}
	}
	i := m.addresses.find(ip, e.Addresses[0])
	if i != none {
		m.cursor = i + 1
	}
	return match{wanted: i, ip: ip}
}

// confirm replaces a guess with the wanted endpoint that has the address and target of the slice's, if no other slice's is
// that one already.
func (m *matcher) confirm(at *match, e *discoveryv1.Endpoint, family int) {
	i := at.wanted
	if i == none {
		return
	}
	if at.wanted = none; !m.addresses.has(i, at.ip, e.Addresses[0]) {
		if i = m.addresses.find(at.ip, e.Addresses[0]); i == none {
			return
		}
	}
	w := &m.w.endpoints[i]
	if m.found[i] || int(w.family) != family {
		return
	}
	if at.same = m.w.same(e, i); at.same || e.TargetRef != nil && e.TargetRef.Name == w.name {
		at.wanted, m.found[i] = i, true
	}
}

// same reports whether an endpoint of the same first address is just what is wanted, hints and deprecated topology apart.
func (w *wanted) same(e *discoveryv1.Endpoint, i int32) bool {
	want := &w.endpoints[i]
	if (len(e.Addresses) > 1 || w.joined != nil) && !slices.Equal(e.Addresses[1:], w.joined[i]) {
		return false
	}
	c, place, ref := &e.Conditions, &w.places.known[want.place], e.TargetRef
	if ref == nil || place.target == nil {
		if ref != nil || place.target != nil {
			return false
		}
	} else if ref.Name != want.name || ref.UID != want.uid || ref.ResourceVersion != "" || !w.sameTarget(ref, place.target) {
		return false
	}
	return says(c.Ready, want.state.ready()) && says(c.Serving, want.state.serving()) &&
		says(c.Terminating, want.state.terminating()) &&
		equal(e.NodeName, place.node) && equal(e.Zone, place.zone) && equal(e.Hostname, place.hostname)
}

// sameTarget compares references except for name, UID and resourceVersion.
func (w *wanted) sameTarget(ref, target *corev1.ObjectReference) bool {
	if target == &w.podTarget { // the compiler compares constants in line
		return ref.Kind == "Pod" && ref.APIVersion == "" && ref.FieldPath == "" && ref.Namespace == target.Namespace
	}
	return ref.Kind == target.Kind && ref.APIVersion == target.APIVersion && ref.FieldPath == target.FieldPath &&
		ref.Namespace == target.Namespace
}

func says(have *bool, want bool) bool { return have != nil && *have == want }

func equal(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// release forgets all endpoints.
func (m *matcher) release() {
	m.addresses.begin(nil)
	*m = matcher{addresses: m.addresses, found: m.found[:0], matches: m.matches[:0]}
}
