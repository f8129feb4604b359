package dedup

import (
	"fmt"
	"reflect"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Handle takes the arguments of an informer's handler: (nil, added), (old, changed) or (deleted,
// nil). It reads the Key of a DeletedFinalStateUnknown, which client-go passes if the watch missed
// a deletion. A nil pointer to a slice counts as nil. Anything else is a Warning of Flush.
//
//	handler := cache.ResourceEventHandlerFuncs{
//		AddFunc:    func(added any) { ix.Handle(nil, added) },
//		UpdateFunc: func(old, changed any) { ix.Handle(old, changed) },
//		DeleteFunc: func(deleted any) { ix.Handle(deleted, nil) },
//	}
//
// Wait for HasSynced of the handler before you use the View: before that, it has only a part of the
// slices.
func (ix *Index) Handle(old, now any) {
	if slice, ok := now.(*discoveryv1.EndpointSlice); ok && slice != nil {
		ix.Upsert(slice)
		return
	} else if now != nil && !ok {
		ix.notASlice(fmt.Sprintf("%T", now))
		return
	}
	if slice, ok := old.(*discoveryv1.EndpointSlice); ok {
		if slice != nil {
			ix.Delete(content.NameOf(slice))
		}
		return
	} else if old == nil {
		return
	}
	key, ok := keyOf(old)
	namespace, name, _ := strings.Cut(key, "/")
	switch {
	case !ok:
		ix.notASlice(fmt.Sprintf("%T", old))
	case namespace == "" || name == "" || strings.Contains(name, "/"):
		ix.notASlice(fmt.Sprintf("a tombstone with Key %q: the Key must be namespace/name", key))
	default:
		ix.Delete(types.NamespacedName{Namespace: namespace, Name: name})
	}
}

func (ix *Index) notASlice(what string) {
	if ix == nil {
		return
	}
	defer ix.open()()
	ix.unnamed = append(ix.unnamed, content.NotASlice(what))
}

// keyOf returns the Key of a tombstone, namespace/name, and false for anything else. It uses
// reflection, because this module does not import client-go.
func keyOf(tombstone any) (key string, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(tombstone))
	if v.Kind() != reflect.Struct {
		return "", false
	}
	_, hasObject := v.Type().FieldByName("Obj")
	keyField, hasKey := v.Type().FieldByName("Key")
	if !hasObject || !hasKey || keyField.Type.Kind() != reflect.String {
		return "", false
	}
	value, err := v.FieldByIndexErr(keyField.Index) // this is an error if the field is behind a nil pointer
	return value.String(), err == nil
}
