package dedup

// Sizes returns the lengths of all lists of an index's last view: all zero after the last delete
// (D6).
func (ix *Index) Sizes() []int {
	root := ix.View().root
	return []int{root.Services.Len(), root.Slices.Len(), len(root.Unnamed)}
}

// CacheSize returns how many groups a cache has.
func CacheSize[G, K comparable, E any](c *Cache[G, K, E]) int { return len(c.groups) }
