// Package view has what readers of an Index see: Services, their ports, and the endpoints behind
// the ports. A view never changes. A flush makes a new Root, which shares all equal parts with the
// last one.
package view

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/persist"
)

// Root is a whole view.
type Root struct {
	Services persist.List[*Service]
	Slices   persist.List[*content.Slice]
	// Unnamed are the problems of the last flush that are not about a slice with a name.
	Unnamed []content.Problem
}

// Service is a Service that slices belong to.
type Service struct {
	Name types.NamespacedName
	// SlicePorts is the sum of the numbers of ports of its slices, where a slice without ports adds
	// 1. It is 0 if no slice belongs to the Service.
	SlicePorts int
	Ports      persist.List[*Port]
}

// Port is a port that slices of a Service have.
type Port struct {
	content.PortName
	Slices int // the number of slices that have the port; 0 for a port that no slice has
	// Conflicts is the number of items with a Conflict. If it is 0, each address has one copy, so a
	// flush need not look at endpoints whose slice only became newer or older.
	Conflicts int
	Items     persist.List[Item]
}

// Item is the winning endpoint at one address and port number of a service port. Item must stay
// small, because there is one for every endpoint.
type Item struct {
	Claim
	Conflict *Conflict // nil if there is only one claim
}

// Claim is an endpoint of a slice at one port of the slice. Several claims may have the same
// address and port number.
type Claim struct {
	Endpoint *content.Endpoint
	Port     *content.Port
}

// Differences returns the fields in which two claims with the same address and port number differ,
// as bits in the order of dedup.Fields. The slices that hold the claims are not compared, because a
// move between slices is no change for readers.
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

// Conflict has all other claims of an item's address and port number, even if they equal the
// winner.
type Conflict struct {
	Losers []Loser // in the order of preference
}

// Loser is a claim that an item hides.
type Loser struct {
	Claim
	Reason string // the text of a dedup.LossReason
}

// Change is what changed in the endpoints of a port, in the order of the port.
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

// Service returns a Service. For a Service that is not known, it returns an empty one.
func (r *Root) Service(name types.NamespacedName) *Service {
	return *cmp.Or(r.Services.Find(func(s **Service) int { return content.CompareNames((*s).Name, name) }), &noService)
}

// Port returns a port of the Service. For a port that is not known, it returns an empty one.
func (s *Service) Port(name content.PortName) *Port {
	return *cmp.Or(s.Ports.Find(func(p **Port) int { return (*p).Compare(name) }), &noPort)
}

// noService and noPort stand for a Service and a port that are not known. They must not be changed.
var (
	noService = &Service{}
	noPort    = &Port{}
)
