package tracker

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Set identifies the slices that a Syncer brings up to date.
type Set struct {
	slicer.Key
	// Owners are the objects that own the slices. Objects without a UID do not count.
	Owners []metav1.OwnerReference
	// Adopt names slices that are looked up until they have the labels of the set.
	Adopt []string
}

// Labels returns the labels that select the slices of all managers.
func (s *Set) Labels() map[string]string {
	if len(s.MatchLabels) > 0 {
		return s.MatchLabels
	}
	return map[string]string{discoveryv1.LabelServiceName: s.Name}
}

// selects reports whether a slice has the labels that select the slices of the set.
func (s *Set) selects(slice *discoveryv1.EndpointSlice) bool {
	if len(s.MatchLabels) == 0 {
		return slice.Labels[discoveryv1.LabelServiceName] == s.Name
	}
	for name, value := range s.MatchLabels {
		if has, ok := slice.Labels[name]; !ok || has != value {
			return false
		}
	}
	return true
}

// made reports whether a slice was written for this set: it has the set's manager, and one of the
// set's owners. If the set has no owners, the manager is enough. found calls made for a slice that
// has a name for which the API server refused a create.
func (s *Set) made(slice *discoveryv1.EndpointSlice) bool {
	if slice.Labels[discoveryv1.LabelManagedBy] != s.ManagedBy {
		return false
	}
	owned, owners := false, 0
	for i := range s.Owners {
		if uid := s.Owners[i].UID; uid != "" {
			owners++
			has := func(o metav1.OwnerReference) bool { return o.UID == uid }
			owned = owned || slices.ContainsFunc(slice.OwnerReferences, has)
		}
	}
	return owned || owners == 0
}
