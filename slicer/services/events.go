package services

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// The functions of this file report which events of a watch need a sync. They compare the fields
// that the derivation reads. If you make the derivation read another field, compare that field
// here; TestPodMatters and the tests next to it fail until then.

// PodMatters reports whether an event of a Pod can change what [Plan] returns with these options,
// for any Service and any existing slices. old is nil if the Pod was added, and now is nil if it
// was deleted. If both are nil, the result is false.
//
// If the result is false, the old and the new Pod give the same plans, with the same Skips and
// trigger times. If it is true, sync each Service for which [Selects] is true of the old or of the
// new Pod. For a tombstone of an informer (cache.DeletedFinalStateUnknown), pass the object in its
// field Obj.
//
// PodMatters compares namespace, name, UID, labels and whether the Pod has finished. If it has not,
// it also compares whether the Pod is being deleted, the Ready condition, Node, hostname,
// subdomain, addresses, and the ports of containers and restartable init containers. It reads only
// the option Addresses, which it calls for both Pods. Two errors with the same text count as
// equal. ZoneFromPod needs no comparison of its own, because it reads a label.
//
// Collect events for some tenths of a second before a sync. One sync for many Pods writes each
// slice once, but each Pod is published later. Each row is a run of two rolling updates of 150 Pods
// on a real API server with a publish.Syncer. The delay of a Pod is the time from its condition
// Ready until a client that watches the slices sees it as ready:
//
//	from a change to the sync    writes    median delay
//	0                            559       0.02 s
//	0.1 s                        209       0.11 s
//	0.5 s                         64       0.32 s
//	1 s                           36       0.53 s
//
// The Syncer waits until its cache shows its last write. Without that wait, the API server also
// refused 101 writes in the first row and 2 in the second. In the handler of an event, call
// queue.AddAfter(key, period) of client-go or controller-runtime instead of Add: further events do
// not postpone a key that is already queued. The program examples/programs/multus does so.
func PodMatters(old, now *corev1.Pod, o Options) bool {
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

// Selects reports whether [Plan] publishes the Pod for the Service: both are in one namespace, the
// selector matches, and [Managed] returns Publishable for Pods. If either is nil, the result is
// false.
func Selects(svc *corev1.Service, pod *corev1.Pod) bool {
	return pod != nil && managed(svc, true) == Publishable && pod.Namespace == svc.Namespace &&
		has(pod.Labels, svc.Spec.Selector)
}

// ServiceMatters reports whether an event of a Service can change what this package returns for it,
// with any options. old is nil if the Service was added, and now is nil if it was deleted. If both
// are nil, the result is false. If the result is false, the old and the new Service give equal
// plans, equal errors and the same result of [Managed].
//
// ServiceMatters compares namespace, name, UID, labels, creation time, whether the Service is being
// deleted, type, selector, ports without their nodePorts, cluster IPs, families,
// publishNotReadyAddresses, trafficDistribution and the topology mode. If your own code reads more
// of the Service, such as an annotation that Options.Addresses depends on, compare that as well.
func ServiceMatters(old, now *corev1.Service) bool {
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
		// a Skip shows an unknown value
		endpoint.Text(a.TrafficDistribution) != endpoint.Text(b.TrafficDistribution) || modeText(old) != modeText(now)
}

// modeText returns the parts of the topology mode that a Skip shows.
func modeText(svc *corev1.Service) [2]string {
	name, value := topologyMode(svc)
	return [2]string{name, value}
}

// NodeMatters reports whether an event of a Node can change what Plan returns, if the node func of
// Plan returns this Node. old is nil if the Node was added, and now is nil if it was deleted. If
// both are nil, the result is false. Plan reads only the name and the zone of a Node, so a
// heartbeat does not matter. If the result is true, plan each Service again that has Pods on the
// Node. For the weights of zones, see [hints.Weights.Equal].
func NodeMatters(old, now *corev1.Node) bool {
	if old == nil || now == nil {
		return old != now
	}
	return old.Name != now.Name || old.Labels[corev1.LabelTopologyZone] != now.Labels[corev1.LabelTopologyZone]
}

// CordonMatters reports whether a Node was cordoned (spec.unschedulable, which kubectl cordon and
// kubectl drain set) or is no longer cordoned. old is nil if the Node was added, and now is nil if
// it was deleted.
//
// Plan does not read this field. A controller that takes traffic away from cordoned Nodes changes
// their endpoints between Input and Compute: they become terminating and not ready, and stay
// serving. Readers use these endpoints only if no other endpoint is ready, so a Service keeps its
// endpoints even if all Nodes are cordoned.
//
//	in, err := services.Input(svc, pods, node, o)
//	if err != nil {
//		return slicer.Plan{}, err
//	}
//	yes, no := true, false
//	for _, g := range in.Groups {
//		for i := range g.Endpoints {
//			e := &g.Endpoints[i]
//			if e.NodeName == nil {
//				continue // no Node was found, and the Pod is published all the same
//			}
//			if n := node(*e.NodeName); n != nil && n.Spec.Unschedulable {
//				e.Conditions.Ready, e.Conditions.Terminating = &no, &yes
//			}
//		}
//	}
//	return slicer.Compute(in, existing)
//
// Do not leave out the Pods of such a Node: if all Pods of a Service are on cordoned Nodes, that
// removes every endpoint of the Service. Do not make the function node return nil for a cordoned
// Node, because each of its Pods then gets a Skip that asks for a retry (NodeMissing).
func CordonMatters(old, now *corev1.Node) bool {
	cordoned := func(n *corev1.Node) bool { return n != nil && n.Spec.Unschedulable }
	return cordoned(old) != cordoned(now)
}

// SliceMatters reports whether an event of a slice needs a sync, because the slice is one of the
// caller's own and changed. old is nil if the slice was added, and now is nil if it was deleted. If
// both are nil, the result is false. If the result is false, a plan that had nothing to write still
// has nothing to write.
//
// A slice is the caller's own if it has Options.ManagedBy and the label Options.KeyLabel with any
// value, or if Options.Adopt names it. If KeyLabel is empty, ManagedBy alone decides, so one
// predicate serves all Services. A slice that loses or gains these labels matters.
//
// All fields count except resourceVersion and managedFields. An event of the caller's own write
// matters as well, because it looks like the write of another program. The sync after such an event
// finds nothing to do.
func SliceMatters(old, now *discoveryv1.EndpointSlice, o Options) bool {
	was, is := ours(old, o), ours(now, o)
	if !was || !is {
		return was != is
	}
	a, b := *old, *now
	a.ResourceVersion, b.ResourceVersion = "", ""
	a.ManagedFields, b.ManagedFields = nil, nil
	return !reflect.DeepEqual(&a, &b)
}

func ours(s *discoveryv1.EndpointSlice, o Options) bool {
	if s == nil || slices.Contains(o.Adopt, s.Name) {
		return s != nil
	}
	_, has := s.Labels[o.KeyLabel]
	return s.Labels[discoveryv1.LabelManagedBy] == o.ManagedBy && (has || o.KeyLabel == "")
}

// has reports whether labels has all wanted labels.
func has(labels, wanted map[string]string) bool {
	for name, want := range wanted {
		if value, ok := labels[name]; !ok || value != want {
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
	return slices.Equal(was, is)
}

// samePort compares all fields of a Service's port except nodePort, which nothing in this package
// reads.
func samePort(a, b corev1.ServicePort) bool {
	a.NodePort = b.NodePort
	return reflect.DeepEqual(a, b)
}
