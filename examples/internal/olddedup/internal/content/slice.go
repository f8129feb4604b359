// Package content reads one slice: its ports, its endpoints, and what is wrong with it. The result
// keeps only strings of the slice, and never changes. The package also has the orders by which
// other packages choose between slices that disagree.
package content

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Slice is the content of one version of a slice. It never changes.
type Slice struct {
	Origin
	UID       types.UID
	Version   string               // resourceVersion
	Headless  bool                 // it has the label service.kubernetes.io/headless
	Service   types.NamespacedName // its Name is empty if no label says what the slice belongs to
	Ports     []Port               // sorted by name and protocol, each once
	Endpoints []*Endpoint          // in the order of addresses, each once
	Problems  []Problem
}

// Change says how the endpoints of a slice differ from those of its last version, in order. An
// endpoint that changed is in both lists.
type Change struct {
	Removed, Added []*Endpoint
}

// NameOf returns the namespace and name of a slice.
func NameOf(slice *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
}

// CompareNames orders by namespace, then by name.
func CompareNames(a, b types.NamespacedName) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// Alike reports whether readers see no difference between two versions of a slice with equal
// endpoints.
func (s *Slice) Alike(t *Slice) bool {
	return s.Service == t.Service && s.Headless == t.Headless && slices.Equal(s.Ports, t.Ports) &&
		slices.EqualFunc(s.Problems, t.Problems, Problem.Equal)
}

// IsVersion reports whether a slice has the UID and the resourceVersion of the version that was
// read. It is false if either of them is empty, as in tests and files, because empty values do not
// identify a version.
func (s *Slice) IsVersion(slice *discoveryv1.EndpointSlice) bool {
	return s.UID != "" && s.Version != "" && s.Version == slice.ResourceVersion && s.UID == slice.UID
}

// labels returns the labels of a slice that are in o.Labels, or nil if it has none of them.
func (o *Options) labels(slice *discoveryv1.EndpointSlice) (some map[string]string) {
	for _, key := range o.Labels {
		if value, has := slice.Labels[key]; has {
			if some == nil {
				some = map[string]string{}
			}
			some[key] = value
		}
	}
	return some
}

// keep returns the endpoints of the list current, and how they differ from those of the list
// before. Both lists are sorted. For an endpoint that did not change, the result has the pointer
// from before. For any other endpoint it has a pointer to a copy, or, if before is empty, the
// pointer from current.
func keep(before, current []*Endpoint) (after []*Endpoint, c Change) {
	if len(before) == 0 {
		after = slices.Clone(current)
		return after, Change{Added: after}
	}
	after = make([]*Endpoint, len(current))
	kept := 0
	for i, e := range current {
		// == is faster than compare. It is true for most endpoints, because an endpoint that did
		// not change points to the same Shared as before.
		for len(before) > 0 && *before[0] != *e && compare(before[0], e) < 0 {
			c.Removed, before = append(c.Removed, before[0]), before[1:]
		}
		if len(before) > 0 && (*before[0] == *e ||
			compare(before[0], e) == 0 && maps.Equal(before[0].Labels, e.Labels)) {
			after[i], before = before[0], before[1:]
			kept++
		}
	}
	c.Removed = append(c.Removed, before...)
	// The capacity is exact, because pointers into made must stay valid.
	made := make([]Endpoint, 0, len(current)-kept)
	c.Added = make([]*Endpoint, 0, len(current)-kept)
	for i, e := range current {
		if after[i] == nil {
			made = append(made, *e)
			after[i] = &made[len(made)-1]
			c.Added = append(c.Added, after[i])
		}
	}
	return after, c
}

// Distinct appends the indexes of the slices to read, sorted by namespace and name. Slices without
// a name stay in the order of the list. If several slices have the same name, only the newest is
// read, and each other one is a problem, unless it is the same object. A nil slice is a problem. If
// named is set, so is a slice without a name or namespace.
func Distinct(order []int32, list []*discoveryv1.EndpointSlice, named bool, addProblem func(Problem)) []int32 {
	for i, slice := range list {
		if slice == nil {
			addProblem(NilSlice(field.NewPath("slices").Index(i)))
		} else if named && (slice.Name == "" || slice.Namespace == "") {
			addProblem(Unnamed(field.NewPath("slices").Index(i), slice))
		} else {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(i, j int32) int { return CompareNames(NameOf(list[i]), NameOf(list[j])) })
	kept := order[:0]
	for _, i := range order {
		slice := list[i]
		if len(kept) == 0 || slice.Name == "" || NameOf(list[kept[len(kept)-1]]) != NameOf(slice) {
			kept = append(kept, i)
			continue
		}
		last := &kept[len(kept)-1]
		if other := list[*last]; other != slice {
			addProblem(SameName(field.NewPath("slices").Index(int(i)), slice))
			if Newest(other, slice) == slice {
				*last = i
			}
		}
	}
	return kept
}
