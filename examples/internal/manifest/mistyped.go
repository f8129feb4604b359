package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// mistyped finds the deepest value in raw that does not fit its Go type, for decoders do not say which it is: they leave
// out the index in a list, and say no field at all for times and quantities. err is what the decoder said, for the case
// that each value fits by itself.
func mistyped(t reflect.Type, raw []byte, path string, err error) (where, problem string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, child := range children(t, raw) {
		if !fits(child.t, child.raw) {
			return mistyped(child.t, child.raw, join(path, child.name), err)
		}
	}
	if fits(t, raw) {
		return path, oneLine(err)
	}
	return path, fmt.Sprintf("want %s, got %s", typeName(t), brief(raw))
}

func fits(t reflect.Type, raw []byte) bool {
	return json.Unmarshal(raw, reflect.New(t).Interface()) == nil
}

// child is a value inside another one: a struct's field, a list's item, a map's value.
type child struct {
	name string
	t    reflect.Type
	raw  json.RawMessage
}

// children returns the values inside raw as t has them, in a fixed order; none when raw has another shape than t.
func children(t reflect.Type, raw []byte) []child {
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return nil
		}
		found := make([]child, len(items))
		for i, item := range items {
			found[i] = child{fmt.Sprintf("[%d]", i), t.Elem(), item}
		}
		return found
	case reflect.Struct, reflect.Map:
		var values map[string]json.RawMessage
		if json.Unmarshal(raw, &values) != nil {
			return nil
		}
		if t.Kind() == reflect.Struct {
			return fields(t, values)
		}
		var found []child
		for name, value := range values {
			found = append(found, child{fmt.Sprintf("[%s]", name), t.Elem(), value})
		}
		slices.SortFunc(found, func(a, b child) int { return strings.Compare(a.name, b.name) })
		return found
	}
	return nil
}

func fields(t reflect.Type, values map[string]json.RawMessage) []child {
	var found []child
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			found = append(found, fields(field.Type, values)...)
			continue
		}
		if value, ok := values[name]; ok {
			found = append(found, child{name, field.Type, value})
		}
	}
	return found
}

func join(path, name string) string {
	if path == "" || strings.HasPrefix(name, "[") {
		return path + name
	}
	return path + "." + name
}

// typeName says what a value of the type looks like in a file.
func typeName(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime]():
		return "a time such as 2026-11-20T07:08:09Z"
	case reflect.TypeFor[resource.Quantity]():
		return "a quantity such as 500m or 2Gi"
	case reflect.TypeFor[intstr.IntOrString]():
		return "a number or a name"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int32, reflect.Int64, reflect.Int:
		return fmt.Sprintf("a whole number of %d bits", t.Bits())
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "a mapping"
	}
	return t.String()
}

// brief shows a value, or what it is if it is long.
func brief(raw []byte) string {
	switch text := strings.TrimSpace(string(raw)); {
	case strings.HasPrefix(text, "{"):
		return "a mapping"
	case strings.HasPrefix(text, "["):
		return "a list"
	case beyond64(text):
		return "a number beyond 64 bits"
	case len(text) > 60:
		return text[:57] + "..."
	default:
		return text
	}
}

// beyond64 reports whether a JSON value is a number that an int64 cannot hold: YAML has rounded it by then, so that its
// digits are not those of the file.
func beyond64(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return false
	}
	_, err = strconv.ParseInt(text, 10, 64)
	return math.Abs(n) >= 1<<63 && err != nil
}
