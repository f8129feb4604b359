package slicer

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

var protocols = [...]corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP}

func supportedProtocol(p corev1.Protocol) bool { return slices.Contains(protocols[:], p) }

const ipv4 = 0 // index into addressTypes

// typeIndex returns the place of an address type in the plan's order, or -1 for one that slices cannot have.
func typeIndex(t discoveryv1.AddressType) int { return slices.Index(addressTypes[:], t) }

// typeOf is the reverse of typeIndex; empty for none.
func typeOf(t int) discoveryv1.AddressType {
	if t == none {
		return ""
	}
	return addressTypes[t]
}

// typeSet has the address types that are wanted, by their index.
type typeSet [len(addressTypes)]bool

func typesOf(types []discoveryv1.AddressType) (set typeSet) {
	for _, t := range types {
		if i := typeIndex(t); i >= 0 {
			set[i] = true
		}
	}
	return set
}
