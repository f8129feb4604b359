// Package content is what one slice says: its ports, its endpoints in order and each once, and what cannot be used, as values
// that keep nothing of the slice but strings. What a Reader returns once never changes. Beside it is what decides between slices.
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

// Slice is what a slice says. It never changes.
type Slice struct {
	Origin
	UID       types.UID
	Version   string               // resourceVersion
	Headless  bool                 // it has the label of slices of headless Services
	Service   types.NamespacedName // without a name if the slice does not say whose it is
	Ports     []Port               // by name and protocol, each once
	Endpoints []*Endpoint          // in the order of addresses, each once
	Problems  []Problem
}

// Change is how the endpoints of a slice differ from those that it had before, in order. An endpoint that changed is in both lists.
type Change struct {
	Removed, Added []*Endpoint
}

// NameOf is the identity of a slice.
func NameOf(slice *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
}

// CompareNames orders by namespace, then by name.
func CompareNames(a, b types.NamespacedName) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// Alike reports whether readers of two versions of a slice with the same endpoints see no difference.
func (s *Slice) Alike(t *Slice) bool {
	return s.Service == t.Service && s.Headless == t.Headless && slices.Equal(s.Ports, t.Ports) && slices.EqualFunc(s.Problems, t.Problems, Problem.Equal)
}

// IsVersion reports whether a slice is the version that was read, by UID and resourceVersion.
func (s *Slice) IsVersion(slice *discoveryv1.EndpointSlice) bool {
	return s.UID != "" && s.Version != "" && s.Version == slice.ResourceVersion && s.UID == slice.UID
}

// labels returns the labels of a slice that the options ask for; nil for none.
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

// keep returns the endpoints of now, and how they differ from before. For an endpoint that did not change it returns the one of
// before, for others a copy; without any before it returns those of now themselves. Both lists are in order.
func keep(before, now []*Endpoint) (after []*Endpoint, c Change) {
	if len(before) == 0 {
		after = slices.Clone(now)
		return after, Change{Added: after}
	}
	after = make([]*Endpoint, len(now))
	kept := 0
	for i, e := range now {
		for len(before) > 0 && *before[0] != *e && compare(before[0], e) < 0 {
			c.Removed, before = append(c.Removed, before[0]), before[1:]
		}
		if len(before) > 0 && (*before[0] == *e || compare(before[0], e) == 0 && maps.Equal(before[0].Labels, e.Labels)) {
			after[i], before = before[0], before[1:]
			kept++
		}
	}
	c.Removed = append(c.Removed, before...)
	made := make([]Endpoint, 0, len(now)-kept)
	c.Added = make([]*Endpoint, 0, len(now)-kept)
	for i, e := range now {
		if after[i] == nil {
			made = append(made, *e)
			after[i] = &made[len(made)-1]
			c.Added = append(c.Added, after[i])
		}
	}
	return after, c
}

// Distinct appends the indexes of the slices of a list that count, by namespace and name, those without a name in the order of
// the list. Of several slices with one name the newest counts. setAside is called for the others of that name, for nil, and, if
// named is set, for slices without name or namespace.
func Distinct(order []int32, list []*discoveryv1.EndpointSlice, named bool, setAside func(Problem)) []int32 {
	for i, slice := range list {
		if slice == nil {
			setAside(NilSlice(field.NewPath("slices").Index(i)))
		} else if named && (slice.Name == "" || slice.Namespace == "") {
			setAside(Unnamed(field.NewPath("slices").Index(i), slice))
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
			setAside(SameName(field.NewPath("slices").Index(int(i)), slice))
			if Newest(other, slice) == slice {
				*last = i
			}
		}
	}
	return kept
}
