package slicer

import (
	"maps"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// metadata is what every slice of a set carries.
type metadata struct {
	key         map[string]string // tells our slices from all others, managed-by included
	labels      map[string]string
	annotations map[string]string
	owners      []metav1.OwnerReference

	keepLabels        bool
	removeAnnotations bool
}

func metadataOf(s *Set, o *Options) metadata {
	m := metadata{
		key: make(map[string]string, len(s.Key)+2), annotations: s.Annotations, owners: s.Owners,
		keepLabels: o.KeepForeignLabels, removeAnnotations: o.RemoveForeignAnnotations,
	}
	maps.Copy(m.key, s.Key)
	if len(s.Key) == 0 {
		m.key[discoveryv1.LabelServiceName] = s.Name
	}
	m.key[discoveryv1.LabelManagedBy] = s.ManagedBy
	m.labels = make(map[string]string, len(s.Labels)+len(m.key))
	maps.Copy(m.labels, s.Labels)
	maps.Copy(m.labels, m.key)
	return m
}

// ours reports whether a slice has the labels that tell the set's slices from all others.
func (m *metadata) ours(s *discoveryv1.EndpointSlice) bool { return contains(s.Labels, m.key) }

func contains(has, wanted map[string]string) bool {
	for k, v := range wanted {
		if got, ok := has[k]; !ok || got != v {
			return false
		}
	}
	return true
}

// drift says which parts of a slice's metadata are not as wanted. The trigger time does not count (G10).
func (m *metadata) drift(s *discoveryv1.EndpointSlice) (why reasons) {
	if !contains(s.Labels, m.labels) || !m.keepLabels && len(s.Labels) != len(m.labels) {
		why.add(LabelsChanged)
	}
	foreign := len(s.Annotations) - len(m.annotations)
	if _, ok := s.Annotations[triggerTimeKey]; ok {
		foreign--
	}
	if !contains(s.Annotations, m.annotations) || m.removeAnnotations && foreign != 0 {
		why.add(AnnotationsChanged)
	}
	for i := range m.owners {
		if !m.owned(s.OwnerReferences, &m.owners[i]) {
			why.add(OwnersChanged)
			break
		}
	}
	return why
}

func (m *metadata) owned(has []metav1.OwnerReference, wanted *metav1.OwnerReference) bool {
	for i := range has {
		h := &has[i]
		if h.UID == wanted.UID {
			return h.APIVersion == wanted.APIVersion && h.Kind == wanted.Kind && h.Name == wanted.Name &&
				isTrue(h.Controller) == (isTrue(wanted.Controller) && !m.foreignController(has)) &&
				isTrue(h.BlockOwnerDeletion) == isTrue(wanted.BlockOwnerDeletion)
		}
	}
	return false
}

// foreignController reports whether an owner that is not the set's is the controller: the API server allows only one,
// so that the set's owners are then put in without that flag.
func (m *metadata) foreignController(has []metav1.OwnerReference) bool {
	for i := range has {
		if isTrue(has[i].Controller) && !m.ownerUID(&has[i]) {
			return true
		}
	}
	return false
}

func (m *metadata) ownerUID(o *metav1.OwnerReference) bool {
	for i := range m.owners {
		if m.owners[i].UID == o.UID {
			return true
		}
	}
	return false
}

func isTrue(b *bool) bool { return b != nil && *b }

// copyTo copies of an object's metadata what an update keeps.
func (m *metadata) copyTo(to, from *metav1.ObjectMeta) {
	kept := *from
	if !m.keepLabels {
		kept.Labels = nil
	}
	if m.removeAnnotations {
		kept.Annotations = nil
	}
	kept.DeepCopyInto(to)
}

// apply brings an object's metadata to what is wanted, with a trigger time or, where that is "", without. The object is
// ours to change.
func (m *metadata) apply(o *metav1.ObjectMeta, trigger string) {
	if m.keepLabels && o.Labels != nil {
		maps.Copy(o.Labels, m.labels)
	} else {
		o.Labels = maps.Clone(m.labels)
	}
	if o.Annotations == nil && len(m.annotations)+len(trigger) > 0 {
		o.Annotations = make(map[string]string, len(m.annotations)+1)
	}
	maps.Copy(o.Annotations, m.annotations)
	if trigger != "" {
		o.Annotations[triggerTimeKey] = trigger
	} else {
		delete(o.Annotations, triggerTimeKey)
	}
	m.applyOwners(o)
}

func (m *metadata) applyOwners(o *metav1.ObjectMeta) {
	foreign := m.foreignController(o.OwnerReferences)
	for i := range m.owners {
		if m.owned(o.OwnerReferences, &m.owners[i]) {
			continue
		}
		wanted := *m.owners[i].DeepCopy()
		if foreign && isTrue(wanted.Controller) {
			*wanted.Controller = false
		}
		put := false
		for j := range o.OwnerReferences {
			if o.OwnerReferences[j].UID == wanted.UID {
				o.OwnerReferences[j], put = wanted, true
				break
			}
		}
		if !put {
			o.OwnerReferences = append(o.OwnerReferences, wanted)
		}
	}
}
