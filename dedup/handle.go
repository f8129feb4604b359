package dedup

import (
	"reflect"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Handle notes an event as the handlers of an informer get it: Handle(nil, added), Handle(old, changed) and Handle(deleted, nil).
// It does what Upsert and Delete do, and returns what they return. A deleted object may be a tombstone, as client-go makes it
// where the watch missed the delete: cache.DeletedFinalStateUnknown, or a pointer to one, whose Key has the slice's name. Any
// other object is a problem, as a nil slice is. With both nil nothing is noted.
//
//	handler := cache.ResourceEventHandlerFuncs{
//		AddFunc:    func(added any) { handle(nil, added) },
//		UpdateFunc: func(old, changed any) { handle(old, changed) },
//		DeleteFunc: func(deleted any) { handle(deleted, nil) },
//	}
//
// The informer calls them on a goroutine of its own, so that handle holds the lock under which Flush is called.
func (ix *Index) Handle(old, changed any) bool {
	switch {
	case changed != nil:
		slice, _ := changed.(*discoveryv1.EndpointSlice)
		return ix.Upsert(slice)
	case old == nil:
		return false
	}
	if slice, ok := old.(*discoveryv1.EndpointSlice); ok && slice != nil {
		return ix.Delete(slice.Namespace, slice.Name)
	}
	if namespace, name, ok := strings.Cut(keyOf(old), "/"); ok {
		return ix.Delete(namespace, name)
	}
	return ix.Upsert(nil)
}

// keyOf returns the Key of a tombstone, namespace/name, and "" for anything else. It does without the type of client-go, which
// this module does not import.
func keyOf(tombstone any) string {
	v := reflect.Indirect(reflect.ValueOf(tombstone))
	if v.Kind() != reflect.Struct || !v.FieldByName("Obj").IsValid() {
		return ""
	}
	if key := v.FieldByName("Key"); key.IsValid() && key.Kind() == reflect.String {
		return key.String()
	}
	return ""
}
