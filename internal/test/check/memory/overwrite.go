package memory

import (
	"reflect"
	"unsafe"
)

// Overwrite fills all memory that a pool keeps with values that nobody writes: texts, numbers and truth values, up to the capacity of
// each list. of is a pointer to what the pool keeps. What points into this memory is another thing afterwards.
func Overwrite(of any) { each(reflect.ValueOf(of).Elem(), true, set) }

// Untouched fills only the capacity beyond the length of each list. The function that it returns counts the elements there that are
// something else by then.
func Untouched(of any) (touched func() int) {
	each(reflect.ValueOf(of).Elem(), false, set)
	return func() (n int) {
		each(reflect.ValueOf(of).Elem(), false, func(v reflect.Value) {
			if !isSet(v) {
				n++
			}
		})
		return n
	}
}

// each calls back for every element of a list, for those beyond the length only unless all is true, and then for every other field.
func each(v reflect.Value, all bool, do func(reflect.Value)) {
	if v.CanAddr() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), all, do)
		}
	case reflect.Slice:
		list := v.Slice(0, v.Cap())
		for i := range list.Len() {
			if all || i >= v.Len() {
				do(list.Index(i))
			}
			if kind := v.Type().Elem().Kind(); kind == reflect.Struct || kind == reflect.Slice {
				each(list.Index(i), all, do)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != timeType {
				each(v.Field(i), all, do)
			}
		}
	default:
		if all {
			do(v)
		}
	}
}

const text = "overwritten"

// set overwrites a value, and in a struct or array all that is no pointer and no list.
func set(v reflect.Value) {
	if v.CanAddr() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(-77)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(77)
	case reflect.Array:
		for i := range v.Len() {
			set(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != timeType {
				set(v.Field(i))
			}
		}
	}
}

// isSet reports whether a value is as set leaves it.
func isSet(v reflect.Value) bool {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	want := reflect.New(v.Type()).Elem()
	want.Set(v)
	set(want)
	return reflect.DeepEqual(want.Interface(), v.Interface())
}
