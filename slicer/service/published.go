package service

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// published groups the wanted endpoints as Plan gives them to slicer.Compute, in m: first those that slices have, in the order
// of the slices, then the others in the order of their workloads. Nearly all of them are in some slice already, to the letter:
// these are not made, not even noted, but taken from the slice. Compute, which reads the slices in the same order, finds each
// as the one after the last. Its result depends neither on this order nor on what is shared, only its speed does. In w is
// then what no slice has, and what is not published, in the order of the workloads.
func published(w *wanted, existing []*discoveryv1.EndpointSlice, mode hints.Mode, m *publishedMemory) []slicer.Group {
	m.own = appendOwn(m.own, w.rules, existing)
	m.matcher.begin(w)
	m.runs.begin(w, mode, len(m.own))
	for _, s := range m.own {
		family := slices.Index(families[:], s.AddressType)
		m.runs.take(s.Endpoints, m.matcher.match(s.Endpoints, family), family)
	}
	first := len(w.endpoints)
	w.readRest(m.matcher.seen, w)
	m.runs.makeFrom(first)
	m.groups = m.runs.appendGroups(m.groups)
	return m.groups
}

// publishedMemory is what published works in.
type publishedMemory struct {
	own     []*discoveryv1.EndpointSlice
	matcher matcher
	runs    runs
	groups  []slicer.Group
}

// appendOwn lists the Service's own slices as Compute reads them: the one with the highest resourceVersion first. A slice
// of an earlier Service of that name is none of them, because what only such a slice has is news.
func appendOwn(list []*discoveryv1.EndpointSlice, r *rules, existing []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	for _, s := range existing {
		if s != nil && s.DeletionTimestamp == nil && r.ours(s.Labels) && r.owns(s) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *discoveryv1.EndpointSlice) int {
		return cmp.Or(-endpoint.CompareVersions(a.ResourceVersion, b.ResourceVersion), strings.Compare(a.Name, b.Name))
	})
	return list
}

func (r *rules) ours(labels map[string]string) bool {
	if labels[discoveryv1.LabelManagedBy] != r.options.ManagedBy {
		return false
	}
	if len(r.options.Key) == 0 {
		return labels[discoveryv1.LabelServiceName] == r.service.Name
	}
	for name, value := range r.options.Key {
		if labels[name] != value {
			return false
		}
	}
	return true
}

// owns reports whether the Service is an owner of the slice, unless it can be none.
func (r *rules) owns(s *discoveryv1.EndpointSlice) bool {
	return r.service.UID == "" || slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.UID == r.service.UID
	})
}

// release forgets all slices.
func (m *publishedMemory) release() {
	clear(m.own)
	clear(m.groups)
	m.matcher.release()
	m.runs.release()
	*m = publishedMemory{own: m.own[:0], matcher: m.matcher, runs: m.runs, groups: m.groups[:0]}
}
