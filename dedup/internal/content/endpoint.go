package content

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// Endpoint is one address of one endpoint of one slice, the same for all ports of the slice. It never changes. It is small,
// because there is one for every endpoint of a cluster.
type Endpoint struct {
	Host address.Host
	*Shared
	NodeName   string
	TargetName string
	TargetUID  types.UID
	rare       *rare // nil for most
}

// Shared is what many endpoints of a slice have in common.
type Shared struct {
	Origin                      *Origin
	Usability                   decide.Usability
	Zone                        string
	TargetKind, TargetNamespace string
	ForZones                    []discoveryv1.ForZone  // in order, each once; nil for none
	zone                        [1]discoveryv1.ForZone // the memory of a list of one
}

// Target is what the endpoint stands for.
func (e *Endpoint) Target() Target {
	return Target{Kind: e.TargetKind, Namespace: e.TargetNamespace, Name: e.TargetName, UID: e.TargetUID}
}

func (s *Shared) equal(t *Shared) bool {
	return s.Origin == t.Origin && s.Usability == t.Usability && s.Zone == t.Zone &&
		s.TargetKind == t.TargetKind && s.TargetNamespace == t.TargetNamespace && slices.Equal(s.ForZones, t.ForZones)
}

// Origin is what the endpoints of a slice have in common.
type Origin struct {
	Slice  string            // the name
	Labels map[string]string // those that the options ask for; nil if the slice has none of them
}

// OriginOf is the origin of a slice's endpoints: before, if it says the same.
func (o *Options) OriginOf(slice *discoveryv1.EndpointSlice, before *Origin) *Origin {
	var labels map[string]string
	for _, key := range o.Labels {
		if value, has := slice.Labels[key]; has {
			if labels == nil {
				labels = map[string]string{}
			}
			labels[key] = value
		}
	}
	if before != nil && maps.Equal(before.Labels, labels) {
		return before
	}
	return &Origin{Slice: slice.Name, Labels: labels}
}

// rare is what only some endpoints have.
type rare struct {
	fqdn, hostname string
	forNodes       []discoveryv1.ForNode
}

// FQDN is the name of an endpoint whose host stands for a name.
func (e *Endpoint) FQDN() string {
	if e.rare == nil {
		return ""
	}
	return e.rare.fqdn
}

// Hostname is empty where the slice has none.
func (e *Endpoint) Hostname() string {
	if e.rare == nil {
		return ""
	}
	return e.rare.hostname
}

// ForNodes is in order, each hint once; nil for none.
func (e *Endpoint) ForNodes() []discoveryv1.ForNode {
	if e.rare == nil {
		return nil
	}
	return e.rare.forNodes
}

// At returns an endpoint that has an address and nothing else, to look for others of that address.
func At(h address.Host) *Endpoint { return &Endpoint{Host: h} }

// CompareHosts orders endpoints by address, those of names first, in the order of their texts.
func CompareHosts(a, b *Endpoint) int {
	if c := a.Host.Compare(b.Host); c != 0 || !a.Host.IsName() {
		return c
	}
	return strings.Compare(a.FQDN(), b.FQDN())
}

// compare orders endpoints of one slice by address, then the most usable first, then by all other fields.
func compare(a, b *Endpoint) int {
	if c := CompareHosts(a, b); c != 0 {
		return c
	}
	if a.Usability != b.Usability {
		return cmp.Compare(b.Usability, a.Usability)
	}
	return CompareFields(a, b)
}

// Same reports whether readers see no difference between two endpoints of one address, except of what slice they are.
func Same(a, b *Endpoint) bool {
	return a == b || a.Usability == b.Usability && CompareFields(a, b) == 0 && maps.Equal(a.Origin.Labels, b.Origin.Labels)
}

// CompareFields orders endpoints by all fields but address, conditions and slice.
func CompareFields(a, b *Endpoint) int {
	if a.NodeName != b.NodeName {
		return strings.Compare(a.NodeName, b.NodeName)
	}
	if a.TargetUID != b.TargetUID {
		return cmp.Compare(a.TargetUID, b.TargetUID)
	}
	if a.TargetName != b.TargetName {
		return strings.Compare(a.TargetName, b.TargetName)
	}
	if a.Shared != b.Shared {
		if c := cmp.Or(strings.Compare(a.TargetKind, b.TargetKind), strings.Compare(a.TargetNamespace, b.TargetNamespace),
			strings.Compare(a.Zone, b.Zone), slices.CompareFunc(a.ForZones, b.ForZones, compareForZones)); c != 0 {
			return c
		}
	}
	if a.rare == b.rare {
		return 0
	}
	return cmp.Or(strings.Compare(a.Hostname(), b.Hostname()), slices.CompareFunc(a.ForNodes(), b.ForNodes(), compareForNodes))
}

func compareForZones(a, b discoveryv1.ForZone) int { return strings.Compare(a.Name, b.Name) }
func compareForNodes(a, b discoveryv1.ForNode) int { return strings.Compare(a.Name, b.Name) }
