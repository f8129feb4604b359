package tracker

import (
	"cmp"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Set identifies the slices that a Syncer brings up to date.
type Set struct {
	Namespace, Name, ManagedBy string
	// Labels select the slices of all managers. If empty, they are kubernetes.io/service-name=Name.
	Labels map[string]string
	// Owner and Owners are the objects that own the slices. Objects without a UID do not count.
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
	if len(s.Labels) == 0 {
		return slice.Labels[discoveryv1.LabelServiceName] == s.Name
	}
	for name, value := range s.Labels {
		if has, ok := slice.Labels[name]; !ok || has != value {
			return false
		}
	}
	return true
}

// check returns an error if a plan writes slices that the labels do not select, because the cache
// would never show such slices.
func (s *Set) check(plan *slicer.Plan) error {
	for i := range plan.Steps {
		slice := plan.Steps[i].New
		if slice == nil {
			continue
		}
		managedBy := slice.Labels[discoveryv1.LabelManagedBy]
		if slice.Namespace != s.Namespace || managedBy != s.ManagedBy || !s.selects(slice) {
			return field.Invalid(field.NewPath("set"), s.Namespace+"/"+s.Name, fmt.Sprintf(
				"the plan writes slices with other labels, or in another namespace, such as %s with %v: "+
					"give the set of the plan", cmp.Or(slice.Name, slice.GenerateName), slice.Labels))
		}
	}
	return nil
}

// made reports whether a slice was written for this set: it has the set's manager, and one of the
// set's owners. If the set has no owners, the manager is enough. found calls made for a slice that
// has a name for which the API server refused a create.
func (s *Set) made(slice *discoveryv1.EndpointSlice) bool {
	if slice.Labels[discoveryv1.LabelManagedBy] != s.ManagedBy {
		return false
	}
	owned, owners := false, 0
	for _, uid := range s.owners() {
		if uid != "" {
			owners++
			has := func(o metav1.OwnerReference) bool { return o.UID == uid }
			owned = owned || slices.ContainsFunc(slice.OwnerReferences, has)
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
