// Package drawn checks that drawn test cases contain everything that they can contain. What is
// never drawn is not tested: without these checks, a new field of options or a new value of an enum
// passes all tests.
package drawn

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// module is the path that the packages of this module begin with.
const module = "github.com/slicewright/slicewright/"

// cases is how many cases Fields draws. A field that is set in one of 20 cases is missed in one of
// two million runs.
const cases = 300

// Fields checks that a generator sets each exported field of T to a value other than zero in some
// cases, and not in all of them, and that it draws each constant of each enum. Structs of this
// module are looked into, those of others are not. The exceptions are fields that every case has,
// such as ManagedBy, and constants that are an error in a field, such as TargetRef=Map.
func Fields[T any](t *testing.T, draw func(*rapid.T) T, except ...string) {
	t.Helper()
	for _, finding := range missing(t, draw, except) {
		t.Error(finding)
	}
}

// missing returns what a generator does not draw, a line for each field or value.
func missing[T any](t *testing.T, draw func(*rapid.T) T, except []string) []string {
	t.Helper()
	s := seen{fields: map[string]*field{}}
	drawn := rapid.Custom(draw)
	for i := range cases {
		s.add(reflect.ValueOf(drawn.Example(i)), "")
	}
	of := reflect.TypeFor[T]().String()
	var found []string
	for _, at := range s.order {
		f := s.fields[at]
		switch {
		case !f.other:
			found = append(found, fmt.Sprintf("%s.%s: no case sets it: draw it, so that the tests see what it changes",
				of, at))
		case !f.zero && !slices.Contains(except, at):
			found = append(found, fmt.Sprintf("%s.%s: every case sets it: draw its zero value, too", of, at))
		}
		for _, c := range constantsOf(t, f.of) {
			if !f.values[c.Value] && !slices.Contains(except, at+"="+c.Name) {
				found = append(found, fmt.Sprintf("%s.%s: no case has %s.%s: draw it, so that the tests see what it "+
					"decides",
					of, at, path.Base(f.of.PkgPath()), c.Name))
			}
		}
	}
	return found
}

// seen has what was drawn of each field.
type seen struct {
	fields map[string]*field
	order  []string
}

type field struct {
	of          reflect.Type
	zero, other bool
	values      map[string]bool // of enums, as text
}

// add records the fields of a value.
func (s *seen) add(v reflect.Value, at string) {
	if v.Kind() == reflect.Struct && ours(v.Type()) {
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				s.add(v.Field(i), strings.TrimPrefix(at+"."+f.Name, "."))
			}
		}
		return
	}
	f := s.fields[at]
	if f == nil {
		f = &field{of: v.Type(), values: map[string]bool{}}
		s.fields[at], s.order = f, append(s.order, at)
	}
	empty := v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
	f.zero, f.other = f.zero || empty, f.other || !empty
	switch v.Kind() {
	case reflect.String, reflect.Int, reflect.Uint8:
		f.values[fmt.Sprint(v.Convert(basic(v.Kind())).Interface())] = true
	}
}

// basic is the type without methods of each kind that an enum can have.
func basic(kind reflect.Kind) reflect.Type {
	switch kind {
	case reflect.String:
		return reflect.TypeFor[string]()
	case reflect.Uint8:
		return reflect.TypeFor[uint8]()
	}
	return reflect.TypeFor[int]()
}

func ours(of reflect.Type) bool { return strings.HasPrefix(of.PkgPath(), module) }

// constantsOf returns the constants of a type of this module, none for other types.
func constantsOf(t *testing.T, of reflect.Type) []Constant {
	t.Helper()
	if !ours(of) {
		return nil
	}
	return Enums(t, strings.TrimPrefix(of.PkgPath(), module))[of.Name()]
}
