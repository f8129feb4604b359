//go:build race

package hints_test

// underRace: the race detector makes sync.Pool forget on purpose, so that allocations cannot be counted.
const underRace = true
