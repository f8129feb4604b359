package dedup

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// AddressOptions say how Addresses reads slices. The zero value reads the first address of each endpoint in IPv4 and IPv6
// slices of one Service.
type AddressOptions struct {
	// Service is the Service's namespace and name, as in PortOptions.
	Service types.NamespacedName
	// AddressTypes are those whose endpoints are read, as in PortOptions.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint one of its own, as in PortOptions.
	AllAddresses bool
}

// Addresses returns the addresses of one Service, each once, whatever the ports, in the order of addresses as numbers: for DNS
// servers, for those who announce virtual IPs and for policies that let a Service's endpoints through. Ask Found.State whether
// an address is ready, and Found.Endpoint for its node.
//
// It is OnePort with all ports of all slices ignored, those without a number and slices without ports included: D2 chooses
// between slices that disagree, so that two Pods with one address, as on the network of their node, are one address, which is
// ready if one of them is. Found.Port is 0. Problems are those of OnePort, but for ports. nil and empty lists give nil.
//
// A reader that keeps state and follows a watch uses a Cache with addresses as keys.
func Addresses(slices []*discoveryv1.EndpointSlice, o AddressOptions) ([]Found, Problems) {
	return find(slices, PortOptions{Service: o.Service, AddressTypes: o.AddressTypes, AllAddresses: o.AllAddresses}, true)
}
