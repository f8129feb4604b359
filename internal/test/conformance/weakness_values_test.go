package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// valueWeaknesses are about what endpoints and ports mean.
var valueWeaknesses = []weakness{{
	name:      "a nil Pod ends the process",
	why:       "one nil in a list that a caller puts together",
	reference: func(t *testing.T) string { return nilPod(func(c *Cluster) error { return reconcileNil(c) }) },
	slicewright: func(t *testing.T) string {
		if wrong := nilPod(func(c *Cluster) error { _, err := BySlicewright(c); return err }); !strings.HasPrefix(wrong, "pods[") {
			return "want an error that names the Pod, have: " + wrong
		}
		return ""
	},
}, {
	name:        "nil and default differ in conditions",
	why:         "spec: nil ready means true. A slice that says so in the short way is written anew",
	reference:   func(t *testing.T) string { return shortConditions(t, ByReference) },
	slicewright: func(t *testing.T) string { return shortConditions(t, BySlicewright) },
}, {
	name:        "nil and default differ in ports",
	why:         "the API server stores what was left out as \"\" and TCP: a producer that leaves it out writes for ever (kubernetes#133474)",
	reference:   func(*testing.T) string { return portKeys() },
	slicewright: func(t *testing.T) string { return shortPorts(t) },
}, {
	name:        "the kind of the target is no part of who an endpoint is",
	why:         "a Pod and a virtual machine of one name and address: one of them is lost",
	reference:   func(*testing.T) string { return kindsInSet() },
	slicewright: func(t *testing.T) string { return kindsInPlan(t) },
}, {
	name:        "of two endpoints with one identity the last wins",
	why:         "the order of the list decides whether the address is ready",
	reference:   func(*testing.T) string { return lastInSet() },
	slicewright: func(t *testing.T) string { return lastInPlan(t) },
}}

func reconcileNil(c *Cluster) error {
	_, err := NewReference(c).Reconcile(c, c.Pods, nil)
	return err
}

func nilPod(plan func(*Cluster) error) (wrong string) {
	c := fresh(2, 10)
	c.Pods = append(c.Pods, nil)
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprint("panic: ", r)
		}
	}()
	if err := plan(c); err != nil {
		return err.Error()
	}
	return ""
}

func shortConditions(t *testing.T, plan Side) string {
	c := publishedCluster(t, 1, 10)
	c.Slices[0].Endpoints[0].Conditions = discoveryv1.EndpointConditions{}
	if writes := must(t, c, plan); len(writes) > 0 {
		return Describe(writes)
	}
	return ""
}

// portKeys compares keys as the reference compares slices with what is wanted.
func portKeys() string {
	stored := []discoveryv1.EndpointPort{{Name: new(""), Protocol: new(corev1.ProtocolTCP), Port: new(int32(80))}}
	wanted := []discoveryv1.EndpointPort{{Port: new(int32(80))}}
	if util.NewPortMapKey(stored) != util.NewPortMapKey(wanted) {
		return "what was stored for a port set is not that port set"
	}
	return ""
}

// plain is an input without Service, with one wanted group.
func plain(ports []discoveryv1.EndpointPort, endpoints ...discoveryv1.Endpoint) given.World {
	return given.World{Input: slicer.Input{
		Set:    slicer.Set{Namespace: namespace, Name: serviceName, ManagedBy: "slices.example.com"},
		Groups: []slicer.Group{{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports, Endpoints: endpoints}},
	}}
}

func compute(t *testing.T, in given.World) slicer.Plan {
	t.Helper()
	plan, err := in.Compute()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func shortPorts(t *testing.T) string {
	in := plain([]discoveryv1.EndpointPort{{Port: new(int32(80))}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}})
	server := &sim.Server{}
	if err := Publish(server, writesOf(compute(t, in))); err != nil {
		t.Fatal(err)
	}
	in.Existing = server.List()
	if plan := compute(t, in); !plan.Empty() {
		return plan.String()
	}
	return ""
}

func targeted(kind string, ready bool) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses: []string{"10.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: &ready},
		TargetRef: &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: "web-1"},
	}
}

func kindsInSet() string {
	pod, machine := targeted("Pod", true), targeted("VirtualMachine", true)
	if n := (util.EndpointSet{}).Insert(&pod, &machine).Len(); n != 2 {
		return fmt.Sprintf("%d of 2 endpoints", n)
	}
	return ""
}

func kindsInPlan(t *testing.T) string {
	plan := compute(t, plain(nil, targeted("Pod", true), targeted("VirtualMachine", true)))
	if n := plan.Stats().Added; n != 2 {
		return fmt.Sprintf("%d of 2 endpoints", n)
	}
	return ""
}

func lastInSet() string {
	ready, not := targeted("Pod", true), targeted("Pod", false)
	kept := (util.EndpointSet{}).Insert(&ready, &not).UnsortedList()[0]
	if !isReady(kept) {
		return "the ready one is lost"
	}
	return ""
}

func lastInPlan(t *testing.T) string {
	wanted := []discoveryv1.Endpoint{targeted("Pod", true), targeted("Pod", false)}
	for range 2 {
		plan := compute(t, plain(nil, wanted...))
		if kept := plan.Steps[0].New.Endpoints; len(kept) != 1 || !isReady(&kept[0]) || len(plan.Skips) != 1 {
			return plan.String()
		}
		slices.Reverse(wanted)
	}
	return ""
}
