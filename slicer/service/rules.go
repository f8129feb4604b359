package service

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// familySet is a set of families, a bit for each. A family is a position in endpoint.Families.
type familySet uint8

func only(family int) familySet { return 1 << family }

func (s familySet) has(family int) bool { return s>>family&1 != 0 }

// rules are what a Service and the Options say about all endpoints. They do not change.
type rules struct {
	service         *corev1.Service
	options         Options
	families        familySet // those that slices may have
	publishNotReady bool
}

func rulesOf(svc *corev1.Service, o Options) rules {
	r := rules{service: svc, options: o, publishNotReady: svc.Spec.PublishNotReadyAddresses && !o.IgnorePublishNotReady}
	for i, addressType := range endpoint.Families {
		if slices.Contains(o.AddressTypes, addressType) || len(o.AddressTypes) == 0 && wants(svc, addressType) {
			r.families |= only(i)
		}
	}
	return r
}

// familyOf returns an address's position in endpoint.Families, -1 if it is no IP, and its canonical spelling.
func familyOf(address string) (family int, canonical string) {
	if _, ok := endpoint.IPv4(address); ok {
		return 0, address
	}
	if _, err := netip.ParseAddr(address); err != nil { // 010.0.0.1 is 8.0.0.1 to some and 10.0.0.1 to others
		return -1, ""
	}
	return slices.Index(endpoint.Families[:], endpoint.AddressType(address)), endpoint.Canonical(address)
}
