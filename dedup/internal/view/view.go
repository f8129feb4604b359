// Package view is what readers of an index see: Services, their ports, and the endpoints behind these. Nothing in it ever
// changes. A flush makes a new Root, which shares with the last one whatever is the same.
package view

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// Root is all there is to a view.
type Root struct {
	Services persist.List[*Service]
	Slices   persist.List[*Slice]
	// Unnamed is what was set aside in the last flush and belongs to no slice that is held.
	Unnamed []Problem
}

// Service is a Service that slices belong to.
type Service struct {
	Name   types.NamespacedName
	Slices int // how many belong to it
	Ports  persist.List[*Port]
}

// Port is a port that slices of a Service have.
type Port struct {
	Name      string
	Protocol  corev1.Protocol
	Slices    int // how many have it
	Items     persist.List[Item]
	Conflicts persist.List[*Conflict]
}

// Item is one endpoint of a service port, the one that won. It is small, because there is one for every endpoint.
type Item struct {
	Endpoint *content.Endpoint
	Number   uint16
	Conflict bool // the port's conflicts have it, too
}

// Conflict is an item that several slices claim, in the same words or not.
type Conflict struct {
	Item   Item
	Losers []Loser // the most usable first
}

// Loser is an endpoint that the item hides.
type Loser struct {
	Endpoint *content.Endpoint
	Reason   decide.Reason
}

// Slice is one slice as it was taken in.
type Slice struct {
	Name    types.NamespacedName
	UID     types.UID
	Version string // resourceVersion
	Age     content.Age
	Origin  *content.Origin // the same as long as the slice says the same of labels and application protocols
	Service string          // empty if the slice does not say whose it is
	Content content.Content
}

// Problem is what was set aside of a slice.
type Problem struct {
	Slice types.NamespacedName // empty where it has no name
	content.Problem
}

// Change is how the endpoints of a port differ from those that it had before, in the order of the port.
type Change struct {
	// Filled is all that is there now, where nothing was there before. Then the other fields are empty.
	Filled         persist.List[Item]
	Added, Removed []Item
	Changed        []Pair
}

// Pair is an endpoint before and after.
type Pair struct{ Old, New Item }

// Empty reports whether there is no difference.
func (c *Change) Empty() bool {
	return c.Filled.Len()+len(c.Added)+len(c.Removed)+len(c.Changed) == 0
}

// CompareNames orders by namespace, then by name.
func CompareNames(a, b types.NamespacedName) int {
	if a.Namespace != b.Namespace {
		return strings.Compare(a.Namespace, b.Namespace)
	}
	return strings.Compare(a.Name, b.Name)
}

func CompareServices(a, b **Service) int { return CompareNames((*a).Name, (*b).Name) }
func CompareSlices(a, b **Slice) int     { return CompareNames((*a).Name, (*b).Name) }

// ComparePorts orders the ports of one Service by name and protocol.
func ComparePorts(a, b **Port) int {
	return cmp.Or(strings.Compare((*a).Name, (*b).Name), strings.Compare(string((*a).Protocol), string((*b).Protocol)))
}

// CompareItems orders the endpoints of one port by address, then by port number.
func CompareItems(a, b *Item) int {
	if c := content.CompareHosts(a.Endpoint, b.Endpoint); c != 0 {
		return c
	}
	return int(a.Number) - int(b.Number)
}

func CompareConflicts(a, b **Conflict) int { return CompareItems(&(*a).Item, &(*b).Item) }

// Service returns a Service, nil if it is not known.
func (r *Root) Service(name types.NamespacedName) *Service {
	return find(&r.Services, &Service{Name: name}, CompareServices)
}

// Slice returns a slice, nil if it is not known.
func (r *Root) Slice(name types.NamespacedName) *Slice {
	return find(&r.Slices, &Slice{Name: name}, CompareSlices)
}

// Port returns a port of the Service, nil if it is not known.
func (s *Service) Port(name string, protocol corev1.Protocol) *Port {
	return find(&s.Ports, &Port{Name: name, Protocol: protocol}, ComparePorts)
}

func find[T any](l *persist.List[*T], probe *T, compare func(a, b **T) int) *T {
	if found := l.Find(&probe, compare); found != nil {
		return *found
	}
	return nil
}
