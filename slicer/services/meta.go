package services

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

func nameOf(svc *corev1.Service) types.NamespacedName {
	return types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name}
}

// setMeta sets the metadata of the slices and their address types.
func (d *derivation) setMeta() {
	svc := d.service
	d.input.Meta = slicer.Meta{
		CreationTimestamp: svc.CreationTimestamp.Time, Terminating: svc.DeletionTimestamp != nil,
	}
	if s := d.selection; s != nil {
		for i := range s.OwnerReferences {
			d.input.Meta.OwnerReferences = append(d.input.Meta.OwnerReferences, *s.OwnerReferences[i].DeepCopy())
		}
		d.input.Options.AddressTypes = slices.Clone(d.options.AddressTypes)
		return
	}
	d.input.Meta.Labels = serviceLabels(svc)
	d.input.Options.AddressTypes = d.shared.types[:0]
	for i, addressType := range endpoint.Families {
		if d.families[i] {
			d.input.Options.AddressTypes = append(d.input.Options.AddressTypes, addressType)
		}
	}
	d.shared.owners[0] = metav1.OwnerReference{
		APIVersion: "v1", Kind: "Service", Name: svc.Name, UID: svc.UID,
		Controller: &d.shared.yes[0], BlockOwnerDeletion: &d.shared.yes[1],
	}
	d.input.Meta.OwnerReferences = d.shared.owners[:]
}

// serviceLabels returns the labels of slices: the Service's own labels without those that have a
// meaning on slices, which a Service may have by mistake, and the headless label if the Service is
// headless.
func serviceLabels(svc *corev1.Service) map[string]string {
	list := maps.Clone(svc.Labels)
	for _, name := range endpoint.ReservedLabels {
		delete(list, name)
	}
	if isHeadless(svc) {
		if list == nil {
			list = map[string]string{}
		}
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

// isHeadless reports whether a Service has no cluster IP. As in Kubernetes, an empty one counts as
// None.
func isHeadless(svc *corev1.Service) bool {
	ip := clusterIP(svc)
	return ip == corev1.ClusterIPNone || ip == ""
}
