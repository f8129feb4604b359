// Package store is what an index holds: slices as they were taken in, events since the last flush, and the view of the last
// flush. What readers see is the state: a flush makes a new view of the last one and of the slices that changed.
package store

import (
	"maps"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// Store holds slices.
type Store struct {
	options content.Options
	held    map[types.NamespacedName]*content.Slice
	pending map[types.NamespacedName]*discoveryv1.EndpointSlice // since the last flush; nil: deleted
	unnamed []content.Problem                                   // about what cannot be held, since the last flush
	root    *view.Root
}

var empty view.Root

// noSlice stands for a slice that is not there, before or after a change.
var noSlice content.Slice

// New returns an empty store.
func New(o content.Options) *Store {
	return &Store{
		options: o, root: &empty,
		held: map[types.NamespacedName]*content.Slice{}, pending: map[types.NamespacedName]*discoveryv1.EndpointSlice{},
	}
}

// Root is the view of the last flush.
func (s *Store) Root() *view.Root { return s.root }

// Upsert notes that a slice was added or changed. It is false where nothing can have changed.
func (s *Store) Upsert(slice *discoveryv1.EndpointSlice) bool {
	if slice == nil {
		s.SetAside(content.NilSlice(field.NewPath("slice")))
		return true
	}
	if slice.Name == "" || slice.Namespace == "" {
		s.SetAside(content.Unnamed(field.NewPath("slice"), slice))
		return true
	}
	return s.note(slice)
}

// note makes a slice wait for the next flush. It is false if the slice says nothing new.
func (s *Store) note(slice *discoveryv1.EndpointSlice) bool {
	name := content.NameOf(slice)
	if _, waits := s.pending[name]; !waits {
		if h := s.held[name]; h != nil {
			if h.IsVersion(slice) {
				return false
			}
		} else if _, counts := s.options.Service(slice); !counts {
			return false
		}
	}
	s.pending[name] = slice
	return true
}

// SetAside notes something in place of a slice, for the problems of the next flush.
func (s *Store) SetAside(p content.Problem) { s.unnamed = append(s.unnamed, p) }

// Delete notes that a slice is gone. It is false where the slice is not there.
func (s *Store) Delete(name types.NamespacedName) bool {
	_, waits := s.pending[name]
	if s.held[name] == nil && !waits {
		return false
	}
	s.pending[name] = nil
	return true
}

// Replace notes that these slices are all there are. Of several slices of one name the newest counts.
func (s *Store) Replace(list []*discoveryv1.EndpointSlice) {
	s.unnamed = nil
	clear(s.pending)
	gone := maps.Clone(s.held)
	for _, i := range content.Distinct(nil, list, true, s.SetAside) {
		s.note(list[i])
		delete(gone, content.NameOf(list[i]))
	}
	for name := range gone {
		s.pending[name] = nil
	}
}

// Report is called for each Service that came or went, without a port, and for each port that changed, in order.
type Report func(service types.NamespacedName, port *view.Port, appeared, gone bool, c view.Change)

// Flush does what was noted since the last flush. It reports changes, if report is not nil, and returns the problems that are
// new: those of things without a name, then those of slices, by namespace and name.
func (s *Store) Flush(report Report) []content.Problem {
	m := pool.Get().(*memory)
	m.reader.Options = s.options
	m.names = slices.AppendSeq(slices.Grow(m.names, len(s.pending)), maps.Keys(s.pending))
	slices.SortFunc(m.names, content.CompareNames)
	for _, name := range m.names {
		s.take(m, name, s.pending[name])
	}
	problems := append(slices.Clip(s.unnamed), m.problems...)
	m.flushServices(s, report)
	if root := s.root; len(m.services) != 0 || len(m.slices) != 0 || len(s.unnamed) != 0 || len(root.Unnamed) != 0 {
		s.root = &view.Root{
			Services: root.Services.Apply(m.services, view.CompareServices),
			Slices:   root.Slices.Apply(m.slices, view.CompareSlices),
			Unnamed:  s.unnamed,
		}
	}
	s.pending, s.unnamed = map[types.NamespacedName]*discoveryv1.EndpointSlice{}, nil
	m.put()
	return problems
}

// take holds the new version of a slice, and notes what changes. nil: the slice is gone.
func (s *Store) take(m *memory, name types.NamespacedName, slice *discoveryv1.EndpointSlice) {
	before, known := s.held[name]
	if !known {
		before = &noSlice
	}
	service, counts := "", false
	if slice != nil {
		service, counts = s.options.Service(slice)
	}
	if !counts {
		if known {
			delete(s.held, name)
			m.slices = append(m.slices, persist.Edit[*content.Slice]{Element: before, Remove: true})
			m.note(before, &noSlice, content.Change{})
		}
		return
	}
	after, change := m.reader.Read(slice, service, before)
	for _, p := range after.Problems {
		if !slices.ContainsFunc(before.Problems, p.Equal) {
			m.problems = append(m.problems, p.Of(name))
		}
	}
	s.held[name] = after
	if !known || len(change.Removed) != 0 || len(change.Added) != 0 || !before.Alike(after) {
		m.slices = append(m.slices, persist.Edit[*content.Slice]{Element: after})
	}
	m.note(before, after, change)
}

// memory is what a flush works with. It comes from a pool and goes back empty: a store has none between two flushes, and the pool
// keeps nothing alive that a store has dropped.
type memory struct {
	reader   *content.Reader
	names    []types.NamespacedName // of slices
	problems []content.Problem      // that slices did not have before
	updates  []update

	slices   []persist.Edit[*content.Slice]
	services []persist.Edit[*view.Service]
	ports    []persist.Edit[*view.Port] // of the Service at hand
	items    []persist.Edit[view.Item]  // of the port at hand, as all that follows
	follows  bool                       // there is a Report, so that the change is noted
	change   view.Change

	order  address.Ports // indexes of all, tagged with what became of the claim, by address and number
	all    []view.Claim
	item   view.Item // at the address at hand, as all that follows
	claims []view.Claim
	rivals []decide.Claim // of claims, as they are compared
}

var pool = sync.Pool{New: func() any {
	m := &memory{reader: content.NewReader()}
	m.order.Name = func(index int32) string { return m.all[index].Endpoint.FQDN }
	return m
}}

// put gives the memory back. Memory that a panic interrupted is not given back.
func (m *memory) put() {
	m.reader.Reset()
	m.names, m.problems, m.updates = emptied(m.names), emptied(m.problems), emptied(m.updates)
	m.slices, m.services, m.ports = emptied(m.slices), emptied(m.services), emptied(m.ports)
	m.items, m.change, m.item = emptied(m.items), view.Change{}, view.Item{}
	m.all, m.claims, m.rivals = emptied(m.all), emptied(m.claims), emptied(m.rivals)
	pool.Put(m)
}

// emptied drops what a buffer holds. A buffer is emptied before each use, so that it holds nothing beyond its length.
func emptied[T any](buf []T) []T {
	clear(buf)
	return buf[:0]
}
