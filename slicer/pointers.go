package slicer

// Pointers returns a pointer to each value of a list, in its order: typed clients list values, and this package takes
// pointers. If the list is nil or empty, the result is empty.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
