package dedup

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Options say which slices and endpoints count. The zero value is what kube-proxy reads: the first address of each
// endpoint in IPv4 and IPv6 slices of Services. An unknown value of an enum, an unknown address type and an unknown field are
// mistakes: NewIndex returns them as an error, and Merge as Problems of a View without endpoints.
type Options struct {
	// Service says which Service of its namespace a slice belongs to, and whether the slice counts: one that does not is as if
	// it did not exist. A slice that counts and has no Service is a problem. Service must not change its argument, must
	// answer by the slice alone, and may be asked several times. nil means ByLabel(discoveryv1.LabelServiceName).
	Service func(*discoveryv1.EndpointSlice) (name string, counts bool)
	// AddressTypes are those whose endpoints are read. nil and empty mean IPv4 and IPv6: the API gives no meaning to
	// names, so FQDN must be asked for. A slice of another type makes its Service known and adds nothing else.
	AddressTypes []discoveryv1.AddressType
	// Addresses says which addresses of an endpoint are read.
	Addresses Addresses
	// AnyPort says what becomes of ports without a number.
	AnyPort AnyPort
	// Freshness says which of two slices is newer.
	Freshness Freshness
	// Significant are the fields whose change makes a Change. 0 means all. A View shows all fields in any case.
	Significant Fields
}

// ByLabel is for Options.Service: every slice counts, and a label's value is its Service. Multi-cluster services use
// multicluster.kubernetes.io/service-name.
func ByLabel(label string) func(*discoveryv1.EndpointSlice) (name string, counts bool) {
	return func(slice *discoveryv1.EndpointSlice) (string, bool) { return slice.Labels[label], true }
}

// ByOwner is for Options.Service: every slice counts, and its Service is the first of its owners that is one.
func ByOwner() func(*discoveryv1.EndpointSlice) (name string, counts bool) {
	return func(slice *discoveryv1.EndpointSlice) (string, bool) {
		for i := range slice.OwnerReferences {
			if o := &slice.OwnerReferences[i]; o.Kind == "Service" && o.APIVersion == "v1" {
				return o.Name, true
			}
		}
		return "", true
	}
}

// Addresses says which addresses of an endpoint are read. The zero value is FirstAddress.
type Addresses uint8

const (
	// FirstAddress reads the first: the API defines no meaning for the others.
	FirstAddress Addresses = iota
	// AllAddresses makes each address an endpoint of its own.
	AllAddresses
)

// AnyPort says what becomes of ports whose number is nil, which means all ports. The zero value is DropAnyPort.
type AnyPort uint8

const (
	// DropAnyPort sets such a port aside, as kube-proxy does; View.Problems lists it.
	DropAnyPort AnyPort = iota
	// KeepAnyPort reads its endpoints with port number 0, for the caller to put in what it means.
	KeepAnyPort
)

// Freshness says which of two slices is newer when both have an endpoint with one targetRef. The zero value is
// ByResourceVersion. Each is one total order of all slices, in which some may be equally new.
type Freshness uint8

const (
	// ByResourceVersion compares the resourceVersions of slices that one API server stores, which are numbers that grow
	// (KEP-5504). A slice without such a number is older than any slice with one; two slices without are compared
	// ByTriggerTime.
	ByResourceVersion Freshness = iota
	// ByTriggerTime compares the annotation endpoints.kubernetes.io/last-change-trigger-time alone. Use it for slices of
	// several API servers, whose resourceVersions mean nothing to each other. A slice without the annotation, or with one
	// that is no RFC 3339 time, is older than any other; Kubernetes' own controller removes the annotation on most
	// writes, so that the slice just written often counts as the oldest.
	ByTriggerTime
)
