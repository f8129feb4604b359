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
	pairs []pair
	alone []*corev1.Pod // that no slice has
}

// pair is an endpoint, its Pod, or nil, and the zone of the Pod's Node.
type pair struct {
	endpoint *discoveryv1.Endpoint
	pod      *corev1.Pod
	zone     *string
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
			p := pair{endpoint: e, pod: byName[e.TargetRef.Name]}
			if p.pod != nil {
				p.zone = zones[p.pod.Spec.NodeName]
				delete(byName, p.pod.Name)
			}
			l.pairs = append(l.pairs, p)
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
	for i := range l.pairs {
		if p := &l.pairs[i]; p.pod == nil || !publishes(p.endpoint, p.pod, *p.zone) {
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
