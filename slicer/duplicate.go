package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
)

// duplicate is a wanted endpoint whose identity another one has, the item.
type duplicate struct {
	endpoint *discoveryv1.Endpoint
	source   source
	item     int32
}

// settleDuplicates lets the best endpoint of each identity stay: a ready one, then the first by content. Of the others
// those that differ from it are rejected.
func (p *planner) settleDuplicates() {
	for i := range p.duplicates {
		d := &p.duplicates[i]
		if it := &p.items[d.item]; better(d.endpoint, it.endpoint) {
			d.endpoint, it.endpoint = it.endpoint, d.endpoint
			d.source, it.source = it.source, d.source
			it.ip = onlyIPv4(it.endpoint) // it may be spelt otherwise
		}
	}
	for i := range p.duplicates {
		d := &p.duplicates[i]
		it := &p.items[d.item]
		if p.sameWanted(d.endpoint, it.endpoint) {
			continue
		}
		p.reject(&p.in.Groups[d.source.group], d.source, int(p.groups[it.group].typ), DifferingDuplicate, func(at *field.Path) *field.Error {
			return duplicated(at, d.endpoint.Addresses,
				"another wanted endpoint has the same addresses, hostname and targetRef but differs in content: list it once")
		})
	}
}

func better(a, b *discoveryv1.Endpoint) bool {
	x, y := conditions.Of(a.Conditions), conditions.Of(b.Conditions)
	if x.Ready != y.Ready {
		return x.Ready
	}
	return compareEndpoints(a, b) < 0
}
