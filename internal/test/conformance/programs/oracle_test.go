package cluster

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/programs/multus/network"
	"github.com/slicewright/slicewright/slicer"
)

// converge waits until the API server holds so many endpoints, and the controller would write
// nothing more. What is planned is held by the tests of package services.
func (c *cluster) converge(endpoints int) {
	c.Helper()
	wait(c.T, "no convergence", func() string {
		published := 0
		for _, s := range c.ours() {
			if len(s.Endpoints) == 0 || len(s.Endpoints) > maxPerSlice {
				return fmt.Sprintf("slice %s has %d endpoints", s.Name, len(s.Endpoints))
			}
			_, headless := s.Labels[corev1.IsHeadlessService]
			if !headless || s.Labels[network.ProxyLabel] == "" || s.Labels[discoveryv1.LabelServiceName] != "" {
				return fmt.Sprintf("kube-proxy or DNS servers take slice %s with labels %v", s.Name, s.Labels)
			}
			published += len(s.Endpoints)
		}
		if published != endpoints {
			return fmt.Sprintf("published are %d endpoints, want %d", published, endpoints)
		}
		return c.leftToDo()
	})
}

// ours returns the controller's slices.
func (c *cluster) ours() []discoveryv1.EndpointSlice {
	var list discoveryv1.EndpointSliceList
	c.do(c.admin.List(c.Context(), &list, client.InNamespace(c.namespace),
		client.MatchingLabels{discoveryv1.LabelManagedBy: network.ManagedBy}))
	return list.Items
}

// leftToDo returns the first plan, made from what the API server has, that would write something.
func (c *cluster) leftToDo() string {
	var services corev1.ServiceList
	var existing discoveryv1.EndpointSliceList
	var pods corev1.PodList
	var nodes corev1.NodeList
	for _, list := range []client.ObjectList{&services, &existing, &pods} {
		c.do(c.admin.List(c.Context(), list, client.InNamespace(c.namespace)))
	}
	c.do(c.admin.List(c.Context(), &nodes))
	for i := range services.Items {
		in, err := (&network.Controller{Max: maxPerSlice}).Input(&services.Items[i], slicer.Pointers(pods.Items),
			network.NewNodes(slicer.Pointers(nodes.Items)))
		c.do(err)
		plan, err := slicer.Compute(in, slicer.Pointers(existing.Items))
		c.do(err)
		if len(plan.Steps) > 0 {
			return "left to do: " + plan.String()
		}
	}
	return ""
}
