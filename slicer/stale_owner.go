package slicer

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// staleOwner reports whether a slice belongs to an earlier owner of the same kind and name (G9).
func staleOwner(has, wanted []metav1.OwnerReference) bool {
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
