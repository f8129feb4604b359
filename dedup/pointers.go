package dedup

// Pointers returns a pointer to each value of a list, in the order of the list. Typed clients
// return values and this package takes pointers, so pass Pointers(list.Items). The pointers point
// into the list. nil and an empty list give an empty list.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
