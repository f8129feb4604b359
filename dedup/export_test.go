package dedup

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// Sizes returns the lengths of all lists of an index's last view: all zero after the last delete
// (D6).
func (ix *Index) Sizes() []int {
	root := ix.View().root
	return []int{root.Services.Len(), root.Slices.Len(), len(root.Unnamed)}
}

// Shared counts the endpoints of a service port in a view, and those that are in the same memory in
// another view.
func Shared(a, b View, name ServicePort) (count, shared int) {
	return sharedElements(&a.port(name).Items, &b.port(name).Items)
}

// SharedPorts counts the ports of a Service in a view, and those that are in the same memory in
// another view.
func SharedPorts(a, b View, service types.NamespacedName) (count, shared int) {
	return sharedElements(&a.at().Service(service).Ports, &b.at().Service(service).Ports)
}

func sharedElements[T any](a, b *persist.List[T]) (count, shared int) {
	has := map[*T]bool{}
	for element := range a.All {
		has[element] = true
	}
	for element := range b.All {
		count++
		if has[element] {
			shared++
		}
	}
	return count, shared
}

// CacheSize returns how many groups a cache has.
func CacheSize[G, K comparable, E any](c *Cache[G, K, E]) int { return len(c.groups) }
