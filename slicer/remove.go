package slicer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
)

// Remove returns the writes that delete all slices of a Key, whatever their owners. If there are
// none, Normal says so.
func Remove(k Key, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	m := memories.Get().(*memory)
	defer memories.Put(m)
	defer m.release()
	req := m.request.read(Input{Key: k}, existing)
	var f faults
	f.key(&k)
	f.existing(req)
	if len(f.Faults) > 0 {
		return Plan{}, f.Err()
	}
	var plan Plan
	for _, i := range req.related {
		s := req.existing[i]
		switch req.kindOf(s) {
		case foreign:
		case dying:
			plan.Ignored = append(plan.Ignored, s)
		default:
			plan.Steps = append(plan.Steps, deletion(s, "NothingLeft"))
		}
	}
	if len(plan.Steps)+len(plan.Ignored) == 0 {
		plan.Normal = Notices{nothingRemoved(&k, existing)}
	}
	return plan, nil
}

func deletion(s *discoveryv1.EndpointSlice, why string) Step {
	return Step{Verb: Delete, Old: s, Reasons: []string{why}, Removed: len(s.Endpoints)}
}

// nothingRemoved returns the Notice of a removal that deletes nothing. Slices of another manager or
// with another label may be those that were meant.
func nothingRemoved(k *Key, existing []*discoveryv1.EndpointSlice) Notice {
	managers, labels := 0, 0
	for _, s := range existing {
		switch {
		case s.Labels[discoveryv1.LabelManagedBy] == k.ManagedBy && named(s, k.Name):
			labels++
		case s.Labels[discoveryv1.LabelServiceName] == k.Name:
			managers++
		}
	}
	why := "no slice has the labels of the Key"
	if labels > 0 {
		why += fmt.Sprintf("; %d slices have this ManagedBy: give the MatchLabels with which they were published",
			labels)
	}
	if managers > 0 {
		why += fmt.Sprintf("; %d slices have other managers: if they are yours, give the name in their label %s",
			managers, discoveryv1.LabelManagedBy)
	}
	err := field.Invalid(field.NewPath("key"), k.Namespace+"/"+k.Name, why)
	return Notice{
		Reason: "NothingRemoved", Path: err.Field, Err: err,
		Object: corev1.ObjectReference{Namespace: k.Namespace, Name: k.Name},
	}
}

// named reports whether a label of a slice has the name of a parent.
func named(s *discoveryv1.EndpointSlice, name string) bool {
	for _, value := range s.Labels {
		if value == accept.LabelValue(name) {
			return true
		}
	}
	return false
}

// Orphans returns a plan that deletes the slices of a manager whose parents are gone. alive reports
// whether the parent of a slice exists, from a cache that is at least as new as existing. If no
// parent is alive, there is an error, because the cache of the parents is probably empty: use
// Remove for the last one. If the manager has no slice, Normal says so.
func Orphans(
	managedBy string, existing []*discoveryv1.EndpointSlice, alive func(*discoveryv1.EndpointSlice) bool,
) (Plan, error) {
	var f accept.Faults
	if managedBy == "" {
		f.Add(field.Required(field.NewPath("managedBy"), "name the manager whose slices are looked at"))
	}
	if alive == nil {
		f.Add(field.Required(field.NewPath("alive"),
			"give a function that reports whether the parent of a slice exists"))
	}
	if len(f) > 0 {
		return Plan{}, f.Err()
	}
	var plan Plan
	ours := 0
	for _, s := range existing {
		if s == nil || s.Labels[discoveryv1.LabelManagedBy] != managedBy || s.DeletionTimestamp != nil {
			continue
		}
		if ours++; !alive(s) {
			plan.Steps = append(plan.Steps, deletion(s, "NothingLeft"))
		}
	}
	if ours == 0 {
		err := field.Invalid(field.NewPath("managedBy"), managedBy, "no slice has this manager")
		plan.Normal = Notices{{Reason: "NothingRemoved", Path: err.Field, Err: err}}
	}
	if ours > 0 && len(plan.Steps) == ours {
		return Plan{}, fmt.Errorf("slicer: no parent of the %d slices of %q is alive: "+
			"wait until the cache of the parents is filled", ours, managedBy)
	}
	slices.SortFunc(plan.Steps, func(a, b Step) int {
		return cmp.Or(strings.Compare(a.Old.Namespace, b.Old.Namespace), strings.Compare(a.Old.Name, b.Old.Name))
	})
	return plan, nil
}

// Validate returns what the API server would refuse in a slice, as *field.Errors with the slice's
// own paths, joined by errors.Join, and Notices of what kube-proxy would not use.
func Validate(slice *discoveryv1.EndpointSlice) (Notices, error) {
	if slice == nil {
		return nil, field.Required(field.NewPath("slice"), "is nil: give a slice")
	}
	var unread Notices
	for _, err := range accept.Unread(slice) {
		unread = append(unread, Notice{Reason: "Unread", Path: err.Field, Err: err})
	}
	return unread, accept.Slice(slice).Err()
}
