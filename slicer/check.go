package slicer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
)

// Unread: the API server accepts a part of a slice that kube-proxy and other readers do not use.
// Only [Check] returns Skips with this reason.
const Unread SkipReason = "Unread"

// Check returns what is wrong with one slice that a person wrote. Use it in an admission webhook,
// or before a manifest is applied. It does not change the slice.
//
// err lists everything that the API server would refuse if the slice were created. It is made of
// *field.Errors, joined by errors.Join. The rules are those of ValidateEndpointSliceCreate in
// Kubernetes 1.37, applied after missing names and protocols of ports have got their defaults. If
// err is nil, the API server accepts the slice. A nil slice is an error.
//
// unread lists what the API server accepts and readers do not use, for example every address of an
// endpoint but the first. Each Skip has the reason [Unread]. A correct slice may have such Skips if
// its readers find it by another label than kubernetes.io/service-name, or if they use FQDN
// addresses. If there is nothing to list, unread is nil.
//
// The paths of both are relative to the slice, as in endpoints[3].addresses[0].
func Check(slice *discoveryv1.EndpointSlice) (unread Skips, err error) {
	if slice == nil {
		return nil, field.Required(field.NewPath("slice"), "is nil: give a slice")
	}
	for _, err := range accept.Unread(slice) {
		unread = append(unread, Skip{Reason: Unread, AddressType: slice.AddressType, Path: err.Field, Err: err})
	}
	return unread, accept.Slice(slice).Err()
}

// Orphans returns the slices that a manager published for parents that no longer exist, sorted by
// namespace and name. No sync will delete these slices, because nothing syncs their parents any
// more. If such a slice has no owner reference to its parent, the garbage collector does not delete
// it either. Delete each slice with its UID and resourceVersion as preconditions. Orphans itself
// deletes nothing and changes nothing. If no parent is gone, the result is nil.
//
// managedBy is the value of the label endpointslice.kubernetes.io/managed-by. Slices of other
// managers, slices that are being deleted and nil slices are left out. alive reports whether the
// parent of a slice exists, usually by looking in a cache for the Service that the label
// kubernetes.io/service-name names. alive is called once for each slice that is not left out, in
// the order of existing.
//
// If the manager has slices and no parent is alive, Orphans returns an error, because the cache of
// the parents is then probably not filled yet. An empty managedBy and a nil alive are
// *field.Errors.
func Orphans(
	managedBy string, existing []*discoveryv1.EndpointSlice, alive func(slice *discoveryv1.EndpointSlice) bool,
) ([]*discoveryv1.EndpointSlice, error) {
	var f accept.Faults
	if managedBy == "" {
		f.Add(field.Required(field.NewPath("managedBy"), "name the manager whose slices are looked at"))
	}
	if alive == nil {
		f.Add(field.Required(field.NewPath("alive"),
			"give a function that reports whether the parent of a slice exists"))
	}
	if len(f) > 0 {
		return nil, f.Err()
	}
	var orphans []*discoveryv1.EndpointSlice
	ours := 0
	for _, s := range existing {
		if s == nil || s.Labels[discoveryv1.LabelManagedBy] != managedBy || s.DeletionTimestamp != nil {
			continue
		}
		if ours++; !alive(s) {
			orphans = append(orphans, s)
		}
	}
	if ours > 0 && len(orphans) == ours {
		return nil, fmt.Errorf("slicer: no parent of the %d slices of %q is alive: "+
			"wait until the cache of the parents is filled", ours, managedBy)
	}
	slices.SortFunc(orphans, func(a, b *discoveryv1.EndpointSlice) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return orphans, nil
}
