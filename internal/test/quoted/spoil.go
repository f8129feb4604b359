// Package quoted puts text that a reader would misread into the inputs of the library, and looks
// for it in all that the library prints.
package quoted

import (
	"fmt"
	"reflect"
	"strings"
)

// injected is a line of its own if a line break is printed as it is.
const injected = "INJECTED"

// Odd has a line break, an escape sequence and a character that changes the direction of writing.
const Odd = "x\n" + injected + "\x1b[31m\u202e"

// raw reports whether a text has a part of Odd as it is.
func raw(text string) bool {
	return strings.Contains(text, "\n"+injected) || strings.Contains(text, "\x1b") || strings.Contains(text, "\u202e")
}

// Spoil sets one text after the other of a value to Odd, calls do with the text's path, and
// restores the text. value is a pointer. Texts are strings, also behind pointers that are nil,
// items of lists, and keys and values of maps.
func Spoil(value any, do func(path string)) {
	spoil(reflect.ValueOf(value), "", do)
}

func spoil(v reflect.Value, path string, do func(string)) {
	set := func(to reflect.Value, at string) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		v.Set(to)
		do(path + at)
		v.Set(old)
	}
	odd := func(t reflect.Type) reflect.Value { return reflect.ValueOf(Odd).Convert(t) }
	switch v.Kind() {
	case reflect.String:
		set(odd(v.Type()), "")
	case reflect.Pointer:
		switch {
		case !v.IsNil():
			spoil(v.Elem(), path, do)
		case v.Type().Elem().Kind() == reflect.String:
			text := reflect.New(v.Type().Elem())
			text.Elem().Set(odd(v.Type().Elem()))
			set(text, "")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				spoil(v.Field(i), path+"."+f.Name, do)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i), fmt.Sprintf("%s[%d]", path, i), do)
		}
		if v.Type().Elem().Kind() == reflect.String {
			set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), odd(v.Type().Elem())), "[+]")
		}
	case reflect.Map:
		spoilMap(v, set)
	}
}

// spoilMap gives each key another value, and adds a key, if they are texts.
func spoilMap(v reflect.Value, set func(to reflect.Value, at string)) {
	with := func(key, value reflect.Value) reflect.Value {
		m := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			m.SetMapIndex(k, v.MapIndex(k))
		}
		m.SetMapIndex(key, value)
		return m
	}
	odd := reflect.ValueOf(Odd)
	if v.Type().Key().Kind() == reflect.String {
		value := reflect.Zero(v.Type().Elem())
		if keys := v.MapKeys(); len(keys) > 0 {
			value = v.MapIndex(keys[0])
		}
		set(with(odd.Convert(v.Type().Key()), value), "[+]")
	}
	if v.Type().Elem().Kind() == reflect.String {
		for _, k := range v.MapKeys() {
			set(with(k, odd.Convert(v.Type().Elem())), fmt.Sprintf("[%v]", k))
		}
	}
}

// Raw returns what prints a part of Odd as it is: a String or Error method of one of the values, or
// of anything in them, apart from objects of the API. A path with the text is given for each.
func Raw(values ...any) (found []string) {
	for _, value := range values {
		look(reflect.ValueOf(value), fmt.Sprintf("%T", value), 0, &found)
	}
	return found
}

func look(v reflect.Value, path string, depth int, found *[]string) {
	if !v.IsValid() || depth > 12 || isNil(v) || ofAPI(v.Type()) {
		return
	}
	if v.CanInterface() {
		text := ""
		switch p := v.Interface().(type) {
		case error:
			text = p.Error()
		case fmt.Stringer:
			text = p.String()
		}
		if raw(text) {
			*found = append(*found, fmt.Sprintf("%s prints %q", path, text))
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		look(v.Elem(), path, depth+1, found)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				look(v.Field(i), path+"."+f.Name, depth+1, found)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			look(v.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1, found)
		}
	}
}

// ofAPI reports whether Kubernetes defines the type.
func ofAPI(t reflect.Type) bool {
	name := strings.TrimLeft(t.String(), "*")
	return strings.HasPrefix(name, "v1.") || strings.HasPrefix(name, "types.")
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
		return v.IsNil()
	default:
		return false
	}
}
