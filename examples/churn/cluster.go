package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/slicer"
)

// cluster is a controller with an API server that never fails: what is planned is there at once.
type cluster struct {
	input   slicer.Input
	slices  []*discoveryv1.EndpointSlice // what the API server has
	index   map[int]int                  // of a Pod among the group's endpoints
	numbers []int                        // the Pods of these endpoints
	version int
}

var epoch = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func newCluster(o slicer.Options) *cluster {
	name, protocol, port := "http", corev1.ProtocolTCP, int32(8080)
	return &cluster{index: map[int]int{}, input: slicer.Input{
		Set: slicer.Set{
			Namespace: "shop", Name: "web", ManagedBy: "slices.example.com",
			Owners: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "web", UID: "3b7d1c5e-8a44-4d51-9d0c-5f2f6f7c1a10"}},
		},
		Groups: []slicer.Group{{
			AddressType: discoveryv1.AddressTypeIPv4,
			Ports:       []discoveryv1.EndpointPort{{Name: &name, Protocol: &protocol, Port: &port}},
		}},
		Options: o,
	}}
}

// change makes a round's Pods what they are.
func (c *cluster) change(r round) {
	for _, n := range r.ready {
		c.publish(n, true)
	}
	for _, n := range r.unready {
		c.publish(n, false)
	}
	g := &c.input.Groups[0]
	for _, n := range r.gone {
		if i, ok := c.index[n]; ok {
			last := len(g.Endpoints) - 1
			g.Endpoints[i], c.numbers[i] = g.Endpoints[last], c.numbers[last]
			c.index[c.numbers[i]] = i
			g.Endpoints, c.numbers = g.Endpoints[:last], c.numbers[:last]
			delete(c.index, n)
		}
	}
}

func (c *cluster) publish(n int, ready bool) {
	g := &c.input.Groups[0]
	i, ok := c.index[n]
	if !ok {
		i = len(g.Endpoints)
		c.index[n] = i
		c.numbers = append(c.numbers, n)
		g.Endpoints = append(g.Endpoints, endpoint(n))
	}
	g.Endpoints[i].Conditions = conditions.New(ready, false, false).Conditions()
}

// endpoint is a Pod as the control plane publishes it.
func endpoint(n int) discoveryv1.Endpoint {
	node, zone := fmt.Sprintf("node-%d", n%500), fmt.Sprintf("eu-central-1%c", 'a'+n%3)
	return discoveryv1.Endpoint{
		Addresses: []string{fmt.Sprintf("10.%d.%d.%d", n>>16, n>>8&255, n&255)},
		NodeName:  &node,
		Zone:      &zone,
		TargetRef: &corev1.ObjectReference{
			Kind: "Pod", Namespace: "shop", Name: fmt.Sprintf("web-7d4b9c6f5d-%05d", n),
			UID: types.UID(fmt.Sprintf("0b5e7c3a-1111-4222-9333-%012d", n)),
		},
	}
}

// write applies a plan, and fills in what an API server does.
func (c *cluster) write(plan slicer.Plan) {
	for _, s := range plan.Steps {
		if s.New == nil {
			continue
		}
		c.version++
		s.New.ResourceVersion = fmt.Sprint(c.version)
		if s.Old == nil {
			s.New.UID = types.UID(fmt.Sprintf("8c5f0b1e-0000-4000-8000-%012d", c.version))
			s.New.CreationTimestamp = metav1.NewTime(epoch.Add(time.Duration(c.version) * time.Second))
		}
	}
	c.slices = plan.After()
}
