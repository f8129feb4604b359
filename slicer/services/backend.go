package services

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Backend is a workload that is not a Pod: a virtual machine, a Node, or a workload of another
// cluster. The zero value has no address and is skipped.
type Backend struct {
	// Name identifies the Backend in Skips if TargetRef is zero. It is not published.
	Name string
	// Addresses are IPs of any family, in any order. If there are several addresses of one family,
	// each becomes an endpoint; Options.PerFamily changes this.
	Addresses []string
	// Ready says whether the Backend can serve, and Terminating whether it is being deleted. If it
	// can serve on one family only, leave out the addresses of the other family; the Skip for that
	// family (NoAddressOfType) is routine.
	Ready, Terminating bool
	// Changed is the time at which Ready last changed. It is used for the trigger time. If zero,
	// the time is not known.
	Changed time.Time
	// Node and Zone are where the Backend runs. If empty, they are not published.
	Node, Zone string
	// Hostname is published if Subdomain is empty or the Service's name. If empty, there is no
	// hostname.
	Hostname, Subdomain string
	// TargetRef names the object that the endpoint stands for. It is published without its
	// resourceVersion. If zero, the endpoint has no targetRef.
	TargetRef corev1.ObjectReference
	// Ports are the ports that the Backend declares. A targetPort that is a name is looked up here.
	// If several of these ports have the same name and protocol, the first one with a number from 1
	// to 65535 is used.
	Ports []BackendPort
	// PortNumbers maps names of the Service's ports to numbers of this Backend. They win over
	// targetPort and Ports. A number that is not 1 to 65535 causes a Skip, and so does a name that
	// no port of the Service has. nil and empty mean that there are none.
	PortNumbers map[string]int32
}

// BackendPort is a port that a Backend declares, like a container's port.
type BackendPort struct {
	// Name is a name that a targetPort may have. If empty, only a numeric targetPort can
	// match this port.
	Name string
	// Protocol is TCP if empty.
	Protocol corev1.Protocol
	// Port is 1 to 65535. A port with another number is ignored.
	Port int32
}
