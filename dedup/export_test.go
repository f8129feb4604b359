package dedup

import "k8s.io/apimachinery/pkg/types"

// Sizes returns the lengths of everything in an index that grows with slices: all zero after the last delete (D6).
func (ix *Index) Sizes() []int {
	ix.prepare()
	return []int{
		len(ix.held), len(ix.services), len(ix.pending), len(ix.dirty), len(ix.unnamed),
		ix.root.services.size, len(ix.root.services.chunks), ix.root.troubles.size, len(ix.root.troubles.chunks),
		ix.root.slices.size, len(ix.root.slices.chunks), len(ix.changed),
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

func sharedChunks[T any](a, b sorted[T]) (chunks, shared int) {
	has := map[*T]bool{}
	for _, chunk := range a.chunks {
		has[&chunk[0]] = true
	}
	for _, chunk := range b.chunks {
		chunks++
		if has[&chunk[0]] {
			shared++
		}
	}
	return chunks, shared
}

// CacheSize returns how many groups a cache has.
func CacheSize[G, K comparable, E any](c *Cache[G, K, E]) int { return len(c.groups) }
