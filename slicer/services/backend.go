package services

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Backend is a workload that is not a Pod, such as a virtual machine.
type Backend struct {
	// Name is for Warnings.
	Name string
	// Addresses are IPs; each is an endpoint.
	Addresses []string
	// Ports has port numbers, by the name of a Service port or targetPort. If a name is missing,
	// the number of targetPort is used.
	Ports map[string]int32
	// Ready says that the workload can get traffic. Terminating says that it is going away.
	Ready, Terminating bool
	// Changed is when Ready last changed.
	Changed time.Time
	// NodeName and Zone are where it runs.
	NodeName, Zone string
	// Hostname is its name in DNS if the Service is headless.
	Hostname string
	// TargetRef is the object that it stands for.
	TargetRef corev1.ObjectReference
}

// FromBackends returns the endpoints of a Service whose workloads are not Pods. The selector of the
// Service is not read. If the Service is an ExternalName, the Input is Unmanaged.
func FromBackends(svc *corev1.Service, backends []Backend, o Options) (slicer.Input, error) {
	o.Addresses = nil
	d := derivation{service: svc, options: o}
	return d.derive(nil, backends)
}

func (d *derivation) readBackends(backends []Backend) {
	d.reserve(len(backends))
	for i := range backends {
		d.readBackend(i, &backends[i])
		d.left--
	}
}

// readBackend publishes a Backend, or adds a Notice with the reason why it is not published.
func (d *derivation) readBackend(i int, b *Backend) {
	d.from = workload{
		list: "backends", index: i, name: b.Name, target: b.TargetRef,
		addresses: b.Addresses, given: b.Ports, node: d.text(b.NodeName), zone: d.text(b.Zone),
		hostname: b.Hostname, ready: b.Ready, terminating: b.Terminating, changed: b.Changed,
	}
	d.from.target.ResourceVersion = ""
	if len(b.Addresses) == 0 {
		d.normal("NoAddress", errNoAddress)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.Ports)) {
		if !slices.ContainsFunc(d.service.Spec.Ports, func(p corev1.ServicePort) bool {
			_, target := target(&p)
			return p.Name == name || target == name && name != ""
		}) {
			d.warn("NoServicePort", "", noServicePort(name, d.service.Spec.Ports))
		}
	}
	d.publish(d.ports.ofBackend(b.Ports))
}

// text returns a pointer to a text, or nil if it is empty.
func (d *derivation) text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
