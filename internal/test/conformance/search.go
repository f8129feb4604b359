package conformance

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// search is the least that a sync can do which is not told the pairs. Beside what the limit does it enters the Pods into a table
// by name, finds that of each endpoint there, looks up in which zone the Pod's Node is, and parses the Pod's address, which might
// be spelt otherwise or be of another family. It lists nothing of what it finds, plans nothing, and checks nothing of what is to be
// published. It does not prefetch, so that it is the least only for Pods that fit the cache.
type search struct {
	slices []*discoveryv1.EndpointSlice
	pods   []*corev1.Pod
	nodes  map[string]*corev1.Node

	table  endpoint.Table
	hasher endpoint.Hasher
	found  []bool            // Pods that some slice has
	zones  map[string]string // of the Nodes that were looked up
}

func newSearch(c *Cluster, pods []*corev1.Pod) *search {
	return &search{slices: c.live(), pods: pods, nodes: c.Nodes, zones: map[string]string{}}
}

// different counts the endpoints and Pods that need a write.
func (s *search) different() int {
	s.index()
	n := 0
	for _, slice := range s.slices {
		for i := range slice.Endpoints {
			e := &slice.Endpoints[i]
			_, at := s.find(s.hasher.String(e.TargetRef.Name), e.TargetRef.Name)
			if at < 0 || !s.publishes(e, s.pods[at]) {
				n++
			}
			if at >= 0 {
				s.found[at] = true
			}
		}
	}
	for i, pod := range s.pods {
		if !s.found[i] && !conditions.Finished(pod) && len(pod.Status.PodIPs) > 0 {
			n++
		}
	}
	return n
}

// index enters the Pods into the table.
func (s *search) index() {
	s.hasher = endpoint.NewHasher()
	s.table.Reset(len(s.pods))
	s.found = slices.Grow(s.found[:0], len(s.pods))[:len(s.pods)]
	clear(s.found)
	clear(s.zones)
	for i, pod := range s.pods {
		hash := s.hasher.String(pod.Name)
		slot, _ := s.find(hash, pod.Name)
		s.table.Put(slot, hash, int32(i))
	}
}

// find returns the Pod of a name, or less than 0 and a free slot.
func (s *search) find(hash uint64, name string) (slot uint32, at int32) {
	slot, at = s.table.Probe(hash, uint32(hash))
	for at >= 0 && s.pods[at].Name != name {
		slot, at = s.table.Probe(hash, slot+1)
	}
	return slot, at
}

func (s *search) publishes(e *discoveryv1.Endpoint, pod *corev1.Pod) bool {
	zone, known := s.zones[pod.Spec.NodeName]
	if !known {
		zone = s.nodes[pod.Spec.NodeName].Labels[corev1.LabelTopologyZone]
		s.zones[pod.Spec.NodeName] = zone
	}
	if !publishes(e, pod, zone) {
		return false
	}
	_, ok := endpoint.IPv4(pod.Status.PodIPs[0].IP)
	return ok
}
