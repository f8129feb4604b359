package mcs

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// distinct returns the IP families in a list, each once, in the order of the list. It returns nil
// if there are none.
func distinct(list []corev1.IPFamily) (families []corev1.IPFamily) {
	for _, f := range list {
		if (f == corev1.IPv4Protocol || f == corev1.IPv6Protocol) && !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	return families
}

// addFamilies adds the families of the ServiceImport that an export does not have. A client that
// has only such a family does not reach the endpoints of the export.
func (d *difference) addFamilies(known, merged []corev1.IPFamily) {
	for _, f := range merged {
		if len(distinct(known)) > 0 && !slices.Contains(known, f) {
			d.add("IPFamilyConflict", "does not have %s", f)
		}
	}
}
