// Package store has the memory of an Index: the slices as of the last flush, the events since then,
// and the view of the last flush. A flush makes a new view from the last one and the slices that
// changed.
package store

import (
	"maps"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/decide"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/persist"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
)

// Store holds the slices of an Index, and its last view.
type Store struct {
	options content.Options
	held    map[types.NamespacedName]*content.Slice
	// the slices that have events since the last flush; nil for a deleted slice
	pending map[types.NamespacedName]*discoveryv1.EndpointSlice
	// problems since the last flush that are not about a slice with a name
	unnamed []content.Problem
	root    *view.Root
}

var empty view.Root

// noSlice stands for a slice that does not exist, before or after a change.
var noSlice content.Slice

// New returns an empty store.
func New(o content.Options) *Store {
	return &Store{
		options: o, root: &empty,
		held: map[types.NamespacedName]*content.Slice{}, pending: map[types.NamespacedName]*discoveryv1.EndpointSlice{},
	}
}

// Root returns the view of the last flush.
func (s *Store) Root() *view.Root { return s.root }

// Upsert notes that a slice was added or changed. It returns false if nothing can have changed.
func (s *Store) Upsert(slice *discoveryv1.EndpointSlice) bool {
	if slice == nil {
		s.AddProblem(content.NilSlice(field.NewPath("slice")))
		return true
	}
	if slice.Name == "" || slice.Namespace == "" {
		s.AddProblem(content.Unnamed(field.NewPath("slice"), slice))
		return true
	}
	return s.note(slice)
}

// note keeps a slice for the next flush. It returns false if nothing can have changed.
func (s *Store) note(slice *discoveryv1.EndpointSlice) bool {
	name := content.NameOf(slice)
	// A pending event is always replaced: the slice may be as it was before that event.
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

// AddProblem notes a problem of the next flush that is not about a slice with a name.
func (s *Store) AddProblem(p content.Problem) { s.unnamed = append(s.unnamed, p) }

// Delete notes that a slice was deleted. It returns false if the slice is not known.
func (s *Store) Delete(name types.NamespacedName) bool {
	_, waits := s.pending[name]
	if s.held[name] == nil && !waits {
		return false
	}
	s.pending[name] = nil
	return true
}

// Replace notes that these slices are all that exist. If several slices have the same name, the
// newest is read.
func (s *Store) Replace(list []*discoveryv1.EndpointSlice) {
	s.unnamed = nil
	clear(s.pending)
	gone := maps.Clone(s.held)
	for _, i := range content.Distinct(nil, list, true, s.AddProblem) {
		s.note(list[i])
		delete(gone, content.NameOf(list[i]))
	}
	for name := range gone {
		s.pending[name] = nil
	}
}

// Report is called, in order, for each Service that appeared or is gone, with a nil port, and for
// each port that changed.
type Report func(service types.NamespacedName, port *view.Port, appeared, gone bool, c view.Change)

// Flush applies what was noted since the last flush. If report is not nil, Flush calls it for each
// change. It returns the new problems: first the problems that are not inside a slice, then the
// problems of slices, by namespace and name.
func (s *Store) Flush(report Report) []content.Problem {
	m := newMemory(s.options)
	m.names = slices.AppendSeq(make([]types.NamespacedName, 0, len(s.pending)), maps.Keys(s.pending))
	slices.SortFunc(m.names, content.CompareNames)
	// All slices are read first, because the winner of an address depends on how new each slice is
	// after the flush.
	for _, name := range m.names {
		s.take(m, name, s.pending[name])
	}
	problems := append(slices.Clip(s.unnamed), m.problems...)
	m.flushServices(s, report)
	// Without a change the root stays the same one, so that callers can compare views with ==.
	if root := s.root; len(m.services) != 0 || len(m.slices) != 0 || len(s.unnamed) != 0 || len(root.Unnamed) != 0 {
		s.root = &view.Root{
			Services: root.Services.Apply(m.services, view.CompareServices),
			Slices:   root.Slices.Apply(m.slices, view.CompareSlices),
			Unnamed:  s.unnamed,
		}
	}
	// Make a new map, because a cleared map would keep the memory of a large relist.
	s.pending, s.unnamed = map[types.NamespacedName]*discoveryv1.EndpointSlice{}, nil
	return problems
}

// take puts the new version of a slice into s.held, and notes what changed. slice is nil if the
// slice was deleted.
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
			m.problems = append(m.problems, p.InSlice(name))
		}
	}
	// The new version is always held, because its age counts. Views get it only if readers can see
	// a difference. So a change of spelling or order does not change the view.
	s.held[name] = after
	if !known || len(change.Removed) != 0 || len(change.Added) != 0 || !before.Alike(after) {
		m.slices = append(m.slices, persist.Edit[*content.Slice]{Element: after})
	}
	m.note(before, after, change)
}

// memory is the working memory of a flush.
type memory struct {
	reader   *content.Reader
	names    []types.NamespacedName // the names of slices with events
	problems []content.Problem      // problems that the slices did not have before
	updates  []update

	slices   []persist.Edit[*content.Slice]
	services []persist.Edit[*view.Service]
	ports    []persist.Edit[*view.Port] // edits of the current Service
	items    []persist.Edit[view.Item]  // edits of the current port; follows and change are also about this port
	follows  bool                       // there is a Report, so change is needed
	change   view.Change

	updated []view.Claim  // the endpoints in all updates of the current port
	order   address.Ports // the addresses in updated, with their indexes in updated and their tags

	// For the current address and port number:
	item   view.Item
	claims []view.Claim
	rivals []decide.Claim // claims, in the form that is compared
}

func newMemory(o content.Options) *memory {
	m := &memory{reader: content.NewReader(o)}
	m.order.Name = func(index int32) string { return m.updated[index].Endpoint.FQDN }
	return m
}
