// Package deps has no code of its own: its tests hold the module's imports to the design. What
// production code may import, in which direction, what that costs, and which calls it may not make
// is written down in arrows_test.go and banned_test.go.
package deps
