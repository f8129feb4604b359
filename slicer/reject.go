package slicer

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/identity"
)

// rejectReasons are the reasons for what the API server would refuse.
var rejectReasons = [...]RejectReason{
	accept.Address: InvalidAddress, accept.Hostname: InvalidHostname, accept.NodeName: InvalidNodeName, accept.Hints: InvalidHints,
}

// reject sets a wanted endpoint aside. t is its address type, or none where it has none.
func (c *collector) reject(g *Group, at identity.Source, t int, reason RejectReason, err func(endpoint *field.Path) *field.Error) {
	r := Rejection{
		Endpoint: g.Endpoints[at.Endpoint], AddressType: g.AddressType, Ports: endpointPorts(endpoint.Ports(nil, g.Ports)),
		Reason: reason, Err: err(groupPath(int(at.Group)).Child("endpoints").Index(int(at.Endpoint))),
	}
	if t != none {
		r.AddressType = addressTypes[t]
	}
	c.w.rejected = append(c.w.rejected, r)
}

// sortRejected brings rejections into the plan's order of address types and ports, then that of endpoints.
func sortRejected(rejected []Rejection) {
	type sortable struct {
		Rejection
		ports []endpoint.Port
	}
	list := make([]sortable, len(rejected))
	for i, r := range rejected {
		list[i] = sortable{r, endpoint.Ports(nil, r.Ports)}
	}
	slices.SortStableFunc(list, func(a, b sortable) int {
		return cmp.Or(
			cmp.Compare(typeIndex(a.AddressType), typeIndex(b.AddressType)),
			slices.CompareFunc(a.ports, b.ports, endpoint.Port.Compare),
			endpoint.Compare(&a.Endpoint, &b.Endpoint),
			cmp.Compare(a.Reason, b.Reason),
			strings.Compare(a.Err.Field, b.Err.Field),
		)
	})
	for i := range list {
		rejected[i] = list[i].Rejection
	}
}
