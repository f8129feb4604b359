package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer/internal/identity"
)

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
			return duplicated(at, notation.Addresses(d.Endpoint.Addresses),
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
