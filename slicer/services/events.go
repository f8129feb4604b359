package services

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// The functions of this file report which events of a watch need a sync. They compare the fields
// that the derivation reads. If you make the derivation read another field, compare that field
// here; TestPodChanged and the tests next to it fail until then.

// Selector selects the Pods of a Service in a list or a cache. It selects nothing if the Service
// has no selector or is an ExternalName.
func Selector(svc *corev1.Service) labels.Selector {
	if svc == nil || svc.Spec.Type == corev1.ServiceTypeExternalName || len(svc.Spec.Selector) == 0 {
		return labels.Nothing()
	}
	return labels.SelectorFromSet(svc.Spec.Selector)
}

// Selects reports whether a Service selects a Pod. It is for events of Pods.
func Selects(svc *corev1.Service, pod *corev1.Pod) bool {
	return svc != nil && pod != nil && pod.Namespace == svc.Namespace && len(svc.Spec.Selector) > 0 &&
		svc.Spec.Type != corev1.ServiceTypeExternalName && has(pod.Labels, svc.Spec.Selector)
}

// PodChanged reports whether an event of a Pod can change a plan. A nil old is an added object, a
// nil now a deleted one. If it is true, sync each Service that selects the old or the new Pod.
func PodChanged(old, now *corev1.Pod, o Options) bool {
	if old == nil || now == nil {
		return old != now
	}
	if old.Namespace != now.Namespace || old.Name != now.Name || old.UID != now.UID ||
		!maps.Equal(old.Labels, now.Labels) {
		return true
	}
	if was, is := conditions.Finished(old), conditions.Finished(now); was || is {
		return was != is
	}
	return !sameState(old, now) || !sameAddresses(old, now, o) ||
		!slices.Equal(declaredBy(nil, old), declaredBy(nil, now))
}

// ServiceChanged is PodChanged for a Service.
func ServiceChanged(old, now *corev1.Service) bool {
	if old == nil || now == nil {
		return old != now
	}
	a, b := &old.Spec, &now.Spec
	return old.Namespace != now.Namespace || old.Name != now.Name || old.UID != now.UID ||
		!maps.Equal(old.Labels, now.Labels) ||
		!old.CreationTimestamp.Time.Equal(now.CreationTimestamp.Time) ||
		(old.DeletionTimestamp == nil) != (now.DeletionTimestamp == nil) ||
		a.Type != b.Type || !maps.Equal(a.Selector, b.Selector) || !slices.EqualFunc(a.Ports, b.Ports, samePort) ||
		a.ClusterIP != b.ClusterIP || !slices.Equal(a.ClusterIPs, b.ClusterIPs) ||
		!slices.Equal(a.IPFamilies, b.IPFamilies) ||
		a.PublishNotReadyAddresses != b.PublishNotReadyAddresses || hints.ModeOf(old) != hints.ModeOf(now) ||
		// a Notice shows an unknown value
		endpoint.Text(a.TrafficDistribution) != endpoint.Text(b.TrafficDistribution) || modeText(old) != modeText(now)
}

// modeText returns the parts of the topology mode that a Notice shows.
func modeText(svc *corev1.Service) [2]string {
	name, value := topologyMode(svc)
	return [2]string{name, value}
}

// NodeChanged is PodChanged for a Node: sync all Services that have a Pod on it. If the weights of
// zones change, which hints.Weights.Equal tells, sync all Services with hints.
func NodeChanged(old, now *corev1.Node) bool {
	if old == nil || now == nil {
		return old != now
	}
	return old.Name != now.Name || old.Labels[corev1.LabelTopologyZone] != now.Labels[corev1.LabelTopologyZone]
}

// SliceChanged is PodChanged for a slice. Only slices with ManagedBy and NameLabel count. An event
// of a program's own write counts as well, because it looks like the write of another program.
func SliceChanged(old, now *discoveryv1.EndpointSlice, o Options) bool {
	_, was := o.ParentOf(old)
	_, is := o.ParentOf(now)
	if !was || !is {
		return was != is
	}
	a, b := *old, *now
	a.ResourceVersion, b.ResourceVersion = "", ""
	a.ManagedFields, b.ManagedFields = nil, nil
	return !reflect.DeepEqual(&a, &b)
}

// has reports whether all wanted labels are there.
func has(have, wanted map[string]string) bool {
	for name, want := range wanted {
		if value, ok := have[name]; !ok || value != want {
			return false
		}
	}
	return true
}

// sameState compares the Node, and the fields from which hostname, conditions and trigger time are
// made.
func sameState(old, now *corev1.Pod) bool {
	a, b := &old.Spec, &now.Spec
	return a.NodeName == b.NodeName && a.Hostname == b.Hostname && a.Subdomain == b.Subdomain &&
		conditions.FromPod(old, false) == conditions.FromPod(now, false) && readySince(old).Equal(readySince(now))
}

func sameAddresses(old, now *corev1.Pod, o Options) bool {
	d := derivation{options: o}
	was, wasErr := d.addressesOf(old)
	was = slices.Clone(was) // the next call may reuse the memory of was
	is, isErr := d.addressesOf(now)
	if wasErr != nil || isErr != nil {
		return wasErr != nil && isErr != nil && wasErr.Error() == isErr.Error()
	}
	onlyPodIP := func(pod *corev1.Pod) bool { return len(pod.Status.PodIPs) == 0 && pod.Status.PodIP != "" }
	return slices.Equal(was, is) && (o.Addresses != nil || onlyPodIP(old) == onlyPodIP(now)) // a Notice shows it
}

// samePort compares all fields of a Service's port except nodePort, which nothing in this package
// reads.
func samePort(a, b corev1.ServicePort) bool {
	a.NodePort = b.NodePort
	return reflect.DeepEqual(a, b)
}
