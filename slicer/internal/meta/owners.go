package meta

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Controls reports whether an owner is the controller of its slices.
func Controls(o metav1.OwnerReference) bool { return isTrue(o.Controller) }

// ControlledByAnother reports whether the controlling owner of a slice is none of the wanted owners
// and is no earlier object of the same kind and name either. Without wanted owners, no slice is
// controlled by another.
func ControlledByAnother(has, wanted []metav1.OwnerReference) bool {
	c := slices.IndexFunc(has, Controls)
	if c < 0 || len(wanted) == 0 {
		return false
	}
	return !slices.ContainsFunc(wanted, func(w metav1.OwnerReference) bool {
		return w.UID != "" && w.UID == has[c].UID || w.Kind == has[c].Kind && w.Name == has[c].Name
	})
}

// StaleOwner reports whether a slice belongs to an earlier owner of the same kind and name.
func StaleOwner(has, wanted []metav1.OwnerReference) bool {
	stale := false
	for i := range has {
		for j := range wanted {
			h, w := &has[i], &wanted[j]
			if h.UID == w.UID {
				return false
			}
			stale = stale || h.Kind == w.Kind && h.Name == w.Name
		}
	}
	return stale
}
