// Package meta sets the metadata of slices: the labels, annotations and owners of a set, the
// metadata that an update keeps, and stable names.
package meta

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Drift says which parts of a slice's metadata are not as wanted.
type Drift struct{ Labels, Annotations, Owners bool }

// Label is a label with its value.
type Label struct{ Name, Value string }

// Metadata is the metadata that every slice of a set has.
type Metadata struct {
	Key         []Label           // distinguishes our slices from all others; managed-by is last
	Labels      map[string]string // Key wins over these
	Annotations map[string]string
	Owners      []metav1.OwnerReference
	KeepLabels  bool
}

// OfParent reports whether a slice has the labels of the set's parent. The slice may have any
// manager.
func (m *Metadata) OfParent(s *discoveryv1.EndpointSlice) bool {
	return have(s.Labels, m.Key[:len(m.Key)-1])
}

// Ours reports whether a slice has the labels that distinguish the set's slices from all others.
func (m *Metadata) Ours(s *discoveryv1.EndpointSlice) bool {
	return have(s.Labels, m.Key)
}

// OfOther reports whether a slice belongs to another parent: it has a label of the key, apart from
// managed-by, with another value.
func (m *Metadata) OfOther(s *discoveryv1.EndpointSlice) bool {
	return slices.ContainsFunc(m.Key[:len(m.Key)-1], func(l Label) bool {
		value, ok := s.Labels[l.Name]
		return ok && value != l.Value
	})
}

func have(labels map[string]string, wanted []Label) bool {
	return !slices.ContainsFunc(wanted, func(l Label) bool { return !has(labels, l.Name, l.Value) })
}

func has(texts map[string]string, name, wanted string) bool {
	value, ok := texts[name]
	return ok && value == wanted
}

// labelled reports whether the labels of a slice are the wanted ones.
func (m *Metadata) labelled(s *discoveryv1.EndpointSlice) bool {
	if !m.Ours(s) {
		return false
	}
	count := len(m.Key)
	for name, value := range m.Labels {
		if slices.ContainsFunc(m.Key, func(l Label) bool { return l.Name == name }) {
			continue
		}
		if !has(s.Labels, name, value) {
			return false
		}
		count++
	}
	return m.KeepLabels || len(s.Labels) == count
}

// Drift says which parts of a slice's metadata are not as wanted. The trigger time does not count.
func (m *Metadata) Drift(s *discoveryv1.EndpointSlice) (d Drift) {
	d.Labels = !m.labelled(s)
	for name, value := range m.Annotations {
		d.Annotations = d.Annotations || !has(s.Annotations, name, value)
	}
	for i := range m.Owners {
		d.Owners = d.Owners || !m.owned(s.OwnerReferences, &m.Owners[i])
	}
	return d
}

func (m *Metadata) owned(has []metav1.OwnerReference, wanted *metav1.OwnerReference) bool {
	i := indexOf(has, wanted)
	return i >= 0 &&
		has[i].APIVersion == wanted.APIVersion && has[i].Kind == wanted.Kind && has[i].Name == wanted.Name &&
		isTrue(has[i].Controller) == (isTrue(wanted.Controller) && !m.foreignController(has)) &&
		isTrue(has[i].BlockOwnerDeletion) == isTrue(wanted.BlockOwnerDeletion)
}

// indexOf finds an owner by its UID.
func indexOf(owners []metav1.OwnerReference, wanted *metav1.OwnerReference) int {
	return slices.IndexFunc(owners, func(o metav1.OwnerReference) bool { return o.UID == wanted.UID })
}

// foreignController reports whether an owner that is not one of the set's owners is the controller.
// The API server allows only one controller, so the set's owners are then written without that
// flag.
func (m *Metadata) foreignController(has []metav1.OwnerReference) bool {
	return slices.ContainsFunc(has, func(o metav1.OwnerReference) bool {
		return Controls(o) && indexOf(m.Owners, &o) < 0
	})
}

func isTrue(b *bool) bool { return b != nil && *b }

// CopyTo copies the part of an object's metadata that an update keeps.
func (m *Metadata) CopyTo(to, from *metav1.ObjectMeta) {
	kept := *from
	if !m.KeepLabels {
		kept.Labels = nil
	}
	kept.DeepCopyInto(to)
}

// Apply changes an object's metadata to what is wanted. If trigger is "", the object gets no
// trigger time. The caller must own the object.
func (m *Metadata) Apply(o *metav1.ObjectMeta, trigger string) {
	if !m.KeepLabels || o.Labels == nil {
		o.Labels = make(map[string]string, len(m.Labels)+len(m.Key))
	}
	maps.Copy(o.Labels, m.Labels)
	for _, l := range m.Key {
		o.Labels[l.Name] = l.Value
	}
	if o.Annotations == nil && len(m.Annotations)+len(trigger) > 0 {
		o.Annotations = make(map[string]string, len(m.Annotations)+1)
	}
	maps.Copy(o.Annotations, m.Annotations)
	if trigger != "" {
		o.Annotations[corev1.EndpointsLastChangeTriggerTime] = trigger
	} else {
		delete(o.Annotations, corev1.EndpointsLastChangeTriggerTime)
	}
	m.applyOwners(o)
}

func (m *Metadata) applyOwners(o *metav1.ObjectMeta) {
	foreign := m.foreignController(o.OwnerReferences)
	for i := range m.Owners {
		if m.owned(o.OwnerReferences, &m.Owners[i]) {
			continue
		}
		wanted := *m.Owners[i].DeepCopy()
		if foreign && isTrue(wanted.Controller) {
			*wanted.Controller = false
		}
		if j := indexOf(o.OwnerReferences, &wanted); j >= 0 {
			o.OwnerReferences[j] = wanted
		} else {
			o.OwnerReferences = append(o.OwnerReferences, wanted)
		}
	}
}
