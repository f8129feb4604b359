package accept

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Unread returns what kube-proxy and other readers of a slice do not use, although the API server
// accepts it.
func Unread(s *discoveryv1.EndpointSlice) (list field.ErrorList) {
	note := func(path *field.Path, value any, why string) {
		list = append(list, field.Invalid(path, value, why))
	}
	for i, p := range s.Ports {
		if p.Port == nil || !validNumber(int64(*p.Port)) {
			note(field.NewPath("ports").Index(i).Child("port"), p.Port,
				"readers skip a port whose number is missing or not 1 to 65535: set it")
		}
	}
	if s.Labels[discoveryv1.LabelServiceName] == "" {
		note(field.NewPath("metadata", "labels").Key(discoveryv1.LabelServiceName), "",
			"readers find slices by this label: give it the name of the Service")
	}
	if s.AddressType == discoveryv1.AddressTypeFQDN {
		note(field.NewPath("addressType"), s.AddressType, "kube-proxy reads IPv4 and IPv6 only")
	}
	if len(s.Ports) == 0 && len(s.Endpoints) > 0 {
		note(field.NewPath("ports"), len(s.Ports),
			"only a headless Service uses endpoints without ports: list the ports of the Pods")
	}
	seen := map[string]bool{}
	for i := range s.Endpoints {
		unreadEndpoint(&s.Endpoints[i], field.NewPath("endpoints").Index(i), seen, note)
	}
	return list
}

// unreadEndpoint calls note for each part of an endpoint that readers do not use. seen has the
// addresses of earlier endpoints of the slice. Ports need not be compared, because all endpoints of
// a slice have the same ports.
func unreadEndpoint(
	e *discoveryv1.Endpoint, path *field.Path, seen map[string]bool, note func(path *field.Path, value any, why string),
) {
	if n := len(e.Addresses); n > 1 {
		note(path.Child("addresses"), n, "readers use the first address only: make each address an endpoint of its own")
	}
	if n := len(e.DeprecatedTopology); n > 0 {
		note(path.Child("deprecatedTopology"), n, "the API server removes it: use nodeName and zone")
	}
	if e.Hints != nil {
		for j, z := range e.Hints.ForZones {
			if z.Name == "" {
				note(path.Child("hints", "forZones").Index(j).Child("name"), "",
					"no reader is in a zone without name: name the zone")
			}
		}
	}
	if len(e.Addresses) == 0 {
		return
	}
	address := endpoint.Canonical(e.Addresses[0])
	if seen[address] {
		note(path.Child("addresses").Index(0), e.Addresses[0],
			"an endpoint before it has this address, and readers use one of them: list it once")
	}
	seen[address] = true
}
