package services

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/slicer"
)

// PerFamily says what happens if a Pod or Backend has several addresses of one family. The zero
// value is EachAddress.
type PerFamily string

const (
	// EachAddress makes each address an endpoint, because kube-proxy and other readers use only the
	// first address of an endpoint (kubernetes#129886).
	EachAddress PerFamily = ""
	// FirstAddress publishes one address of each family: the first one that the API server accepts.
	// It is for readers that must count a Pod or a machine with several addresses only once. The
	// other addresses of the family are left out without a Skip. If the API server accepts no
	// address of the family, the first one gets a Skip.
	FirstAddress PerFamily = "FirstAddress"
	// JoinedAddresses makes all addresses of a family one endpoint. They keep their order, and
	// duplicates are removed.
	JoinedAddresses PerFamily = "JoinedAddresses"
)

var choices = []PerFamily{EachAddress, FirstAddress, JoinedAddresses}

// addAddresses adds endpoints with those addresses of the current workload (d.from) whose families
// are wanted. It returns the families of all addresses of the workload, wanted or not.
func (d *derivation) addAddresses(set int32) (has familySet) {
	template := discoveryv1.Endpoint{
		Conditions: d.conditions(), Hostname: d.hostname(), TargetRef: d.from.target, NodeName: d.from.node,
		Zone: d.from.zone,
	}
	var joined map[string]bool // the addresses that the endpoint has so far
	if d.options.PerFamily == JoinedAddresses && len(d.from.addresses) > 1 {
		joined = make(map[string]bool, len(d.from.addresses))
	}
	for _, address := range d.from.addresses {
		family, canonical := familyOf(address)
		if family < 0 {
			d.skip(slicer.Skip{Reason: NotAnIP, Address: address, Err: errNotAnIP})
			continue
		}
		again := has[family]
		if has[family] = true; !d.families[family] {
			continue
		}
		g := d.groupOf(set, family)
		if !again || d.options.PerFamily == EachAddress {
			d.addEndpoint(g, template, canonical)
		} else if last := &g.endpoints[len(g.endpoints)-1]; d.options.PerFamily == FirstAddress {
			if !d.accepts(last.Addresses[0]) && d.accepts(canonical) {
				last.Addresses[0] = canonical
			}
		} else if !joined[canonical] {
			last.Addresses = append(last.Addresses, canonical)
		}
		if joined != nil {
			joined[canonical] = true
		}
	}
	return has
}

// addEndpoint adds an endpoint of the current workload with one address.
func (d *derivation) addEndpoint(g *group, e discoveryv1.Endpoint, canonical string) {
	e.Addresses = d.memory.oneAddress(canonical)
	g.endpoints = append(g.endpoints, e)
	g.changed = append(g.changed, d.from.changed)
	g.sources = append(g.sources, int32(d.from.index))
}

// accepts reports whether a canonical IP can be published: the API server accepts it, or the
// options say that addresses are not checked.
func (d *derivation) accepts(ip string) bool {
	return d.options.Slices.Invalid == slicer.Pass || accept.IP(nil, ip) == nil
}

// hasPublished reports whether an address of the current workload becomes an endpoint.
func (d *derivation) hasPublished() bool {
	return slices.ContainsFunc(d.from.addresses, func(address string) bool {
		family, canonical := familyOf(address)
		return family >= 0 && d.families[family] && d.accepts(canonical)
	})
}
