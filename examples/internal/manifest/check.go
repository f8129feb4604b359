package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

const (
	unknownField = "unknown field; check its spelling and place (-lenient skips what a newer API server prints)"
	givenTwice   = "given twice; remove one"
	unrendered   = "a template that was not rendered; render it first, for example by helm template"
)

// check compares a JSON value with the Go type that it becomes. Decoders report one mistake without
// the index, the value or the field, and make structs of any size out of two brackets.
type check struct {
	at      place
	lenient bool
	weight  *int // bytes of memory that are left for what the file becomes
}

// value checks what stands at a path of the object.
func (c check) value(path string, raw []byte, t reflect.Type) error {
	if string(raw) == "null" {
		return nil
	}
	for t.Kind() == reflect.Pointer && !decodesItself(t) {
		t = t.Elem()
		if err := c.take(path, int(t.Size())); err != nil {
			return err
		}
	}
	if decodesItself(t) {
		return c.itself(path, raw, t)
	}
	switch t.Kind() {
	case reflect.Struct:
		return c.object(path, raw, t)
	case reflect.Map:
		return c.mapping(path, raw, t)
	case reflect.Slice:
		return c.list(path, raw, t)
	default:
		return c.scalar(path, raw, t)
	}
}

// take accounts for memory.
func (c check) take(path string, bytes int) error {
	if *c.weight -= bytes; *c.weight < 0 {
		return c.at.problem(path, "the file takes many times its size in memory up to here; leave empty entries out")
	}
	return nil
}

// object checks the fields of a struct.
func (c check) object(path string, raw []byte, t reflect.Type) error {
	if raw[0] != '{' {
		return c.mistyped(path, raw, "an object")
	}
	known, seen := fieldsOf(t), map[string]bool{}
	for key, value := range members(raw) {
		at := join(path, key)
		field, ok := known[key]
		switch {
		case seen[key]:
			return c.at.problem(at, givenTwice)
		case !ok && strings.Contains(key, "{{"):
			return c.at.problem(at, unrendered)
		case !ok && !c.lenient:
			return c.at.problem(at, unknownField)
		}
		if seen[key] = true; ok {
			if err := c.value(at, value, field); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c check) mapping(path string, raw []byte, t reflect.Type) error {
	if raw[0] != '{' {
		return c.mistyped(path, raw, "an object")
	}
	seen := map[string]bool{}
	for key, value := range members(raw) {
		at := join(path, key)
		if seen[key] {
			return c.at.problem(at, givenTwice)
		}
		seen[key] = true
		if err := c.take(at, 2*int(t.Key().Size()+t.Elem().Size())); err != nil {
			return err
		}
		if err := c.value(at, value, t.Elem()); err != nil {
			return err
		}
	}
	return nil
}

func (c check) list(path string, raw []byte, t reflect.Type) error {
	if raw[0] != '[' {
		return c.mistyped(path, raw, "a list")
	}
	i := 0
	for value := range items(raw) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if err := c.take(at, int(t.Elem().Size())); err != nil {
			return err
		}
		if err := c.value(at, value, t.Elem()); err != nil {
			return err
		}
		i++
	}
	return nil
}

func (c check) scalar(path string, raw []byte, t reflect.Type) error {
	switch t.Kind() {
	case reflect.String:
		if raw[0] != '"' {
			return c.mistyped(path, raw, "a string")
		}
		if bytes.Contains(raw, []byte("{{")) && !freeText(path) {
			return c.at.problem(path, short(raw)+" is "+unrendered)
		}
		return c.take(path, len(raw))
	case reflect.Bool:
		if string(raw) != "true" && string(raw) != "false" {
			return c.mistyped(path, raw, "true or false")
		}
	case reflect.Int32, reflect.Int64, reflect.Int:
		if _, err := strconv.ParseInt(string(raw), 10, t.Bits()); err != nil {
			return c.mistyped(path, raw, fmt.Sprintf("a whole number of at most %d bits", t.Bits()))
		}
	}
	return nil
}

// freeText reports whether braces are ordinary text at a path: in annotations and in what the
// containers of a Pod run.
func freeText(path string) bool {
	return strings.HasPrefix(path, "metadata.annotations.") || strings.Contains(strings.ToLower(path), "containers[")
}

// itself checks a value of a type that has a decoder of its own, such as a time.
func (c check) itself(path string, raw []byte, t reflect.Type) error {
	want := map[string]string{
		"Time": "a time such as 2026-01-31T12:00:00Z", "MicroTime": "a time such as 2026-01-31T12:00:00.000000Z",
		"Quantity": "a quantity such as 100m or 1Gi", "IntOrString": "a number or a name", "FieldsV1": "an object",
	}[t.Name()]
	if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
		return c.mistyped(path, raw, want)
	}
	return nil
}

func (c check) mistyped(path string, raw []byte, want string) error {
	problem := fmt.Sprintf("want %s, got %s", want, short(raw))
	switch {
	case bytes.Contains(raw, []byte("{{")):
		problem = short(raw) + " is " + unrendered
	case want == "a string" && raw[0] != '{' && raw[0] != '[':
		problem += "; put it in quotes"
	default:
		problem += "; correct it"
	}
	return c.at.problem(path, problem)
}

// short is the beginning of a value.
func short(raw []byte) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "..."
}

func join(path, key string) string {
	if strings.ContainsAny(key, "./ ") {
		return path + "[" + strconv.Quote(key) + "]"
	}
	return strings.TrimPrefix(path+"."+key, ".")
}

func decodesItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// fieldsOf returns the types of a struct's fields by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := fieldTypes.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		switch name, _, _ := strings.Cut(f.Tag.Get("json"), ","); {
		case name != "":
			fields[name] = f.Type
		case f.Anonymous:
			maps.Copy(fields, fieldsOf(f.Type))
		}
	}
	fieldTypes.Store(t, fields)
	return fields
}

var fieldTypes sync.Map // of fieldsOf
