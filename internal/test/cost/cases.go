// Package cost has calls of the library with inputs that are made to be slow, to count what they
// cost: no input costs more than its size (G11).
package cost

import "maps"

// Input makes an input of about n endpoints, slices, or whatever the case is about, and returns the
// call that gets it.
type Input func(n int) (call func())

// Cases are all, by name.
func Cases() map[string]Input {
	cases := writers()
	for _, more := range []map[string]Input{readers(), limits(), policies(), served()} {
		maps.Copy(cases, more)
	}
	return cases
}

// must is for calls whose arguments are right.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ptr[T any](v T) *T { return &v }
