package slicer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/key"
)

// reject sets a wanted endpoint aside. t is its address type, or none where it has none.
func (p *planner) reject(at source, t int, reason RejectReason, err func(endpoint *field.Path) *field.Error) {
	g := &p.in.Groups[at.group]
	r := Rejection{
		Endpoint: g.Endpoints[at.endpoint], AddressType: g.AddressType, Ports: endpointPorts(key.Ports(nil, g.Ports)),
		Reason: reason, Err: err(groupPath(int(at.group)).Child("endpoints").Index(int(at.endpoint))),
	}
	if t != none {
		r.AddressType = addressTypes[t]
	}
	p.plan.Rejected = append(p.plan.Rejected, r)
}

// sortRejected brings rejections into the plan's order of address types and ports, then that of endpoints.
func (p *planner) sortRejected() {
	type sortable struct {
		Rejection
		ports []key.Port
	}
	if len(p.plan.Rejected) < 2 {
		return
	}
	list := make([]sortable, len(p.plan.Rejected))
	for i, r := range p.plan.Rejected {
		list[i] = sortable{r, key.Ports(nil, r.Ports)}
	}
	slices.SortStableFunc(list, func(a, b sortable) int {
		return cmp.Or(
			cmp.Compare(typeIndex(a.AddressType), typeIndex(b.AddressType)),
			slices.CompareFunc(a.ports, b.ports, key.Port.Compare),
			compareEndpoints(&a.Endpoint, &b.Endpoint),
			cmp.Compare(a.Reason, b.Reason),
			compareUncompared(&a.Endpoint, &b.Endpoint),
			strings.Compare(a.Err.Field, b.Err.Field),
		)
	})
	for i := range list {
		p.plan.Rejected[i] = list[i].Rejection
	}
}

// compareUncompared orders endpoints by what is no content: the target's resourceVersion and the deprecated topology.
func compareUncompared(a, b *discoveryv1.Endpoint) int {
	if a.TargetRef != nil && b.TargetRef != nil && a.TargetRef.ResourceVersion != b.TargetRef.ResourceVersion {
		return strings.Compare(a.TargetRef.ResourceVersion, b.TargetRef.ResourceVersion)
	}
	if d := cmp.Compare(len(a.DeprecatedTopology), len(b.DeprecatedTopology)); d != 0 {
		return d
	}
	for _, k := range slices.Sorted(maps.Keys(a.DeprecatedTopology)) {
		if d := strings.Compare(a.DeprecatedTopology[k], b.DeprecatedTopology[k]); d != 0 {
			return d
		}
	}
	return 0
}
