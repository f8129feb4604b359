package dedup

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// Sizes returns the lengths of everything in an index that grows with slices: all zero after the last delete (D6).
func (ix *Index) Sizes() []int {
	ix.prepare()
	return []int{
		len(ix.held), len(ix.services), len(ix.pending), len(ix.dirty), len(ix.unnamed),
		ix.root.services.Len(), len(ix.root.services.Chunks()), ix.root.troubles.Len(), len(ix.root.troubles.Chunks()),
		ix.root.slices.Len(), len(ix.root.slices.Chunks()), len(ix.changed),
	}
}

// Ports returns how many ports the index keeps of all Services.
func (ix *Index) Ports() (n int) {
	for _, s := range ix.services {
		n += len(s.ports)
	}
	return n
}

// Shared counts the chunks of a service port in a view, and those that another view has too.
func Shared(a, b View, name ServicePort) (chunks, shared int) {
	return sharedChunks(a.port(name).items, b.port(name).items)
}

// SharedPorts counts the chunks of a Service's ports in a view, and those that another view has too.
func SharedPorts(a, b View, service types.NamespacedName) (chunks, shared int) {
	return sharedChunks(a.service(service).ports, b.service(service).ports)
}

func sharedChunks[T any](a, b persist.Sorted[T]) (chunks, shared int) {
	has := map[*T]bool{}
	for _, chunk := range a.Chunks() {
		has[&chunk[0]] = true
	}
	for _, chunk := range b.Chunks() {
		chunks++
		if has[&chunk[0]] {
			shared++
		}
	}
	return chunks, shared
}

// CacheSize returns how many groups a cache has.
func CacheSize[G, K comparable, E any](c *Cache[G, K, E]) int { return len(c.groups) }
