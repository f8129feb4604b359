package mirror

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// groups returns one group for each family and list of ports, in this order, with its endpoints in
// the order of addresses. It adds a Warning for each endpoint that the API server would refuse. If
// readyOnly is set, serving and terminating are nil.
func (g *gathering) groups(readyOnly bool) []slicer.Group {
	states := statesOf(readyOnly)
	byList := make([][2]slicer.Group, len(g.ports.lists)) // by list of ports, then by family
	copies := endpoint.CopiesOf(len(g.entries))
	refused := map[*endpointAddress]bool{}
	ip := make([]string, 1)
	for _, entry := range g.entries {
		from := entry.address.from
		ip[0] = from.IP
		e := discoveryv1.Endpoint{
			Addresses: ip, Conditions: states[entry.unready],
			NodeName: from.NodeName, Hostname: &from.Hostname, TargetRef: from.TargetRef,
		}
		addressType := endpoint.AddressType(from.IP)
		canonical := slicer.Endpoint{}
		copies.Put(&canonical.API, &e, false)
		if no := accept.Refuse(0, &canonical.API, addressType, false); no != nil {
			if !refused[entry.address] {
				g.warnOf(entry.address, string(no.Part), refusalOf(no, g.path(entry.address.at)))
			}
			refused[entry.address] = true
			continue
		}
		group := &byList[entry.ports][slices.Index(endpoint.Families[:], addressType)]
		group.Endpoints = append(group.Endpoints, canonical)
	}
	order := g.ports.order()
	var groups []slicer.Group
	for family, addressType := range endpoint.Families {
		for _, list := range order {
			if group := byList[list][family]; len(group.Endpoints) > 0 {
				group.AddressType = addressType
				group.Ports = slicePorts(g.ports.lists[list].ports)
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// statesOf returns the conditions of ready and of other addresses.
func statesOf(readyOnly bool) [2]discoveryv1.EndpointConditions {
	var states [2]discoveryv1.EndpointConditions
	states[0] = conditions.State{Ready: true, Serving: true}.API()
	states[1] = conditions.State{}.API()
	for i := range states {
		if readyOnly {
			states[i].Serving = nil
			states[i].Terminating = nil
		}
	}
	return states
}

// refusalOf returns the error of a refused address. ip is the path of its IP. hostname and nodeName
// are beside it.
func refusalOf(no *accept.Refusal, ip *field.Path) *field.Error {
	err := no.Err(field.NewPath("address"))
	if no.Part == accept.Address {
		err.Field = ip.String()
		return err
	}
	err.Field = strings.TrimSuffix(ip.String(), "ip") + strings.TrimPrefix(err.Field, "address.")
	return err
}
