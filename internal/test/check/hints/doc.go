// Package hints is the guarantees H1 to H7 of package hints as code, except H4, which has an oracle beside the package's
// own tests. It shares no code with package hints but its types.
package hints
