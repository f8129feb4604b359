//go:build race

package manifest

// The race detector's own memory is no part of what a file costs.
func init() { underRace = true }
