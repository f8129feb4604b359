package dedup

// Pointers returns a pointer to each value of a list, in its order, because typed clients list values and this package takes
// pointers: Pointers(list.Items). The pointers point into the list. nil and empty give an empty list.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
