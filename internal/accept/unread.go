package accept

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Unread returns what kube-proxy and other readers of a slice do not use, although the API server
// accepts it.
func Unread(s *discoveryv1.EndpointSlice) (list field.ErrorList) {
	drop := func(path *field.Path, value any, why string) {
		list = append(list, field.Invalid(path, value, why))
	}
	for i, p := range s.Ports {
		if p.Port == nil || !validNumber(int64(*p.Port)) {
			drop(field.NewPath("ports").Index(i).Child("port"), p.Port,
				"readers leave out a port without a number of 1 to 65535: give one")
		}
	}
	if s.Labels[discoveryv1.LabelServiceName] == "" {
		drop(field.NewPath("metadata", "labels").Key(discoveryv1.LabelServiceName), "",
			"readers find slices by this label: give it the name of the Service")
	}
	if s.AddressType == discoveryv1.AddressTypeFQDN {
		drop(field.NewPath("addressType"), s.AddressType, "kube-proxy reads IPv4 and IPv6 only")
	}
	if len(s.Ports) == 0 && len(s.Endpoints) > 0 {
		drop(field.NewPath("ports"), len(s.Ports),
			"only a headless Service uses endpoints without ports: list the ports of the Pods")
	}
	seen := map[string]bool{}
	for i := range s.Endpoints {
		unreadEndpoint(&s.Endpoints[i], field.NewPath("endpoints").Index(i), seen, drop)
	}
	return list
}

// unreadEndpoint calls drop for what readers do not use of an endpoint. seen has the addresses of
// the endpoints before it.
func unreadEndpoint(
	e *discoveryv1.Endpoint, path *field.Path, seen map[string]bool, drop func(path *field.Path, value any, why string),
) {
	if n := len(e.Addresses); n > 1 {
		drop(path.Child("addresses"), n, "readers use the first address only: make an endpoint of each")
	}
	if n := len(e.DeprecatedTopology); n > 0 {
		drop(path.Child("deprecatedTopology"), n, "the API server removes it: use nodeName and zone")
	}
	if e.Hints != nil {
		for j, z := range e.Hints.ForZones {
			if z.Name == "" {
				drop(path.Child("hints", "forZones").Index(j).Child("name"), "",
					"no reader is in a zone without name: name the zone")
			}
		}
	}
	if len(e.Addresses) == 0 {
		return
	}
	address := endpoint.Canonical(e.Addresses[0])
	if seen[address] {
		drop(path.Child("addresses").Index(0), e.Addresses[0],
			"an endpoint before it has this address, and readers use one of them: list it once")
	}
	seen[address] = true
}
