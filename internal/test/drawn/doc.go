// Package drawn checks that drawn test cases contain everything that they can contain. What is
// never drawn is not tested: without these checks, a new field of options or a new value of an enum
// passes all tests.
package drawn
