// Package mirror is the guarantees M1 to M9 of package mirror as code. What a mirror's plan must meet is judged by the checks
// of package slicer, in check/slices.
//
// Two things are shared with package mirror, and have tests of their own: what conditions mean (package conditions), and
// the order of ports (endpoint.Port.Compare).
package mirror
