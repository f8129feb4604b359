package service

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// prefetch reads what a slice's endpoints and the wanted endpoints that they may be are compared by.
func (m *matcher) prefetch(endpoints []discoveryv1.Endpoint, matches []match) {
	var list [endpoint.PrefetchDistance]*discoveryv1.Endpoint
	for i := range endpoints {
		list[i] = &endpoints[i]
		if w := matches[i].wanted; w != none {
			m.sink += len(m.w.endpoints[w].name)
		}
	}
	m.sink += endpoint.Prefetch(list[:len(endpoints)])
	for _, at := range matches {
		if at.wanted != none {
			e := &m.w.endpoints[at.wanted]
			m.sink += endpoint.PrefetchText(e.name) + endpoint.PrefetchText(string(e.uid))
		}
	}
}
