package kit

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/slicewright/slicewright/internal/quote"
)

// Difference is the first field in which two objects of one type differ, with both values, or "".
func Difference(a, b any) string { return difference("", reflect.ValueOf(a), reflect.ValueOf(b)) }

func difference(at string, a, b reflect.Value) string {
	switch {
	case !a.IsValid() || !b.IsValid() || reflect.DeepEqual(a.Interface(), b.Interface()):
		return ""
	case a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil():
		return difference(at, a.Elem(), b.Elem())
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			field := a.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			name := at + "." + field.Name
			if field.Anonymous {
				name = at
			}
			if text := difference(name, a.Field(i), b.Field(i)); text != "" {
				return text
			}
		}
	case a.Kind() == reflect.Slice && a.Len() == b.Len():
		for i := range a.Len() {
			if text := difference(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)); text != "" {
				return text
			}
		}
	case a.Kind() == reflect.Map:
		keys := slices.Concat(a.MapKeys(), b.MapKeys())
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			was, is := a.MapIndex(key), b.MapIndex(key)
			if !was.IsValid() || !is.IsValid() || !reflect.DeepEqual(was.Interface(), is.Interface()) {
				return fmt.Sprintf("%s[%s] from %s to %s", at, key, brief(was), brief(is))
			}
		}
	}
	return fmt.Sprintf("%s from %s to %s", at, brief(a), brief(b))
}

// brief is a value on one line, without the fields of objects.
func brief(v reflect.Value) string {
	for v.IsValid() && v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case !v.IsValid() || v.Kind() == reflect.Pointer:
		return "nothing"
	case v.Kind() == reflect.String:
		return fmt.Sprintf("%q", v)
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		return fmt.Sprintf("%d of them", v.Len())
	case v.Kind() == reflect.Struct:
		return "another value"
	}
	return fmt.Sprint(v)
}

// Differences lists how two maps differ, sorted by key: +k=v for an added key, -k for a removed
// key, and ~k=v for a key whose value changes to v.
func Differences(old, now map[string]string) []string {
	all := map[string]string{}
	maps.Copy(all, old)
	maps.Copy(all, now)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		was, had := old[k]
		is, has := now[k]
		switch {
		case !has:
			out = append(out, "-"+quote.Text(k))
		case !had:
			out = append(out, "+"+quote.Text(k)+"="+quote.Text(is))
		case was != is:
			out = append(out, "~"+quote.Text(k)+"="+quote.Text(is))
		}
	}
	return out
}
