// Package store is what an index holds: slices as they were taken in, events since the last flush, and the view of the last
// flush. What readers see is the state: a flush makes a new view of the last one and of the slices that changed.
package store

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// Options say which slices count, and what of them is read.
type Options struct {
	Service func(*discoveryv1.EndpointSlice) (name string, counts bool)
	Label   string // that names the Service, for problems; empty where no single label does
	content.Options
}

// Store holds slices. Its options must be set before it is used.
type Store struct {
	Options Options

	held    map[types.NamespacedName]*view.Slice
	pending map[types.NamespacedName]*discoveryv1.EndpointSlice // since the last flush; nil: deleted
	unnamed []content.Problem                                   // of what cannot be held, since the last flush
	root    *view.Root
}

var empty view.Root

// Root is the view of the last flush.
func (s *Store) Root() *view.Root {
	if s.root == nil {
		return &empty
	}
	return s.root
}

// Upsert notes that a slice was added or changed. It is false where nothing can have changed.
func (s *Store) Upsert(slice *discoveryv1.EndpointSlice) bool {
	if slice != nil && s.knows(slice) {
		return false
	}
	s.note(slice, -1)
	return true
}

// knows reports whether a slice says nothing new.
func (s *Store) knows(slice *discoveryv1.EndpointSlice) bool {
	name := nameOf(slice)
	if name.Name == "" || name.Namespace == "" {
		return false
	}
	if _, waits := s.pending[name]; waits {
		return false
	}
	if h := s.held[name]; h != nil {
		return isVersion(h, slice)
	}
	_, counts := s.Options.Service(slice)
	return !counts
}

// isVersion reports whether a slice is the very version that was taken in, by the word of its API server.
func isVersion(h *view.Slice, slice *discoveryv1.EndpointSlice) bool {
	return h.UID != "" && h.Version != "" && h.Version == slice.ResourceVersion && h.UID == slice.UID
}

// note keeps a slice for the next flush; index is its place in a list, -1 for none.
func (s *Store) note(slice *discoveryv1.EndpointSlice, index int) {
	switch {
	case slice == nil:
		s.unnamed = append(s.unnamed, content.NilSlice(pathOf(index)))
	case slice.Name == "" || slice.Namespace == "":
		s.unnamed = append(s.unnamed, content.Unnamed(pathOf(index)).Of(nameOf(slice)))
	default:
		if s.pending == nil {
			s.pending = map[types.NamespacedName]*discoveryv1.EndpointSlice{}
		}
		s.pending[nameOf(slice)] = slice
	}
}

// SetAside notes something in place of a slice, for the problems of the next flush.
func (s *Store) SetAside(p content.Problem) { s.unnamed = append(s.unnamed, p) }

func pathOf(index int) *field.Path {
	if index < 0 {
		return field.NewPath("slice")
	}
	return field.NewPath("slices").Index(index)
}

// Delete notes that a slice is gone. It is false where the slice is not there.
func (s *Store) Delete(name types.NamespacedName) bool {
	_, waits := s.pending[name]
	if s.held[name] == nil && !waits {
		return false
	}
	if s.pending == nil {
		s.pending = map[types.NamespacedName]*discoveryv1.EndpointSlice{}
	}
	s.pending[name] = nil
	return true
}

// Replace notes that these slices are all there are. Of several slices of one name the newest counts.
func (s *Store) Replace(list []*discoveryv1.EndpointSlice) {
	s.pending, s.unnamed = make(map[types.NamespacedName]*discoveryv1.EndpointSlice, len(list)), nil
	for name := range s.held {
		s.pending[name] = nil
	}
	for i, slice := range list {
		if slice != nil && slice.Name != "" {
			if other := s.pending[nameOf(slice)]; other != nil && other != slice {
				s.unnamed = append(s.unnamed, content.SameName(pathOf(i), slice).Of(nameOf(slice)))
				slice = content.Newest(other, slice)
			}
		}
		s.note(slice, i)
	}
	for name, slice := range s.pending {
		if h := s.held[name]; h != nil && slice != nil && isVersion(h, slice) {
			delete(s.pending, name)
		}
	}
}

func nameOf(slice *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
}

// Report is called for each Service that came or went, without a port, and for each port that changed, in order.
type Report func(service types.NamespacedName, port *view.Port, appeared, gone bool, c view.Change)

// Flush does what was noted since the last flush. It reports changes, if report is not nil, and returns the problems that are
// new: those of things without a name, then those of slices, by namespace and name.
func (s *Store) Flush(report Report) []content.Problem {
	m := pool.Get().(*memory)
	m.reader.Options = s.Options.Options
	for name, slice := range s.pending {
		s.take(m, name, slice)
	}
	s.pending = nil
	problems := s.unnamed
	slices.SortFunc(m.slices, func(a, b persist.Edit[*view.Slice]) int { return view.CompareSlices(&a.Element, &b.Element) })
	problems = append(slices.Clip(problems), m.problems(s.Root())...)
	m.flushServices(s, report)
	if root := s.Root(); len(m.services)+len(m.slices)+len(s.unnamed)+len(root.Unnamed) > 0 {
		s.root = &view.Root{
			Services: root.Services.Apply(m.services, view.CompareServices),
			Slices:   root.Slices.Apply(m.slices, view.CompareSlices),
			Unnamed:  s.unnamed,
		}
	}
	s.unnamed = nil
	m.put()
	return problems
}
