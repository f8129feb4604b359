package slicer

import (
	corev1 "k8s.io/api/core/v1"
)

// Backend is a workload that is no Pod, as far as endpoints need to know it: a virtual machine, a Node, a workload of
// another cluster. The zero value has no address and is skipped.
type Backend struct {
	// Addresses are IPs of any family and order. Each becomes an endpoint of its own, since readers look at an
	// endpoint's first address only (kubernetes#129886).
	Addresses []string
	// Ready says whether it answers, Terminating whether it is being deleted.
	Ready, Terminating bool
	// Node and Zone are where it runs; empty: not known.
	Node, Zone string
	// Hostname is published when Subdomain is the Service's name, as with Pods. Empty: none.
	Hostname, Subdomain string
	// TargetRef names the object that the endpoint stands for; it is copied. nil: none.
	TargetRef *corev1.ObjectReference
	// Ports are those it declares. A targetPort that is a name is looked up here; of several with one name and protocol
	// the first counts.
	Ports []BackendPort
}

// BackendPort is a port that a Backend declares.
type BackendPort struct {
	Name string
	// Protocol empty means TCP.
	Protocol corev1.Protocol
	// Port is 1 to 65535; another number is as good as not declared.
	Port int32
}

// FromBackends derives the endpoints of a Service whose workloads are no Pods, exactly as FromService does: named ports
// resolve against Backend.Ports, publishNotReadyAddresses and terminating ones give the same conditions, and each
// address goes to its family. Which backends a Service has is the caller's choice; the selector is not looked at, but
// a Service without one is refused unless AllowNoSelector is set.
//
// Errors, order and sharing are those of FromService; so are the Skips, which name a backend by its index. nil and
// empty backends: nothing is wanted. Without TriggerTime in the options it is the Service's creation, since backends do
// not tell when they changed.
func FromBackends(svc *corev1.Service, backends []Backend, o ServiceOptions) (Input, []Skip, error) {
	if err := checkService(svc, o); err != nil {
		return unmanaged(svc, o, err), nil, err
	}
	d := newDerivation(svc, o, len(backends))
	for i := range backends {
		b := &backends[i]
		d.at = i
		if len(b.Addresses) == 0 {
			d.skip(Skip{Reason: NoAddress})
			continue
		}
		d.publish(&workload{
			targetRef: b.TargetRef, addresses: b.Addresses, declared: b.Ports,
			node: d.text(b.Node), zone: d.text(b.Zone), hostname: b.Hostname, subdomain: b.Subdomain,
			ready: b.Ready, terminating: b.Terminating,
		})
	}
	in := d.input(triggerOf(svc, o))
	d.handOver(&in)
	return in, d.skips, nil
}
