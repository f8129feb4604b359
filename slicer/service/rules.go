package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// families are the address types that a Service can have. A position in it stands for a family.
var families = [...]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// perFamily says something of each family.
type perFamily [len(families)]bool

// rules are what a Service and the Options say about all endpoints. They do not change.
type rules struct {
	service         *corev1.Service
	options         Options
	types           perFamily // those that slices may have
	publishNotReady bool

	// What the endpoints of all Pods point to: what their targetRefs have in common, and false and true.
	podTarget corev1.ObjectReference
	flags     [2]bool
}

func rulesOf(svc *corev1.Service, o Options) *rules {
	r := &rules{
		service: svc, options: o,
		publishNotReady: svc.Spec.PublishNotReadyAddresses && !o.IgnorePublishNotReady,

		podTarget: corev1.ObjectReference{Kind: "Pod", Namespace: svc.Namespace},
		flags:     [2]bool{false, true},
	}
	for i, addressType := range families {
		if len(o.AddressTypes) > 0 {
			r.types[i] = slices.Contains(o.AddressTypes, addressType)
		} else {
			r.types[i] = wants(svc, addressType)
		}
	}
	return r
}

// input is what the Service says about its slices, with the endpoints that it wants.
func (r *rules) input(groups []slicer.Group) slicer.Input {
	in := slicer.Input{Set: setOf(r.service, r.options), Groups: groups, Options: r.options.slices(r.service)}
	for i, addressType := range families {
		if r.types[i] {
			in.Set.AddressTypes = append(in.Set.AddressTypes, addressType)
		}
	}
	return in
}

// familyOf returns an address's position in families, -1 if it is no IP, and its canonical spelling; and where that is
// how an IPv4 address is spelt, its number, else 0.
func familyOf(address string) (family int, ip uint32, canonical string) {
	if ip, ok := endpoint.IPv4(address); ok {
		return 0, ip, address
	}
	return slices.Index(families[:], endpoint.AddressType(address)), 0, endpoint.Canonical(address)
}
