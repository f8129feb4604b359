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

// update is what a slice gave to its Service before a flush and gives now; nil: nothing.
type update struct {
	before, after *view.Slice
	content.Change
}

func (u *update) service() types.NamespacedName {
	s := u.after
	if s == nil {
		s = u.before
	}
	return types.NamespacedName{Namespace: s.Name.Namespace, Name: s.Service}
}

// take takes in what became of one slice; nil: it is gone.
func (s *Store) take(m *memory, name types.NamespacedName, slice *discoveryv1.EndpointSlice) {
	before := s.held[name]
	service, counts := "", false
	if slice != nil {
		service, counts = s.Options.Service(slice)
	}
	switch {
	case counts:
		after, change := s.read(m, slice, service, before)
		if s.held == nil {
			s.held = map[types.NamespacedName]*view.Slice{}
		}
		s.held[name] = after
		if before == nil || len(change.Removed)+len(change.Added) > 0 || !sameButEndpoints(before, after) {
			m.slices = append(m.slices, persist.Edit[*view.Slice]{Element: after})
		}
		if before != nil && before.Service == service {
			m.note(update{before, after, change})
			return
		}
		m.note(update{after: after, Change: content.Change{Added: after.Content.Endpoints}})
	case before != nil:
		delete(s.held, name)
		m.slices = append(m.slices, persist.Edit[*view.Slice]{Element: before, Remove: true})
	}
	if before != nil {
		m.note(update{before: before, Change: content.Change{Removed: before.Content.Endpoints}})
	}
}

// note keeps what a slice gives to its Service, if it has one.
func (m *memory) note(u update) {
	if u.service().Name != "" {
		m.updates = append(m.updates, u)
	}
}

// read reads a slice that counts.
func (s *Store) read(m *memory, slice *discoveryv1.EndpointSlice, service string, before *view.Slice) (*view.Slice, content.Change) {
	if before == nil {
		before = &view.Slice{}
	}
	after := &view.Slice{
		Name: nameOf(slice), UID: slice.UID, Version: slice.ResourceVersion, Age: content.AgeOf(slice), Service: service,
		Origin: s.Options.OriginOf(slice, before.Origin),
	}
	if service == "" {
		after.Content.Problems = []content.Problem{content.NoService(field.NewPath("metadata"), s.Options.Label)}
		return after, content.Change{Removed: before.Content.Endpoints}
	}
	var change content.Change
	after.Content, change = m.reader.Read(slice, after.Origin, before.Content)
	return after, change
}

// sameButEndpoints reports whether readers of two versions of a slice with the same endpoints see no difference.
func sameButEndpoints(a, b *view.Slice) bool {
	return a.Service == b.Service && slices.Equal(a.Content.Ports, b.Content.Ports) &&
		slices.EqualFunc(a.Content.Problems, b.Content.Problems, content.Problem.Equal)
}

// problems returns the problems of slices that they did not have in the last view.
func (m *memory) problems(last *view.Root) (all []content.Problem) {
	for _, e := range m.slices {
		if e.Remove || len(e.Element.Content.Problems) == 0 {
			continue
		}
		var known []content.Problem
		if before := last.Slice(e.Element.Name); before != nil {
			known = before.Content.Problems
		}
		for _, p := range e.Element.Content.Problems {
			if !slices.ContainsFunc(known, p.Equal) {
				all = append(all, p.Of(e.Element.Name))
			}
		}
	}
	return all
}
