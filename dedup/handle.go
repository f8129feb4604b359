package dedup

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Handle notes an event as the handlers of an informer get it: Handle(nil, added), Handle(old, changed) and Handle(deleted, nil).
// It does what Upsert and Delete do, and returns what they return. A deleted object may be a tombstone, as client-go makes it
// where the watch missed the delete: cache.DeletedFinalStateUnknown, or a pointer to one, whose Key has the slice's name. Any
// other object is a problem (NoSlice), as a nil slice and a tombstone with another Key are. With both nil nothing is noted.
//
//	handler := cache.ResourceEventHandlerFuncs{
//		AddFunc:    func(added any) { handle(nil, added) },
//		UpdateFunc: func(old, changed any) { handle(old, changed) },
//		DeleteFunc: func(deleted any) { handle(deleted, nil) },
//	}
//
// The informer calls them on a goroutine of its own, so that handle holds the lock under which Flush is called.
func (ix *Index) Handle(old, changed any) bool {
	object := changed
	if changed == nil {
		object = old
	}
	what := ""
	switch slice, ok := object.(*discoveryv1.EndpointSlice); {
	case object == nil:
		return false
	case ok && (changed != nil || slice == nil):
		return ix.Upsert(slice)
	case ok:
		return ix.Delete(slice.Namespace, slice.Name)
	case changed == nil:
		if key, ok := keyOf(old); ok {
			namespace, name, _ := strings.Cut(key, "/")
			if namespace != "" && name != "" && !strings.Contains(name, "/") {
				return ix.Delete(namespace, name)
			}
			what = fmt.Sprintf("a tombstone of %q: its Key is namespace/name", key)
		}
	}
	ix.prepare().SetAside(content.NotASlice(cmp.Or(what, fmt.Sprintf("%T", object))))
	return true
}

// keyOf returns the Key of a tombstone, namespace/name, and false for anything else. It does without the type of client-go, which
// this module does not import.
func keyOf(tombstone any) (key string, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(tombstone))
	if v.Kind() != reflect.Struct {
		return "", false
	}
	if _, ok := v.Type().FieldByName("Obj"); !ok {
		return "", false
	}
	field, ok := v.Type().FieldByName("Key")
	if !ok || field.Type.Kind() != reflect.String {
		return "", false
	}
	if value, err := v.FieldByIndexErr(field.Index); err == nil { // else in a nil pointer
		return value.String(), true
	}
	return "", false
}
