package dedup

// Size returns how many things an Index holds: none after the last delete (D6).
func Size(ix *Index) int {
	return len(ix.held) + len(ix.pending) + len(ix.unnamed) + len(ix.View().data.root.Services) + len(ix.View().data.problems)
}

// CacheSize returns how many groups a Cache has.
func CacheSize[G, K comparable, E any](c *Cache[G, K, E]) int { return len(c.groups) }
