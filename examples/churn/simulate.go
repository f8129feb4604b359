package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/cost"
	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

// result is what a packing did in a trace.
type result struct {
	packing  packing
	writes   int
	sent     int64 // bytes, to one watcher
	multiple int   // slices, in percent of the fewest that there could be: the mean over all rounds
	history  []point
}

// point is the state after a round.
type point struct {
	slices, fewest int
	sent           int64 // so far
}

// simulate plays a trace with slices of at most that number of endpoints.
func simulate(t trace.Trace, p packing, most int) (result, error) {
	r := result{packing: p}
	c := newCluster(slicer.Options{MaxEndpointsPerSlice: most, Packing: p.Packing, DissolveUpTo: p.upTo})
	var millionths int64
	for _, round := range t.Rounds {
		c.change(round)
		plan, err := slicer.Compute(c.input, c.slices)
		if err != nil {
			return r, err
		}
		priced := cost.Of(plan, 1)
		c.write(plan)
		r.writes += priced.Writes
		r.sent += priced.SentBytes
		fewest := max(1, (len(c.pods)+most-1)/most)
		millionths += 1_000_000 * int64(priced.Objects) / int64(fewest)
		r.history = append(r.history, point{priced.Objects, fewest, r.sent})
	}
	r.multiple = int((millionths/int64(len(t.Rounds)) + 5000) / 10_000)
	return r, nil
}

// cluster is a controller with an API server that never fails: what is planned is there at once.
type cluster struct {
	input   slicer.Input
	slices  []*discoveryv1.EndpointSlice // what the API server has
	pods    map[int]discoveryv1.Endpoint
	version int
}

var epoch = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func newCluster(o slicer.Options) *cluster {
	name := "http"
	protocol := corev1.ProtocolTCP
	port := int32(8080)
	return &cluster{pods: map[int]discoveryv1.Endpoint{}, input: slicer.Input{
		Set: slicer.Set{
			Namespace: "shop", Name: "web", ManagedBy: "slices.example.com",
			Owners: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "web",
				UID: "3b7d1c5e-8a44-4d51-9d0c-5f2f6f7c1a10"}},
		},
		Groups: []slicer.Group{{
			AddressType: discoveryv1.AddressTypeIPv4,
			Ports:       []discoveryv1.EndpointPort{{Name: &name, Protocol: &protocol, Port: &port}},
		}},
		Options: o,
	}}
}

// change makes a round's Pods what they are. A plan does not depend on the order of endpoints.
func (c *cluster) change(r trace.Round) {
	for ready, list := range map[bool][]int{true: r.Ready, false: r.Unready} {
		for _, n := range list {
			e, known := c.pods[n]
			if !known {
				e = endpoint(n)
			}
			e.Conditions = conditions.New(ready, false, false).Conditions()
			c.pods[n] = e
		}
	}
	for _, n := range r.Gone {
		delete(c.pods, n)
	}
	g := &c.input.Groups[0]
	g.Endpoints = g.Endpoints[:0]
	for _, e := range c.pods {
		g.Endpoints = append(g.Endpoints, e)
	}
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
