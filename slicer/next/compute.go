package slicer

import (
	"errors"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Compute returns the writes that make the existing slices hold exactly the wanted endpoints, and
// those that stay because their objects are Pending. It is pure. existing are the slices that
// Key.Selector selects, of any age; more do no harm. If a create fails because its name is taken,
// get that slice and give it in existing.
//
// A refused endpoint is no error but a Notice in Warnings whose Path names its place in the Input.
// The error is a *field.Error for each mistake in the Input, joined by errors.Join.
func Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	if in.Unmanaged {
		return Plan{Warnings: in.Warnings, Normal: in.Normal, Retry: in.Retry}, nil
	}
	if errs := mistakesInPending(&in); len(errs) > 0 {
		return Plan{}, errors.Join(errs...)
	}
	if len(in.Pending) > 0 {
		ours := slices.DeleteFunc(slices.Clone(existing), func(s *discoveryv1.EndpointSlice) bool {
			return !in.Key.Selector().Matches(labels.Set(s.Labels)) || s.DeletionTimestamp != nil ||
				s.Labels[discoveryv1.LabelManagedBy] != in.Key.ManagedBy
		})
		in = keepPending(in, ours)
	}
	return compute(in, existing)
}

// Orphans returns a plan that deletes the slices of a manager whose parents are gone. alive reports
// whether the parent of a slice exists; it must not be older than existing. If no parent is alive,
// there is an error, because the cache of the parents is probably empty: use Remove for the last
// one.
func Orphans(
	managedBy string, existing []*discoveryv1.EndpointSlice, alive func(*discoveryv1.EndpointSlice) bool,
) (Plan, error) {
	return Plan{}, errors.New("to come")
}
