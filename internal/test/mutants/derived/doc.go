// Package derived makes mutants from the code of a package, and counts which ones its tests notice.
//
// Each mutant is one small change of one expression or statement; [Kind] lists what is changed. All chosen mutants of a
// package are compiled into one test binary, through an overlay, so that the tree is not touched: every changed
// expression asks a package variable, which is read from the environment at the start, whether its mutant is the active
// one. So a mutant costs one run of the package's tests and no compilation.
//
// A mutant that survives is either a hole in the tests or equivalent: it changes nothing that a caller can observe, except
// speed. Those are listed with a reason below testdata/mutants/equivalent; see [Equivalent].
package derived
