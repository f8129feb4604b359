// Package slices is the guarantees G1 to G13 of package slicer as code.
//
// It is written from the text of the guarantees. It has its own normal forms (package form), its own idea of what an API
// server refuses (package sim), and formulas instead of an algorithm for the number of writes. [Plan] looks at one input
// and its plan. [Compute] also plans again: on copies, on shuffled inputs, and on what an API server would store. Every
// error names the guarantee that is broken.
//
// Two things are shared with the planner, and have tests of their own: what conditions mean (package conditions), and the
// order of port sets, which decides a tie of Compact (endpoint.Port.Compare).
// What Proportional decides is judged by the checks of package hints, in check/hints.
//
// Where the guarantees leave a choice (which of two equal candidates stays, which surplus leaves), the checks follow the
// plan's choice and test what the choice must meet.
package slices
