// Package dedup is the guarantees D1 to D4 and D8 of package dedup as code: a plain reading of all slices at once.
//
// Three things are shared with package dedup, and have tests of their own: what conditions mean (package conditions), the
// normal form of a port, and which texts are IP addresses (package endpoint).
package dedup
