package services

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Backend is a workload that is no Pod, as far as endpoints need to know it: a virtual machine, a
// Node, a workload of another cluster. The zero value has no address and is skipped.
type Backend struct {
	// Name is what Skips and logs call it. It is not published.
	Name string
	// Addresses are IPs of any family and order. Options.PerFamily says what becomes of several of
	// one family: by default, each becomes an endpoint of its own.
	Addresses []string
	// Ready says whether it answers, Terminating whether it is being deleted. If it answers on one
	// family only, leave the addresses of the other out: the Skip for that family is routine.
	Ready, Terminating bool
	// Changed says when it last became ready or ceased to be, for the trigger time. Zero: not
	// known.
	Changed time.Time
	// Node and Zone are where it runs; empty: not known.
	Node, Zone string
	// Hostname is published when Subdomain is the Service's name, or empty. Empty: none.
	Hostname, Subdomain string
	// TargetRef names the object that the endpoint stands for; it is published without its
	// resourceVersion. Zero: none.
	TargetRef corev1.ObjectReference
	// Ports are those it declares. A targetPort that is a name is looked up here; of several with
	// one name and protocol the first counts.
	Ports []BackendPort
	// PortNumbers are the numbers that ports of the Service have here, by their names, whatever
	// targetPort and Ports say. A number that is not 1 to 65535 is a Skip, and so is the name of a
	// port that the Service does not have. nil and empty: none.
	PortNumbers map[string]int32
}

// BackendPort is a port that a Backend declares.
type BackendPort struct {
	// Name is what a targetPort may say. Empty: none.
	Name string
	// Protocol empty means TCP.
	Protocol corev1.Protocol
	// Port is 1 to 65535; another number is as good as not declared.
	Port int32
}
