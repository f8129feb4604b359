package main

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func topologyMode(c *cluster) {
	s := c.service("shop", "catalog", "10.96.61.8", servicePort("http", 80, "http"))
	s.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	nodes := c.unequalZones()
	c.controlPlane(90, "a")
	pods := fleet{nodes: nodes, first: 101, pod: pod{
		namespace: "shop", app: "catalog", owner: replicaSet("shop", "catalog", "5f7c9d6b84"), image: "registry.example.com/shop/catalog:5.2.0",
		ports: []corev1.ContainerPort{tcp("http", 8080)}, started: 6 * time.Hour, ready: true,
	}}
	held := make([]discoveryv1.Endpoint, 7)
	for i := range held {
		p := pods.at(i)
		made := gone(p)
		if i != 5 {
			made = c.pod(p)
		}
		held[i] = hinted(endpoint(made, p.node, 0, true), p.node.Labels[corev1.LabelTopologyZone])
	}
	fresh := pods.at(7)
	fresh.started = 40 * time.Second
	c.pod(fresh)

	held[4].Hints = nil
	moved := *held[3].DeepCopy()
	moved.Conditions.Ready, moved.Conditions.Serving, moved.Hints = ptr(false), ptr(false), nil
	ports := []discoveryv1.EndpointPort{slicePort("http", 8080)}
	old := c.slice(s, ipv4, ports, held[0], held[1], held[2], moved)
	old.Annotations[corev1.EndpointsLastChangeTriggerTime] = ago(5 * time.Hour).UTC().Format(time.RFC3339)
	c.slice(s, ipv4, ports, held[3:]...)
}

// unequalZones adds nodes of which zone a has four parts of the CPU, b two and c one.
func (c *cluster) unequalZones() []*corev1.Node {
	nodes := []*corev1.Node{c.node(1, "a"), c.node(2, "b"), c.node(3, "c"), c.node(4, "a"), c.node(5, "b")}
	for _, i := range []int{0, 3} {
		nodes[i].Labels[corev1.LabelInstanceTypeStable] = "m7i.4xlarge"
		nodes[i].Status.Capacity, nodes[i].Status.Allocatable = quantities("16", "64886Mi"), quantities("15820m", "62838Mi")
	}
	return nodes
}

// hinted is an endpoint for the traffic of one zone.
func hinted(e discoveryv1.Endpoint, zone string) discoveryv1.Endpoint {
	e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	return e
}
