package service

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Backend is a workload that is no Pod, as far as endpoints need to know it: a virtual machine, a Node, a workload of
// another cluster. The zero value has no address and is skipped.
type Backend struct {
	// Name is what Skips and logs call it. It is not published.
	Name string
	// Address and after it Addresses are IPs of any family and order; Address spares a list where there is one. Each becomes
	// an endpoint of its own, because readers look at an endpoint's first address only (kubernetes#129886), unless
	// Options.JoinAddresses is set.
	Address   string
	Addresses []string
	// Ready says whether it answers, Terminating whether it is being deleted.
	Ready, Terminating bool
	// Changed says when it last became ready or ceased to be, for the trigger time. Zero: not known.
	Changed time.Time
	// Node and Zone are where it runs; empty: not known.
	Node, Zone string
	// Hostname is published when Subdomain is the Service's name, as with Pods. Empty: none.
	Hostname, Subdomain string
	// TargetRef names the object that the endpoint stands for; it is published without its resourceVersion. Zero: none.
	TargetRef corev1.ObjectReference
	// Port and after it Ports are those it declares; Port spares a list where there is one, and is none where its number
	// is 0. A targetPort that is a name is looked up here; of several with one name and protocol the first counts.
	Port  BackendPort
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

// readBackends notes what the backends want to have published. The result lies in m.
func readBackends(r *rules, backends []Backend, m *memory) *wanted {
	read := newReader(r, workloads{backends: backends}, len(backends), &m.wanted)
	w := read.w
	for i := range backends {
		b := &backends[i]
		from := workload{
			index: i, label: b.Name, name: b.TargetRef.Name, uid: b.TargetRef.UID,
			addresses: b.addresses(&m.lists), declared: b.ports(&m.lists), hostname: b.Hostname, subdomain: b.Subdomain,
			ready: b.Ready, terminating: b.Terminating,
		}
		if len(from.addresses) == 0 {
			read.skip(&from, Skip{Reason: NoAddress})
			continue
		}
		at := place{node: w.places.text(b.Node), zone: w.places.text(b.Zone)}
		if b.TargetRef != (corev1.ObjectReference{}) {
			at.target = &b.TargetRef
		}
		from.place = w.places.add(at)
		read.publish(&from)
	}
	return w
}

// first returns the first address of a backend that has one.
func (b *Backend) first() string {
	if b.Address == "" {
		return b.Addresses[0]
	}
	return b.Address
}

// addresses lists the addresses, in memory that the next backend may use again.
func (b *Backend) addresses(m *listMemory) []string {
	if b.Address == "" {
		return b.Addresses
	}
	m.ips = append(append(m.ips[:0], b.Address), b.Addresses...)
	return m.ips
}

// ports lists the declared ports, in memory that the next backend may use again.
func (b *Backend) ports(m *listMemory) []BackendPort {
	if b.Port.Port == 0 {
		return b.Ports
	}
	m.declared = append(append(m.declared[:0], b.Port), b.Ports...)
	return m.declared
}
