// Package zero takes one value after the other out of the arguments of calls, for tests of what a
// call does with nil and with zero values.
package zero

import (
	"fmt"
	"reflect"
)

// Remove sets one part of a value after the other to its zero value, calls do with the path of the
// part, and restores it. value is a pointer. The parts are the value itself, fields, items of
// lists, and what pointers point to. Each list also gets a zero item at its end. Each map becomes a
// map with only a zero key, an any with a pointer one with a nil pointer, and each function one
// that returns zero values.
func Remove(value any, do func(path string)) {
	remove(reflect.ValueOf(value).Elem(), "", do)
}

func remove(v reflect.Value, path string, do func(string)) {
	set := func(to reflect.Value, at string) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		v.Set(to)
		do(path + at)
		v.Set(old)
	}
	if !v.IsZero() {
		set(reflect.Zero(v.Type()), "")
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			set(reflect.New(v.Type().Elem()), "=&0")
		} else {
			remove(v.Elem(), path, do)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				remove(v.Field(i), path+"."+v.Type().Field(i).Name, do)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			remove(v.Index(i), fmt.Sprintf("%s[%d]", path, i), do)
		}
		set(reflect.MakeSlice(v.Type(), 0, 0), "=[]")
		set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), reflect.Zero(v.Type().Elem())), "[+]")
	case reflect.Map:
		zero := reflect.MakeMap(v.Type())
		zero.SetMapIndex(reflect.Zero(v.Type().Key()), reflect.Zero(v.Type().Elem()))
		set(zero, "[0]")
	case reflect.Interface:
		if v.NumMethod() == 0 && v.Elem().Kind() == reflect.Pointer {
			set(reflect.Zero(v.Elem().Type()), "=(nil)")
		}
	case reflect.Func:
		set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return zeros(v.Type()) }), "=0")
	}
}

// zeros are the results of a function that returns zero values.
func zeros(f reflect.Type) (results []reflect.Value) {
	for i := range f.NumOut() {
		results = append(results, reflect.Zero(f.Out(i)))
	}
	return results
}
