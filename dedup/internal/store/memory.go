package store

import (
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// memory is what a flush works with. It comes from a pool and goes back empty, so that a store that rests holds none, and
// nothing that is gone stays alive through it.
type memory struct {
	reader  *content.Reader
	names   []types.NamespacedName // of slices
	updates []update

	slices   []persist.Edit[*content.Slice]
	services []persist.Edit[*view.Service]
	ports    []persist.Edit[*view.Port] // of the Service at hand
	items    []persist.Edit[view.Item]  // of the port at hand, as all that follows
	change   view.Change

	order  address.Ports // what became of claims, by address and number
	all    []view.Claim  // that order points to
	item   view.Item     // at the address at hand, as all that follows
	claims []view.Claim
	facts  []content.Fact // of these
	ranks  []decide.Claim
}

var pool = sync.Pool{New: func() any {
	m := &memory{reader: content.NewReader()}
	m.order.Names = func(a, b int32) int { return strings.Compare(m.all[a].Endpoint.FQDN, m.all[b].Endpoint.FQDN) }
	return m
}}

// put gives the memory back. Memory that a panic interrupted is not given back.
func (m *memory) put() {
	m.reader.Reset()
	m.names, m.updates, m.slices, m.services, m.ports = emptied(m.names), emptied(m.updates), emptied(m.slices), emptied(m.services), emptied(m.ports)
	m.items, m.change, m.item = emptied(m.items), view.Change{}, view.Item{}
	m.all, m.claims, m.facts = emptied(m.all), emptied(m.claims), emptied(m.facts)
	pool.Put(m)
}

// emptied drops what a buffer holds. A buffer is emptied before each use, so that it holds nothing beyond its length.
func emptied[T any](buf []T) []T {
	clear(buf)
	return buf[:0]
}
