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

// The functions of this file tell a watch which events need a sync. What they compare is what the
// derivation reads: whoever lets it read one more field adds that field here, and TestPodMatters
// and its neighbours fail until then.

// PodMatters reports whether a Pod that was added (old is nil), changed or deleted (now is nil) can
// change what [Plan] returns with these options, for any Service and any existing slices. If it is
// false, the plan with old among the Pods is equal to the plan with now in its place, Skips and
// trigger times included. If it is true, sync each Service that [Selects] old or now. Both nil:
// false. A tombstone of an informer (cache.DeletedFinalStateUnknown) has the object in its field
// Obj: give that.
//
// Collect what matters for some tenths of a second before a sync: one sync for many Pods writes
// each slice once, and each Pod is published later. Two rolling updates of 150 Pods on a real API
// server, with a publish.Syncer (internal/test/conformance/sidebyside/figures/batch.md has the
// command):
//
//	from a change to the sync    writes    median from Ready to a watcher
//	0                            559       0.02 s
//	0.1 s                        209       0.11 s
//	0.5 s                         64       0.32 s
//	1 s                           36       0.53 s
//
// Without waiting for the cache the API server refused 101 writes more at 0, and 2 at 0.1 s. In the
// handler of an event the code is queue.AddAfter(key, period), of client-go or controller-runtime,
// in place of Add: a key that waits already keeps its time. The program examples/programs/multus
// does so.
//
// It looks at namespace, name, UID and labels, at whether the Pod has finished, and where it has
// not at deletion, the Ready condition, Node, hostname, subdomain, addresses, and the ports of
// containers and restartable init containers. Options.Addresses is called for both; two errors of
// the same text are the same. Of the options only Addresses is read: ZoneFromPod reads a label.
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

// Selects reports whether [Plan] takes the Pod for one of the Service's: they share a namespace,
// the selector matches, and [Managed] says that the Service's Pods are Publishable. nil for either:
// false.
func Selects(svc *corev1.Service, pod *corev1.Pod) bool {
	return pod != nil && managed(svc, true) == Publishable && pod.Namespace == svc.Namespace &&
		has(pod.Labels, svc.Spec.Selector)
}

// ServiceMatters reports whether a Service that was added (old is nil), changed or deleted (now is
// nil) can change what this package returns for it, with any options. If it is false, plans with
// old and with now are equal, and so are errors and what [Managed] says. Both nil: false.
//
// It looks at namespace, name, UID, labels, creation, deletion, type, selector, ports without their
// nodePorts, cluster IPs, families, publishNotReadyAddresses and trafficDistribution, and the
// topology mode. Whoever reads more of the Service, such as an annotation that Options.Addresses
// depends on, compares that too.
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
		// an unknown one is a Skip
		endpoint.Text(a.TrafficDistribution) != endpoint.Text(b.TrafficDistribution) || modeText(old) != modeText(now)
}

// modeText is what a Skip says of the topology mode.
func modeText(svc *corev1.Service) [2]string {
	name, value := topologyMode(svc)
	return [2]string{name, value}
}

// NodeMatters reports whether a Node that was added (old is nil), changed or deleted (now is nil)
// can change what Plan returns, if its node func finds it: a Node's name and zone are all that Plan
// reads of it. A heartbeat does not matter. Plan again each Service that has Pods on the Node.
// Weights of zones are another matter, see [hints.NodesMatter]. Both nil: false.
func NodeMatters(old, now *corev1.Node) bool {
	if old == nil || now == nil {
		return old != now
	}
	return old.Name != now.Name || old.Labels[corev1.LabelTopologyZone] != now.Labels[corev1.LabelTopologyZone]
}

// CordonMatters reports whether a Node was cordoned (spec.unschedulable, as kubectl cordon and
// kubectl drain set it) or is no longer cordoned. old is nil for a Node that was added, now for one
// that was deleted.
//
// Plan does not read this field. A controller that takes traffic away from such Nodes changes the
// endpoints between Input and Compute: not ready, but serving and terminating. Readers then use
// them only if no other endpoint is ready, so that a Service keeps its endpoints if all Nodes are
// cordoned.
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
// Do not leave out the Pods of such a Node, because that removes the last endpoints as well. Do not
// return nil for it from the node func, because that asks for retries (NodeMissing).
func CordonMatters(old, now *corev1.Node) bool {
	cordoned := func(n *corev1.Node) bool { return n != nil && n.Spec.Unschedulable }
	return cordoned(old) != cordoned(now)
}

// SliceMatters reports whether a slice of ours was added (old is nil), changed or deleted (now is
// nil). A slice is ours if it has Options.ManagedBy and the label Options.KeyLabel, whatever its
// value, or if Options.Adopt names it. If KeyLabel is empty, ManagedBy alone decides, so that one
// predicate serves all Services. A slice that loses or gains those labels matters. If it is false,
// a plan that had nothing to write has nothing to write now. Both nil: false.
//
// All fields count but resourceVersion and managedFields. The echo of our own write matters too,
// because nobody can tell it from another's write; the sync finds nothing to do.
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

// has reports whether labels has all that is wanted.
func has(labels, wanted map[string]string) bool {
	for name, want := range wanted {
		if value, ok := labels[name]; !ok || value != want {
			return false
		}
	}
	return true
}

// sameState compares the Node, and what makes the hostname and the conditions of endpoints and the
// trigger time.
func sameState(old, now *corev1.Pod) bool {
	a, b := &old.Spec, &now.Spec
	return a.NodeName == b.NodeName && a.Hostname == b.Hostname && a.Subdomain == b.Subdomain &&
		conditions.PodReady(old) == conditions.PodReady(now) && readySince(old).Equal(readySince(now)) &&
		(old.DeletionTimestamp == nil) == (now.DeletionTimestamp == nil)
}

func sameAddresses(old, now *corev1.Pod, o Options) bool {
	d := derivation{options: o}
	was, wasErr := d.addressesOf(old)
	was = slices.Clone(was) // the next call may use its memory again
	is, isErr := d.addressesOf(now)
	if wasErr != nil || isErr != nil {
		return wasErr != nil && isErr != nil && wasErr.Error() == isErr.Error()
	}
	return slices.Equal(was, is)
}

// samePort compares what slices, Skips and errors say of a Service's port.
func samePort(a, b corev1.ServicePort) bool {
	a.NodePort = b.NodePort
	return reflect.DeepEqual(a, b)
}
