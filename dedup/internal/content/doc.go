// Package content is what one slice says: its ports, its endpoints in order and each once, and what cannot be used, as values
// that keep nothing of the slice but strings. What a Reader returns once never changes. Beside it is what decides between slices.
package content
