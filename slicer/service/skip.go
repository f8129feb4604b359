package service

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// SkipReason says why something is not published.
type SkipReason uint8

const (
	// NilPod: there is no Pod at this index.
	NilPod SkipReason = iota + 1
	// OtherNamespace: the Pod is not in the Service's namespace.
	OtherNamespace
	// NotSelected: the Pod's labels do not match the Service's selector.
	NotSelected
	// PodFinished: the Pod has Failed or Succeeded, and its IP may be another's.
	PodFinished
	// NoAddress: it has no address yet.
	NoAddress
	// NotAnIP: Skip.Address is not an IP, so that no address type of a Service can hold it. Its other addresses are
	// published.
	NotAnIP
	// NoAddressOfType: the Service wants Skip.AddressType, and it has none of it. Its addresses of the Service's other
	// type are published.
	NoAddressOfType
	// NodeMissing: the Pod's Node is not found, or it has none. Call again when Nodes change.
	NodeMissing
	// PortLeftOut: it lacks Skip.Port and is published without it.
	PortLeftOut
	// PortMissing: it lacks Skip.Port and is not published.
	PortMissing
	// AddressesUnread: Options.Addresses returned Skip.Err, and it is not published.
	AddressesUnread
)

// Skip is something that is not published: a whole Pod or Backend, one of its addresses, or
// one of its ports.
type Skip struct {
	// Index is the position in pods or backends.
	Index int
	// Pod is the caller's pointer, read-only; nil for a backend and for a nil Pod.
	Pod *corev1.Pod
	// Name is Backend.Name; empty for a Pod.
	Name string
	// Reason says why.
	Reason SkipReason
	// AddressType is the one that misses the endpoint, with NoAddressOfType.
	AddressType discoveryv1.AddressType
	// Address is the text that is no IP, with NotAnIP.
	Address string
	// Port is the Service's port that does not resolve, with PortLeftOut and PortMissing; the caller's, read-only.
	Port *corev1.ServicePort
	// Err is what Options.Addresses returned, with AddressesUnread.
	Err error
}

// String returns one line for people, such as "pods[3] shop/web-1: no-address-of-type IPv6".
func (s Skip) String() string {
	text := fmt.Sprintf("backends[%d]", s.Index)
	switch {
	case s.Pod != nil:
		text = fmt.Sprintf("pods[%d] %s/%s", s.Index, s.Pod.Namespace, s.Pod.Name)
	case s.Reason == NilPod:
		text = fmt.Sprintf("pods[%d]", s.Index)
	case s.Name != "":
		text += " " + s.Name
	}
	text += ": " + s.Reason.String()
	if detail := s.Detail(); detail != "" {
		text += " " + detail
	}
	return text
}

// Detail returns what the Reason is about: the port, address, address type or Node, such as "IPv6"; empty where there is
// no more to say. It depends neither on the order of Pods nor on their number, so that with Reason and Pod it tells
// repeated events apart.
func (s Skip) Detail() string {
	switch {
	case s.Err != nil:
		return s.Err.Error()
	case s.Port != nil:
		return fmt.Sprintf("%s/%s", s.Port.TargetPort.String(), protocolOf(s.Port.Protocol))
	case s.Reason == NotAnIP:
		return fmt.Sprintf("%q", s.Address)
	case s.AddressType != "":
		return string(s.AddressType)
	case s.Reason == NodeMissing && s.Pod != nil:
		return fmt.Sprintf("%q", s.Pod.Spec.NodeName)
	default:
		return ""
	}
}

// protocolOf applies the API server's default.
func protocolOf(p corev1.Protocol) corev1.Protocol {
	if p == "" {
		return corev1.ProtocolTCP
	}
	return p
}
