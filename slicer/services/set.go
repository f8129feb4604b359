package services

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// set returns the Set of the Service. It shares memory with the derivation, the Service and the
// Options.
func (d *derivation) set() slicer.Set {
	svc, o := d.service, &d.options
	set := slicer.Set{
		Namespace: svc.Namespace, Name: svc.Name, ManagedBy: o.ManagedBy, Key: d.keyLabels(), NamePrefix: o.NamePrefix,
		Adopt:  o.Adopt,
		Labels: d.serviceLabels(), Annotations: o.Annotations,
		Created: svc.CreationTimestamp.Time, Terminating: svc.DeletionTimestamp != nil,
	}
	if s := d.selection; s != nil {
		set.Labels = o.Labels
		set.Owners = s.Owners
		set.AddressTypes = o.AddressTypes
		return set
	}
	for i, addressType := range endpoint.Families {
		if d.families[i] {
			d.forSet.types = append(d.forSet.types, addressType)
		}
	}
	set.AddressTypes = d.forSet.types
	d.forSet.yes = [2]bool{true, true}
	d.forSet.owners = append(d.forSet.owners, metav1.OwnerReference{
		APIVersion: "v1", Kind: "Service", Name: svc.Name, UID: svc.UID,
		Controller: &d.forSet.yes[0], BlockOwnerDeletion: &d.forSet.yes[1],
	})
	set.Owners = d.forSet.owners
	return set
}

// owned returns the result of derive, with a Set that shares no memory with the Service and the
// Options.
func owned(in slicer.Input, err error) (slicer.Input, error) {
	set := &in.Set
	set.Labels, set.Annotations = maps.Clone(set.Labels), maps.Clone(set.Annotations)
	set.Adopt = slices.Clone(set.Adopt)
	return in, err
}

// keyLabels returns the labels of the set's Key, or nil for the default. They share memory with the
// derivation.
func (d *derivation) keyLabels() map[string]string {
	if d.options.KeyLabel == "" {
		return nil
	}
	if d.forSet.key == nil {
		d.forSet.key = map[string]string{}
	}
	d.forSet.key[d.options.KeyLabel] = accept.LabelValue(d.service.Name)
	return d.forSet.key
}

// serviceLabels returns the labels of slices: the Service's own labels, then the labels of the
// options, then the headless label if the Service is headless. A later label replaces an earlier
// one with the same name. The Service's labels that have a meaning on slices are left out, because
// a Service may have them by mistake.
func (d *derivation) serviceLabels() map[string]string {
	svc := d.service
	reserved := func(name string) bool { _, has := svc.Labels[name]; return has }
	if !isHeadless(svc) && len(d.options.Labels) == 0 && !slices.ContainsFunc(endpoint.ReservedLabels[:], reserved) {
		return svc.Labels
	}
	if d.forSet.labels == nil {
		d.forSet.labels = map[string]string{}
	}
	list := d.forSet.labels
	for name, value := range svc.Labels {
		if !slices.Contains(endpoint.ReservedLabels[:], name) {
			list[name] = value
		}
	}
	maps.Copy(list, d.options.Labels)
	if isHeadless(svc) {
		list[corev1.IsHeadlessService] = ""
	}
	return list
}

// clusterIP returns the cluster IP of a Service. It is None if the Service is headless, and "" if
// the Service does not come from an API server, which sets it.
func clusterIP(svc *corev1.Service) string {
	ip := svc.Spec.ClusterIP
	for i := 0; ip == "" && i < len(svc.Spec.ClusterIPs); i++ {
		ip = svc.Spec.ClusterIPs[i]
	}
	return ip
}

// isHeadless reports whether the cluster IP of a Service is None.
func isHeadless(svc *corev1.Service) bool { return clusterIP(svc) == corev1.ClusterIPNone }
