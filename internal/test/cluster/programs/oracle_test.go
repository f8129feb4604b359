package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/controller/network"
	"github.com/slicewright/slicewright/slicer"
)

// converge waits until the API server holds exactly the addresses that are wanted, once each, the controller would write nothing
// more, and the watcher has seen it. What is planned for an endpoint besides its address is held by the tests of package service.
func (c *cluster) converge() {
	c.Helper()
	wait(c.T, "no convergence", func() string {
		wanted, published := c.wanted(), map[string]int{}
		ours := c.ours()
		for _, s := range ours {
			if len(s.Endpoints) == 0 || len(s.Endpoints) > maxPerSlice {
				return fmt.Sprintf("slice %s has %d endpoints", s.Name, len(s.Endpoints))
			}
			if s.Labels[network.ProxyLabel] == "" || s.Labels[discoveryv1.LabelServiceName] != "" {
				return fmt.Sprintf("kube-proxy or DNS servers take slice %s with labels %v", s.Name, s.Labels)
			}
			for _, e := range s.Endpoints {
				published[fmt.Sprint(e.Addresses, *e.Conditions.Ready)]++
			}
		}
		if !maps.Equal(wanted, published) {
			return fmt.Sprintf("published\n%v\nwanted\n%v", published, wanted)
		}
		if !c.view.shows(ours) {
			return "the watcher has not seen all"
		}
		return c.leftToDo()
	})
}

// wanted lists the addresses of the Pods whose Node is there, with whether each is ready, if there is a Service.
func (c *cluster) wanted() map[string]int {
	var services corev1.ServiceList
	var pods corev1.PodList
	var nodes corev1.NodeList
	c.do(c.admin.List(c.Context(), &services, client.InNamespace(c.namespace)))
	c.do(c.admin.List(c.Context(), &pods, client.InNamespace(c.namespace)))
	c.do(c.admin.List(c.Context(), &nodes))
	wanted := map[string]int{}
	for _, pod := range pods.Items {
		there := slices.ContainsFunc(nodes.Items, func(n corev1.Node) bool { return n.Name == pod.Spec.NodeName })
		var interfaces []struct {
			Name string
			IPs  []string
		}
		c.do(json.Unmarshal([]byte(pod.Annotations[network.Status]), &interfaces))
		for _, i := range interfaces {
			if there && len(services.Items) > 0 && i.Name == c.namespace+"/"+second {
				ready := pod.DeletionTimestamp == nil && pod.Status.Conditions[0].Status == corev1.ConditionTrue
				wanted[fmt.Sprint(i.IPs, ready)]++
			}
		}
	}
	return wanted
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
		plan, err := (&network.Controller{Max: maxPerSlice}).Plan(&services.Items[i], slicer.Pointers(pods.Items),
			network.NewNodes(slicer.Pointers(nodes.Items)), slicer.Pointers(existing.Items))
		c.do(err)
		if !plan.Empty() {
			return "left to do: " + plan.String()
		}
	}
	return ""
}
