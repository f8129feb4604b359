package mcs

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
)

// Families says which IP families a ServiceImport has if its exports have different ones. The zero
// value is Union.
type Families string

const (
	// Union takes the families of all exports, as submariner does. Every endpoint is published, but
	// a client reaches a cluster only by the families that the cluster has. An export that does not
	// have all of these families is a Conflict with the reason IPFamilyConflict.
	Union Families = ""
	// Intersection takes the families that all exports have, as Cilium does. A client reaches every
	// cluster by each family, but endpoints of other families are not published. Exports are taken
	// oldest first. An export that would leave no common family is a Conflict with the reason
	// IPFamilyConflict and does not count, so there is always a family.
	Intersection Families = "Intersection"
)

var allFamilies = []Families{Union, Intersection}

func (how Families) validate() error {
	if slices.Contains(allFamilies, how) {
		return nil
	}
	return accept.NotSupported(field.NewPath("families"), how, "Union", allFamilies)
}

// merge returns the families of the ServiceImport. known has the families of each export, the
// oldest export first.
func (how Families) merge(known [][]corev1.IPFamily) (merged []corev1.IPFamily) {
	for _, families := range known {
		switch common := shared(merged, families); {
		case how == Union || len(merged) == 0:
			merged = distinct(slices.Concat(merged, families))
		case len(common) > 0:
			merged = common
		}
	}
	return merged
}

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

// shared returns the families that are in both lists, in the order of the first.
func shared(a, b []corev1.IPFamily) (both []corev1.IPFamily) {
	for _, f := range a {
		if slices.Contains(b, f) {
			both = append(both, f)
		}
	}
	return both
}

// addFamilies adds the families of the ServiceImport that an export does not have. A client that
// has only such a family does not reach the endpoints of the export. With Intersection, an export
// that counts has all families of the ServiceImport.
func (d *difference) addFamilies(known, merged []corev1.IPFamily) {
	for _, f := range merged {
		if len(known) > 0 && !slices.Contains(known, f) {
			d.add("IPFamilyConflict", "does not have %s", f)
		}
	}
}
