package tracker

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Set says which slices a Syncer brings up to date.
type Set struct {
	Namespace, Name, ManagedBy string
	// Labels select the slices, of whatever manager. Empty: kubernetes.io/service-name=Name.
	Labels map[string]string
	// Owner and Owners are the objects to which the slices belong. Those without UID do not count.
	Owner  types.UID
	Owners []metav1.OwnerReference
}

// Key returns the labels that select the slices.
func (s *Set) Key() map[string]string {
	if len(s.Labels) > 0 {
		return s.Labels
	}
	return map[string]string{discoveryv1.LabelServiceName: s.Name}
}

// selects reports whether a slice has the labels that select the slices of the set.
func (s *Set) selects(slice *discoveryv1.EndpointSlice) bool {
	for name, value := range s.Key() {
		if has, ok := slice.Labels[name]; !ok || has != value {
			return false
		}
	}
	return true
}

// made reports whether a slice that has a name of the set's was made for it: it has the set's manager, and one of its owners
// unless the set has none.
func (s *Set) made(slice *discoveryv1.EndpointSlice) bool {
	if slice.Labels[discoveryv1.LabelManagedBy] != s.ManagedBy {
		return false
	}
	owned, owners := false, 0
	for _, uid := range s.owners() {
		if uid != "" {
			owners++
			owned = owned || slices.ContainsFunc(slice.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == uid })
		}
	}
	return owned || owners == 0
}

func (s *Set) owners() []types.UID {
	uids := []types.UID{s.Owner}
	for i := range s.Owners {
		uids = append(uids, s.Owners[i].UID)
	}
	return uids
}
