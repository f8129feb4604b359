package content

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Endpoint is one address of one endpoint of one slice. It is the same for all ports of the slice,
// and never changes. It is small, because there is one for every endpoint of a cluster.
type Endpoint struct {
	Host address.Host
	*Shared
	NodeName   string
	TargetName string
	TargetUID  types.UID
}

// Shared has the fields that are usually equal in many endpoints of a slice.
type Shared struct {
	Slice string // the name of the slice
	// the labels of the slice that are in Options.Labels; nil if it has none of them
	Labels                                            map[string]string
	State                                             conditions.State
	Zone, Hostname, FQDN, TargetKind, TargetNamespace string
	ForZones                                          []discoveryv1.ForZone // sorted, each once; nil if there are none
	ForNodes                                          []discoveryv1.ForNode // as ForZones
	// memory for ForZones if it has one element
	zone [1]discoveryv1.ForZone
}

// Target returns the object that the endpoint stands for.
func (e *Endpoint) Target() Target {
	return Target{Kind: e.TargetKind, Namespace: e.TargetNamespace, Name: e.TargetName, UID: e.TargetUID}
}

// Of returns what an endpoint of a slice says, apart from its addresses.
func Of(from *discoveryv1.Endpoint) *Endpoint {
	e := &Endpoint{Shared: &Shared{}}
	e.fill(from, e.Shared)
	return e
}

// fill reads all fields except for addresses.
func (e *Endpoint) fill(from *discoveryv1.Endpoint, s *Shared) {
	s.State = conditions.Of(from.Conditions)
	t := TargetOf(from)
	s.TargetKind = t.Kind
	s.TargetNamespace = t.Namespace
	e.TargetName = t.Name
	e.TargetUID = t.UID
	s.Zone = endpoint.Text(from.Zone)
	e.NodeName = endpoint.Text(from.NodeName)
	s.Hostname = endpoint.Text(from.Hostname)
	if from.Hints != nil {
		s.ForZones = inOrder(from.Hints.ForZones, compareForZones)
		s.ForNodes = inOrder(from.Hints.ForNodes, compareForNodes)
	}
}

// inOrder returns a sorted list with each element once. It is nil if it is empty. A list of one
// element is returned as it is, so it still belongs to the caller.
func inOrder[T comparable](list []T, compare func(a, b T) int) []T {
	if len(list) == 1 {
		return list
	}
	list = append([]T(nil), list...)
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// equal reports whether s and t are equal, for endpoints of one slice with the same labels.
func (s *Shared) equal(t *Shared) bool {
	return s.State == t.State && s.Zone == t.Zone && s.Hostname == t.Hostname && s.FQDN == t.FQDN &&
		s.TargetKind == t.TargetKind && s.TargetNamespace == t.TargetNamespace &&
		slices.Equal(s.ForZones, t.ForZones) && slices.Equal(s.ForNodes, t.ForNodes)
}

// CompareHosts orders endpoints by address. Names come first, in alphabetical order.
func CompareHosts(a, b *Endpoint) int {
	if c := a.Host.Compare(b.Host); c != 0 || !a.Host.IsName() {
		return c
	}
	return strings.Compare(a.FQDN, b.FQDN)
}

// compare orders endpoints of one slice by address, then the most usable one first, then by all
// other fields.
func compare(a, b *Endpoint) int {
	if c := CompareHosts(a, b); c != 0 {
		return c
	}
	return cmp.Or(CompareUsability(a.State, b.State), CompareFields(a, b))
}

// CompareFields orders endpoints by all fields except for address, conditions and slice.
func CompareFields(a, b *Endpoint) int {
	c := cmp.Or(strings.Compare(a.NodeName, b.NodeName), cmp.Compare(a.TargetUID, b.TargetUID),
		strings.Compare(a.TargetName, b.TargetName))
	if c != 0 || a.Shared == b.Shared { // most endpoints of a slice have the same Shared
		return c
	}
	return cmp.Or(strings.Compare(a.TargetKind, b.TargetKind), strings.Compare(a.TargetNamespace, b.TargetNamespace),
		strings.Compare(a.Zone, b.Zone), slices.CompareFunc(a.ForZones, b.ForZones, compareForZones),
		strings.Compare(a.Hostname, b.Hostname), slices.CompareFunc(a.ForNodes, b.ForNodes, compareForNodes))
}

func compareForZones(a, b discoveryv1.ForZone) int { return strings.Compare(a.Name, b.Name) }
func compareForNodes(a, b discoveryv1.ForNode) int { return strings.Compare(a.Name, b.Name) }
