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

// Unread is the reason for what the API server accepts, and kube-proxy and other readers do not
// use. Only [Check] gives it.
const Unread SkipReason = "Unread"

// Check returns what is wrong with one slice that a person wrote: for an admission webhook, or
// before a manifest is applied. It does not change the slice.
//
// err is what the API server would refuse if the slice were created, as *field.Errors joined by
// errors.Join. The rules are those of ValidateEndpointSliceCreate in Kubernetes 1.37, after the
// defaults for the names and protocols of ports. nil: the API server accepts the slice.
//
// unread is what the API server accepts and readers do not use, for example every address of an
// endpoint but the first. Each has the reason [Unread]. Some of it may be listed although the slice
// is right: if its readers use another label than kubernetes.io/service-name, or FQDN addresses.
// nil: there is nothing.
//
// The paths of both begin in the slice, such as endpoints[3].addresses[0]. A nil slice is an error.
func Check(slice *discoveryv1.EndpointSlice) (unread Skips, err error) {
	if slice == nil {
		return nil, field.Required(field.NewPath("slice"), "is nil: give a slice")
	}
	for _, err := range accept.Unread(slice) {
		unread = append(unread, Skip{Reason: Unread, AddressType: slice.AddressType, Path: err.Field, Err: err})
	}
	return unread, accept.Slice(slice).Err()
}

// Orphans returns the slices of a manager whose parent is gone, sorted by namespace and name:
// slices that no sync will delete, because nothing syncs their parent any more. They stay behind if
// owner references are missing, or point to another object than the parent. Delete each with its
// UID and resourceVersion as preconditions. Orphans deletes nothing and changes nothing.
//
// managedBy is the value of the label endpointslice.kubernetes.io/managed-by. Slices of other
// managers and slices that are being deleted are left out; nil slices are, too. alive reports
// whether the parent of a slice exists: usually whether a cache has the Service that the label
// kubernetes.io/service-name names. It is called once for each slice, in the order of existing.
//
// If the manager has slices and no parent is alive, the result is an error: the cache of the
// parents is then probably not filled yet. An empty managedBy and a nil alive are a *field.Error.
// If no parent is gone, the result is nil.
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
