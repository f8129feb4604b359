package dedup

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// OfSlice yields what one slice says, port by port, the endpoints of each in the order of a View: for readers that make
// something of their own of a slice's endpoints when the slice changes. An endpoint that another slice hides is among
// them; View.Endpoint has the winner. Nothing if the slice is not known, or belongs to no Service.
func (v View) OfSlice(namespace, name string) iter.Seq[PortEndpoint] {
	return func(yield func(PortEndpoint) bool) {
		h := v.slice(types.NamespacedName{Namespace: namespace, Name: name})
		if h == nil || h.service == "" {
			return
		}
		records := h.sortedRecords()
		service := types.NamespacedName{Namespace: namespace, Name: h.service}
		for _, p := range h.ports {
			one := PortEndpoint{Port: ServicePort{Service: service, Port: p.name, Protocol: p.protocol}}
			for _, r := range records {
				one.Endpoint = r.endpoint(p.number)
				if !yield(one) {
					return
				}
			}
		}
	}
}

func (v View) slice(name types.NamespacedName) *holding {
	if v.root == nil {
		return nil
	}
	probe := &holding{name: name}
	if found := v.root.slices.Find(&probe, compareHoldings); found != nil {
		return *found
	}
	return nil
}

func compareHoldings(a, b **holding) int { return compareNames((*a).name, (*b).name) }

// sortedRecords returns the records in order, each once.
func (h *holding) sortedRecords() []*record {
	if h.inOrder {
		return h.records
	}
	t := pool.Get().(*scratch)
	defer t.put()
	records, _ := t.distinct(slices.Clone(h.records))
	return records
}
