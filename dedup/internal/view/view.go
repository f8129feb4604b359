// Package view is what readers of an index see: Services, their ports, and the endpoints behind these. Nothing in it ever
// changes. A flush makes a new Root, which shares with the last one whatever is the same.
package view

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// Root is all there is to a view.
type Root struct {
	Services persist.List[*Service]
	Slices   persist.List[*content.Slice]
	// Unnamed is what was set aside in the last flush and belongs to no slice that is held.
	Unnamed []content.Problem
}

// Service is a Service that slices belong to.
type Service struct {
	Name   types.NamespacedName
	Slices int // how many ports of slices it has, a slice without ports being one; 0 if it is not known
	Ports  persist.List[*Port]
}

// Port is a port that slices of a Service have.
type Port struct {
	content.PortName
	Slices    int // how many have it; 0 if it is not known
	Conflicts int // how many of its items have one
	Items     persist.List[Item]
}

// Item is one endpoint of a service port, the one that won. It is small, because there is one for every endpoint.
type Item struct {
	Claim
	Conflict *Conflict // nil if no other slice claims its address and port number
}

// Claim is an endpoint at a port of its slice.
type Claim struct {
	Endpoint *content.Endpoint
	Port     *content.Port
}

// Differences returns the fields in which two claims of one address and port number differ, a bit for each in the order of dedup.Fields.
func (c Claim) Differences(d Claim) (fields uint8) {
	a, b := c.Endpoint, d.Endpoint
	for i, differs := range [...]bool{
		a.State != b.State,
		a.Hostname != b.Hostname,
		a.NodeName != b.NodeName,
		a.Zone != b.Zone,
		a.Target() != b.Target(),
		!slices.Equal(a.ForZones, b.ForZones) || !slices.Equal(a.ForNodes, b.ForNodes),
		c.Port.AppProtocol != d.Port.AppProtocol,
		!maps.Equal(a.Labels, b.Labels),
	} {
		if differs {
			fields |= 1 << i
		}
	}
	return fields
}

// Conflict is the other claims of an item's address and port number, whether they say the same or not.
type Conflict struct {
	Losers []Loser // the most usable first
}

// Loser is a claim that the item hides.
type Loser struct {
	Claim
	Reason string // the text of a dedup.LossReason
}

// Change is how the endpoints of a port differ from those that it had before, in the order of the port.
type Change struct {
	Added, Removed []Item
	Changed        []Pair
}

// Pair is an endpoint before and after.
type Pair struct{ Old, New Item }

func CompareServices(a, b **Service) int     { return content.CompareNames((*a).Name, (*b).Name) }
func CompareSlices(a, b **content.Slice) int { return content.CompareNames((*a).Name, (*b).Name) }

// ComparePorts orders the ports of one Service by name and protocol.
func ComparePorts(a, b **Port) int { return (*a).Compare((*b).PortName) }

// CompareItems orders the endpoints of one port by address, then by port number.
func CompareItems(a, b *Item) int {
	return cmp.Or(content.CompareHosts(a.Endpoint, b.Endpoint), cmp.Compare(a.Port.Number, b.Port.Number))
}

// Service returns a Service, one without anything if it is not known.
func (r *Root) Service(name types.NamespacedName) *Service {
	return *cmp.Or(r.Services.Find(func(s **Service) int { return content.CompareNames((*s).Name, name) }), &noService)
}

// Port returns a port of the Service, one without anything if it is not known.
func (s *Service) Port(name content.PortName) *Port {
	return *cmp.Or(s.Ports.Find(func(p **Port) int { return (*p).Compare(name) }), &noPort)
}

// Returned for a Service or a port that is not known. They are only read.
var (
	noService = &Service{}
	noPort    = &Port{}
)
