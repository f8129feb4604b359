package service

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// setOf says what every slice of the Service carries, except its address types.
func setOf(svc *corev1.Service, o Options) slicer.Set {
	set := slicer.Set{
		Namespace:   svc.Namespace,
		Name:        svc.Name,
		ManagedBy:   o.ManagedBy,
		Key:         maps.Clone(o.Key),
		Labels:      serviceLabels(svc),
		Created:     svc.CreationTimestamp.Time,
		Terminating: svc.DeletionTimestamp != nil,
	}
	if o.TriggerTime != nil {
		set.TriggerTime = &[]time.Time{*o.TriggerTime}[0]
	}
	if svc.UID != "" {
		yes := [2]bool{true, true}
		set.Owners = []metav1.OwnerReference{{
			APIVersion: "v1", Kind: "Service", Name: svc.Name, UID: svc.UID,
			Controller: &yes[0], BlockOwnerDeletion: &yes[1],
		}}
	}
	return set
}

// serviceLabels are the Service's own without those that mean something on a slice, which a Service may carry by
// mistake, and with the headless one where it is true. nil when there are none.
func serviceLabels(svc *corev1.Service) map[string]string {
	labels := map[string]string{}
	for name, value := range svc.Labels {
		switch name {
		case discoveryv1.LabelServiceName, discoveryv1.LabelManagedBy, corev1.IsHeadlessService:
		default:
			labels[name] = value
		}
	}
	if !hasClusterIP(svc) {
		labels[corev1.IsHeadlessService] = ""
	}
	if len(labels) == 0 {
		return nil
	}
	return labels
}

func hasClusterIP(svc *corev1.Service) bool {
	return svc.Spec.ClusterIP != "" && svc.Spec.ClusterIP != corev1.ClusterIPNone
}

// wants reports whether the Service has slices of this address type: by its ipFamilies; by its cluster IPs where an old
// API server left those unset; and where neither tells, as for a headless Service, both are wanted.
func wants(svc *corev1.Service, addressType discoveryv1.AddressType) bool {
	known := false
	for _, family := range svc.Spec.IPFamilies {
		switch family {
		case corev1.IPFamily(addressType):
			return true
		case corev1.IPv4Protocol, corev1.IPv6Protocol:
			known = true
		}
	}
	if known {
		return false
	}
	if !hasClusterIP(svc) || endpoint.AddressType(svc.Spec.ClusterIP) == addressType {
		return true
	}
	for _, ip := range svc.Spec.ClusterIPs {
		if endpoint.AddressType(ip) == addressType {
			return true
		}
	}
	return false
}
