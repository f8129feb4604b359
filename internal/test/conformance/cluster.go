package conformance

import (
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/slicer/services"
)

// Cluster is what both sides are given: a Service and what there is in its namespace.
type Cluster struct {
	Service *corev1.Service
	Pods    []*corev1.Pod
	Nodes   map[string]*corev1.Node
	// Slices are those of the API server, of any manager.
	Slices []*discoveryv1.EndpointSlice
	// Max is how many endpoints a slice may hold.
	Max     int
	Trigger time.Time
}

// nodes lists the Nodes, in any order.
func (c *Cluster) nodes() []*corev1.Node {
	return slices.Collect(maps.Values(c.Nodes))
}

// selected are the Pods that the Service selects.
func (c *Cluster) selected() []*corev1.Pod {
	selector := labels.SelectorFromSet(c.Service.Spec.Selector)
	return slices.DeleteFunc(slices.Clone(c.Pods), func(pod *corev1.Pod) bool {
		return pod.Namespace != c.Service.Namespace || !selector.Matches(labels.Set(pod.Labels))
	})
}

// ours reports whether a slice is one that the Service's controller has to care for: labelled so,
// and not being deleted.
func (c *Cluster) ours(s *discoveryv1.EndpointSlice) bool {
	return s.Labels[discoveryv1.LabelManagedBy] == services.KubernetesManager &&
		s.Labels[discoveryv1.LabelServiceName] == c.Service.Name && s.DeletionTimestamp == nil
}

// live are the slices that the controller has to care for.
func (c *Cluster) live() []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(c.Slices), func(s *discoveryv1.EndpointSlice) bool { return !c.ours(s) })
}

// supports reports whether the Service has slices of an address type.
func (c *Cluster) supports(t discoveryv1.AddressType) bool {
	spec := &c.Service.Spec
	if len(spec.IPFamilies) > 0 {
		return slices.Contains(spec.IPFamilies, corev1.IPFamily(t))
	}
	if isHeadless(c.Service) {
		return true
	}
	return strings.Contains(spec.ClusterIP, ":") == (t == discoveryv1.AddressTypeIPv6)
}
