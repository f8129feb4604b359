// Package source validates the slices that a caller passes to copy them or to show them as
// Endpoints.
package source

import (
	"cmp"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/quote"
)

// Path returns the path of the slice at an index of the caller's list.
func Path(index int) *field.Path { return field.NewPath("slices").Index(index) }

// OneService returns an error for each slice that is nil, or that has another namespace or Service
// than the first one.
func OneService(all []*discoveryv1.EndpointSlice, labels ...string) error {
	var faults accept.Faults
	var first *discoveryv1.EndpointSlice
	for i, s := range all {
		path := Path(i)
		if s == nil {
			faults.Add(field.Required(path, "is nil: leave it out"))
			continue
		}
		first = cmp.Or(first, s)
		if s.Namespace != first.Namespace {
			faults.Add(field.Invalid(path.Child("metadata", "namespace"), s.Namespace,
				"give the slices of one Service: others are in "+quote.Text(first.Namespace)))
		}
		for _, label := range append(labels, discoveryv1.LabelServiceName) {
			if a, b := s.Labels[label], first.Labels[label]; a != b {
				faults.Add(field.Invalid(path.Child("metadata", "labels").Key(label), a,
					"give the slices of one Service: others are of "+quote.Text(b)))
			}
		}
	}
	return faults.Err()
}
