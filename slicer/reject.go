package slicer

import (
	"cmp"
	"errors"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer/internal/identity"
)

// reject sets a wanted endpoint aside. t is its address type, or none where it has none.
func (c *collector) reject(at identity.Source, t int, reason SkipReason, err func(endpoint *field.Path) *field.Error) {
	s := skipOf(c.in, at, t)
	cause := err(endpointPath(at))
	s.Reason, s.Err, s.Path = reason, cause, cause.Field
	c.w.rejected = append(c.w.rejected, s)
}

// skipOf is a wanted endpoint that is not published, without reason. t is its address type, or none where it has none.
func skipOf(in *Input, at identity.Source, t int) Skip {
	g := &in.Groups[at.Group]
	e := &g.Endpoints[at.Endpoint]
	s := Skip{AddressType: cmp.Or(typeOf(t), g.AddressType), Object: endpoint.TargetOf(e)}
	if len(g.Ports) > 0 {
		s.Port = notation.Ports(notation.Defaulted(g.Ports))
	}
	if len(e.Addresses) > 0 {
		s.Address = endpoint.Canonical(e.Addresses[0])
	}
	return s
}

func endpointPath(at identity.Source) *field.Path {
	return groupPath(int(at.Group)).Child("endpoints").Index(int(at.Endpoint))
}

var errNoRoom = errors.New("no slice has room, and none is created while the parent is being deleted")

// skips lists what the plan does not publish, in its order.
func (e *emission) skips() []Skip {
	skips := slices.Concat(e.input.Skips, e.wanted.rejected)
	if unassigned := e.layout.Unplaced(&e.held); unassigned != nil {
		for g := range unassigned {
			for _, i := range unassigned[g] {
				at := e.wanted.items[i].Source
				s := skipOf(&e.input, at, int(e.wanted.groups[g].Type))
				s.Reason, s.Err, s.Path = NoRoom, errNoRoom, endpointPath(at).String()
				skips = append(skips, s)
			}
		}
	}
	sortSkips(skips)
	return skips
}

// mistakes returns what is rejected as an error.
func (w *wanted) mistakes() error {
	sortSkips(w.rejected)
	return joinSkips(w.rejected, func(s *Skip) error { return s.Err })
}

// resolveDuplicates lets the best endpoint of each identity stay: a ready one, then the first by content. Of the others
// those that differ from it are rejected.
func (c *collector) resolveDuplicates(duplicates []identity.Duplicate) {
	for i := range duplicates {
		d := &duplicates[i]
		if it := &c.w.items[d.Item]; better(d.Endpoint, it.Endpoint) {
			d.Endpoint, it.Endpoint = it.Endpoint, d.Endpoint
			d.Source, it.Source = it.Source, d.Source
			it.IP = endpoint.OnlyIPv4(it.Endpoint) // it may be spelt otherwise
		} else if changedEarlier(c.in.Groups, d.Source, it.Source) && endpoint.Compare(d.Endpoint, it.Endpoint) == 0 {
			d.Source, it.Source = it.Source, d.Source
		}
	}
	for i := range duplicates {
		d := &duplicates[i]
		it := &c.w.items[d.Item]
		if c.r.sameWanted(d.Endpoint, it.Endpoint) {
			continue
		}
		typ := int(c.w.groups[it.Group].Type)
		c.reject(d.Source, typ, DifferingDuplicate, func(at *field.Path) *field.Error {
			return accept.Duplicate(at, notation.Addresses(d.Endpoint.Addresses),
				"another wanted endpoint has the same addresses, hostname and targetRef but differs in content: list it once")
		})
	}
}

func better(a, b *discoveryv1.Endpoint) bool {
	x, y := conditions.Of(a.Conditions), conditions.Of(b.Conditions)
	if x.Ready != y.Ready {
		return x.Ready
	}
	return endpoint.Compare(a, b) < 0
}
