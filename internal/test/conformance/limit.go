package conformance

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// limit is the least that any sync can do. It reads the fields of each Pod and of each endpoint that decide whether the
// slices are as they should be, once, and compares them. Which Pod an endpoint is of, and in which zone its Node is, the limit
// knows beforehand. It walks along the slices, in the order of their memory, and has no table, no hash, no list to fill and no
// address to parse.
type limit struct {
	// An endpoint, its Pod, or nil, and the zone of the Pod's Node are at the same place of these lists.
	endpoints []*discoveryv1.Endpoint
	pods      []*corev1.Pod
	zones     []*string

	alone []*corev1.Pod // that no slice has
}

// newLimit finds the pairs.
func newLimit(c *Cluster, pods []*corev1.Pod) *limit {
	byName := make(map[string]*corev1.Pod, len(pods))
	for _, pod := range pods {
		byName[pod.Name] = pod
	}
	zones := map[string]*string{}
	for name, node := range c.Nodes {
		zones[name] = new(node.Labels[corev1.LabelTopologyZone])
	}
	l := &limit{}
	for _, s := range c.live() {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			pod, zone := byName[e.TargetRef.Name], (*string)(nil)
			if pod != nil {
				zone = zones[pod.Spec.NodeName]
				delete(byName, pod.Name)
			}
			l.endpoints, l.pods, l.zones = append(l.endpoints, e), append(l.pods, pod), append(l.zones, zone)
		}
	}
	for _, pod := range byName {
		l.alone = append(l.alone, pod)
	}
	return l
}

// different counts the endpoints and Pods that need a write.
func (l *limit) different() int {
	n := 0
	for i := range l.endpoints {
		if pod := l.pods[i]; pod == nil || !publishes(l.endpoints[i], pod, *l.zones[i]) {
			n++
		}
	}
	for _, pod := range l.alone {
		if !conditions.Finished(pod) && len(pod.Status.PodIPs) > 0 {
			n++
		}
	}
	return n
}

// publishes reports whether an endpoint says what Kubernetes publishes of a Pod. Neither has a hostname here.
func publishes(e *discoveryv1.Endpoint, pod *corev1.Pod, zone string) bool {
	c, ref := &e.Conditions, e.TargetRef
	terminating := pod.DeletionTimestamp != nil
	ready := conditions.ReadyCondition(pod)
	serving := ready != nil && ready.Status == corev1.ConditionTrue
	return !conditions.Finished(pod) && pod.Spec.Hostname == "" && e.Hostname == nil &&
		len(pod.Status.PodIPs) == 1 && len(e.Addresses) == 1 && e.Addresses[0] == pod.Status.PodIPs[0].IP &&
		*c.Ready == (serving && !terminating) && *c.Serving == serving && *c.Terminating == terminating &&
		*e.NodeName == pod.Spec.NodeName && *e.Zone == zone &&
		ref.Name == pod.Name && ref.UID == pod.UID && ref.Namespace == pod.Namespace && ref.Kind == "Pod"
}
