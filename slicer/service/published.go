package service

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// The functions here group the wanted endpoints as Plan gives them to slicer.Compute. Nearly all of them are in some slice
// already, to the letter: these are not made, but taken from the slice. They come in the order of the slices, so that
// Compute, which reads the slices in the same order, finds each as the one after the last. Compute's result depends neither
// on this order nor on what is shared, only its speed does.

const none = -1 // no wanted endpoint

// match is the wanted endpoint that a slice has, or none.
type match struct {
	wanted int32
	ip     uint32 // the slice's endpoint's first address, where that is a canonical IPv4 text; else 0
	same   bool   // to the letter, hints apart
}

// run is a list of wanted endpoints of one family and port set.
type run struct {
	family    uint8
	set       int32
	endpoints []discoveryv1.Endpoint
	changed   []time.Time // as in slicer.Group
}

// published groups the wanted endpoints, first those that slices have, then the others in the order of their workloads.
func (d *derivation) published(existing []*discoveryv1.EndpointSlice, mode hints.Mode) []slicer.Group {
	d.listSlices(existing)
	d.runs = slices.Grow(d.runs, len(d.slices))
	for _, s := range d.slices {
		d.match(s.Endpoints, s.AddressType)
		d.take(s.Endpoints, mode)
	}
	d.makeLeft()
	return d.grouped()
}

// listSlices lists the Service's own slices as Compute reads them: the one with the highest resourceVersion first. A slice
// of an earlier Service of that name is none of them, because what only such a slice has is news.
func (d *derivation) listSlices(existing []*discoveryv1.EndpointSlice) {
	for _, s := range existing {
		if s != nil && s.DeletionTimestamp == nil && d.ours(s.Labels) && d.owns(s) {
			d.slices = append(d.slices, s)
		}
	}
	slices.SortFunc(d.slices, func(a, b *discoveryv1.EndpointSlice) int {
		return cmp.Or(-endpoint.CompareVersions(a.ResourceVersion, b.ResourceVersion), strings.Compare(a.Name, b.Name))
	})
}

func (d *derivation) ours(labels map[string]string) bool {
	if labels[discoveryv1.LabelManagedBy] != d.options.ManagedBy {
		return false
	}
	if len(d.options.Key) == 0 {
		return labels[discoveryv1.LabelServiceName] == d.service.Name
	}
	for name, value := range d.options.Key {
		if labels[name] != value {
			return false
		}
	}
	return true
}

// owns reports whether the Service is an owner of the slice, unless it can be none.
func (d *derivation) owns(s *discoveryv1.EndpointSlice) bool {
	return d.service.UID == "" || slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.UID == d.service.UID
	})
}

// tooMany is how many endpoints of a slice, one after the other, may be other wanted endpoints than the next one, before the
// order is taken to be another than that of the wanted endpoints.
const tooMany = 2

// match finds the wanted endpoints that one slice has. Where the slices are in another order than the wanted endpoints, these
// and what they point to lie all over memory, so that it pays to prefetch.
func (d *derivation) match(endpoints []discoveryv1.Endpoint, of discoveryv1.AddressType) {
	d.matches = slices.Grow(d.matches[:0], len(endpoints))[:len(endpoints)]
	scattered := d.misses >= tooMany // so far; this slice may be in order again
	d.misses = min(d.misses, tooMany-1)
	for start := 0; start < len(endpoints); start += endpoint.PrefetchDistance {
		block := endpoints[start:min(start+endpoint.PrefetchDistance, len(endpoints))]
		matches := d.matches[start:][:len(block)]
		scattered = scattered || d.misses >= tooMany
		if !scattered {
			for i := range block {
				matches[i] = d.guess(&block[i])
				d.confirm(&matches[i], &block[i], of)
			}
			continue
		}
		d.sink += endpoint.PrefetchAddresses(block)
		for i := range block {
			matches[i] = d.guess(&block[i])
		}
		d.prefetch(block, matches)
		for i := range block {
			d.confirm(&matches[i], &block[i], of)
		}
	}
}

// guess guesses which wanted endpoint a slice's endpoint is, by its address alone: the one after the last, or by the table.
func (d *derivation) guess(e *discoveryv1.Endpoint) match {
	if len(e.Addresses) == 0 {
		return match{wanted: none}
	}
	ip, _ := endpoint.IPv4(e.Addresses[0])
	if d.misses < tooMany {
		if i := d.cursor; int(i) < len(d.wanted) && d.hasAddress(i, ip, e.Addresses[0]) {
			d.cursor, d.misses = i+1, 0
			return match{wanted: i, ip: ip}
		}
		d.misses++
	}
	if d.misses >= tooMany && d.indexed {
		hash := d.hash(ip, e.Addresses[0])
		_, likely := d.table.Probe(hash, uint32(hash))
		return match{wanted: likely, ip: ip}
	}
	i := d.find(ip, e.Addresses[0])
	if i != none {
		d.cursor = i + 1
	}
	return match{wanted: i, ip: ip}
}

// prefetch reads what a slice's endpoints and the wanted endpoints that they may be are compared by.
func (d *derivation) prefetch(endpoints []discoveryv1.Endpoint, matches []match) {
	var list [endpoint.PrefetchDistance]*discoveryv1.Endpoint
	for i := range endpoints {
		list[i] = &endpoints[i]
		if w := matches[i].wanted; w != none {
			d.sink += len(d.wanted[w].name)
		}
	}
	d.sink += endpoint.Prefetch(list[:len(endpoints)])
	for _, m := range matches {
		if m.wanted != none {
			d.sink += endpoint.PrefetchText(d.wanted[m.wanted].name) + endpoint.PrefetchText(string(d.wanted[m.wanted].uid))
		}
	}
}

// confirm replaces a guess with the wanted endpoint that has the address and target of the slice's, if no other slice's is
// that one already.
func (d *derivation) confirm(m *match, e *discoveryv1.Endpoint, of discoveryv1.AddressType) {
	i := m.wanted
	if i == none {
		return
	}
	if m.wanted = none; !d.hasAddress(i, m.ip, e.Addresses[0]) {
		if i = d.find(m.ip, e.Addresses[0]); i == none {
			return
		}
	}
	w := &d.wanted[i]
	if w.given || families[w.family] != of {
		return
	}
	if m.same = d.says(e, i); m.same || e.TargetRef != nil && e.TargetRef.Name == w.name {
		m.wanted, w.given = i, true
	}
}

// says reports whether an endpoint of the same first address is just what is wanted, hints and deprecated topology apart.
func (d *derivation) says(e *discoveryv1.Endpoint, i int32) bool {
	w := &d.wanted[i]
	if (len(e.Addresses) > 1 || d.joined != nil) && !slices.Equal(e.Addresses[1:], d.joined[i]) {
		return false
	}
	c, place, ref := &e.Conditions, &d.places.known[w.place], e.TargetRef
	if ref == nil || place.target == nil {
		if ref != nil || place.target != nil {
			return false
		}
	} else if ref.Name != w.name || ref.UID != w.uid || ref.ResourceVersion != "" || !d.sameTarget(ref, place.target) {
		return false
	}
	return says(c.Ready, w.state.ready()) && says(c.Serving, w.state.serving()) && says(c.Terminating, w.state.terminating()) &&
		equal(e.NodeName, place.node) && equal(e.Zone, place.zone) && equal(e.Hostname, place.hostname)
}

// sameTarget compares references except for name, UID and resourceVersion.
func (d *derivation) sameTarget(ref, target *corev1.ObjectReference) bool {
	if target == &d.podTarget { // the compiler compares constants in line
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

// take appends the wanted endpoints that a slice has, in its order: the slice's own values where many that lie together are
// just what is wanted, copies where few are. When these changed is left out, because what a slice has already is no news.
func (d *derivation) take(endpoints []discoveryv1.Endpoint, mode hints.Mode) {
	const many = 16
	for i := 0; i < len(endpoints); {
		if d.matches[i].wanted == none {
			i++
			continue
		}
		if n := d.alike(endpoints[i:], d.matches[i:], mode); n >= many {
			w := &d.wanted[d.matches[i].wanted]
			d.runs = append(d.runs, run{family: w.family, set: w.set, endpoints: endpoints[i : i+n : i+n]})
			i += n
			continue
		}
		d.takeOne(&endpoints[i], d.matches[i])
		i++
	}
}

// alike returns how many of a slice's endpoints, from the first on, are just what is wanted and of one run.
func (d *derivation) alike(endpoints []discoveryv1.Endpoint, matches []match, mode hints.Mode) int {
	var first *wanted
	for i, m := range matches {
		if !m.same || mode == hints.Given && endpoints[i].Hints != nil {
			return i
		}
		w := &d.wanted[m.wanted]
		if i == 0 {
			first = w
		}
		if w.set != first.set || w.family != first.family {
			return i
		}
	}
	return len(matches)
}

func (d *derivation) takeOne(held *discoveryv1.Endpoint, m match) {
	e, changed := d.next(&d.wanted[m.wanted])
	if m.same {
		*e = *held
		e.Hints, e.DeprecatedTopology = nil, nil
		return
	}
	d.make(m.wanted, e)
	*changed = d.changed(m.wanted)
}

// makeLeft makes the wanted endpoints that no slice has.
func (d *derivation) makeLeft() {
	for i := range d.wanted {
		if !d.wanted[i].given {
			d.left = append(d.left, int32(i))
		}
	}
	if len(d.ports.sets) > 1 {
		slices.SortStableFunc(d.left, func(a, b int32) int { return cmp.Compare(d.wanted[a].set, d.wanted[b].set) })
	}
	d.reserve(len(d.left))
	for _, i := range d.left {
		e, changed := d.next(&d.wanted[i])
		d.make(i, e)
		*changed = d.changed(i)
	}
}

// reserve makes room for n wanted endpoints and their times.
func (d *derivation) reserve(n int) {
	d.blocks.reserve(n)
	d.times.reserve(n)
}

// next returns the places for the next wanted endpoint and its time, in the last run if that lies before it and is of its
// kind.
func (d *derivation) next(w *wanted) (*discoveryv1.Endpoint, *time.Time) {
	e, changed := d.blocks.next(), d.times.next()
	end := len(d.blocks.block)
	if n := len(d.runs); n > 0 {
		last := &d.runs[n-1]
		k := len(last.endpoints)
		if last.family == w.family && last.set == w.set && k < end && &d.blocks.block[end-1-k] == &last.endpoints[0] {
			last.endpoints, last.changed = d.blocks.block[end-1-k:end:end], d.times.block[end-1-k:end:end]
			return e, changed
		}
	}
	d.runs = append(d.runs, run{w.family, w.set, d.blocks.block[end-1 : end : end], d.times.block[end-1 : end : end]})
	return e, changed
}

// grouped makes a group of each run, all runs of one family and port set one after the other.
func (d *derivation) grouped() []slicer.Group {
	slices.SortStableFunc(d.runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.set, b.set))
	})
	d.list = slices.Grow(d.list, len(d.runs))
	for i, r := range d.runs {
		g := slicer.Group{AddressType: families[r.family], Endpoints: r.endpoints, Changed: r.changed}
		if i > 0 && d.runs[i-1].family == r.family && d.runs[i-1].set == r.set {
			g.Ports = d.list[i-1].Ports
		} else {
			g.Ports = d.ports.ports(r.set)
		}
		d.list = append(d.list, g)
	}
	return d.list
}
