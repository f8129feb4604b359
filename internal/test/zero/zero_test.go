package zero_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/drawn"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/zero"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// functions finds the functions of testdata/api.txt: package, type and name.
var functions = regexp.MustCompile(`(?m)^(\w+): func (?:\(\w* ?\*?(\w+)[^)]*\) )?(\w+)`)

// TestEveryFunctionIsCalled compares the table of calls with the list of what the packages export.
func TestEveryFunctionIsCalled(t *testing.T) {
	api, err := os.ReadFile(drawn.Root(t) + "/testdata/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]bool{}
	for _, match := range functions.FindAllStringSubmatch(string(api), -1) {
		name := strings.Join(slices.DeleteFunc(match[1:], func(s string) bool { return s == "" }), ".")
		exported[name] = true
		if calls[name] == nil && notCalled[name] == "" {
			t.Errorf("no test gives %s nil and zero values: add it to the table of calls", name)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(calls)), slices.Collect(maps.Keys(notCalled))) {
		if !exported[name] {
			t.Errorf("%s is not exported: remove it from the table of calls", name)
		}
	}
}

// TestNilAndZero: every exported function that is given nil or a zero value, anywhere in its
// arguments, returns a result, or an error that names the field and what to do. None panics.
func TestNilAndZero(t *testing.T) {
	total := 0
	slow := map[string]bool{} // kits that play hundreds of histories if the number is not given
	if nightly.Usual(0, 1) == 0 {
		slow["slicertest.Check"], slow["deduptest.Check"] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		t.Run(name, func(t *testing.T) {
			f := reflect.ValueOf(calls[name])
			c := &call{T: t, f: f, failed: map[string]bool{}}
			c.with(usually, c.arguments())
			for i := range f.Type().NumIn() {
				args := c.arguments()
				zero.Remove(args[i].Addr().Interface(), func(path string) {
					if hundreds := path == "" || path == ".Histories"; hundreds && slow[name] && i == 0 {
						return
					}
					others := c.arguments()
					others[i] = args[i]
					c.with(fmt.Sprintf("argument %d%s", i, path), others)
				})
				for j := range i { // two of them
					args := c.arguments()
					args[i].SetZero()
					args[j].SetZero()
					c.with(fmt.Sprintf("arguments %d and %d", j, i), args)
				}
			}
			args := c.arguments()
			for _, arg := range args {
				arg.SetZero()
			}
			c.with("all arguments", args)
			total += c.calls
		})
	}
	if total < 5000 {
		t.Errorf("%d calls: the usual arguments have too few parts", total)
	}
}

// usually is what a call is given that must not fail.
const usually = "usual arguments"

// call is one function of the table.
type call struct {
	*testing.T
	f      reflect.Value
	failed map[string]bool // texts
	calls  int
}

// arguments are the usual arguments of the function, each of which can be set.
func (c *call) arguments() (args []reflect.Value) {
	for i := range c.f.Type().NumIn() {
		arg := reflect.New(c.f.Type().In(i)).Elem()
		fill(arg)
		args = append(args, arg)
	}
	return args
}

// with calls the function, and all that its results can be asked.
func (c *call) with(what string, args []reflect.Value) {
	defer func() {
		if p := recover(); p != nil && !says(p) {
			c.once(fmt.Sprint(p), "%s: panic: %v\n%s", what, p, debug.Stack())
		}
	}()
	c.calls++
	var results []reflect.Value
	if c.f.Type().IsVariadic() {
		results = c.f.CallSlice(args)
	} else {
		results = c.f.Call(args)
	}
	for _, r := range results {
		err, _ := r.Interface().(error)
		for _, leaf := range leaves(err) {
			if what == usually && leaf.Error() != made[error]().Error() {
				c.Errorf("%s: %v", what, leaf)
			}
			if text := unhelpful(leaf); text != "" {
				c.once(text, "%s: the error says neither where nor what to do: %s", what, text)
			}
		}
		ask(r, 0)
	}
}

// once reports a failure that has not been reported.
func (c *call) once(text, format string, args ...any) {
	if !c.failed[text] {
		c.failed[text] = true
		c.Errorf(format, args...)
	}
}

// says reports whether a panic is one of the library's own, which says what to do. Only calls that
// return no error have one.
func says(p any) bool {
	text, _ := p.(string)
	return (strings.HasPrefix(text, "routing: ") || strings.HasPrefix(text, "dedup: ")) && remedy.MatchString(text)
}

// remedy finds what an error says to do.
var remedy = regexp.MustCompile(`: (call|give|make|return) `)

// leaves are the errors of which an error is made.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range many.Unwrap() {
			all = append(all, leaves(e)...)
		}
		return all
	}
	return []error{err}
}

// unhelpful returns the text of an error that does not say what to do.
func unhelpful(err error) string {
	var e *field.Error
	isField := errors.As(err, &e) && e.Field != "" && e.Detail != ""
	if isField || remedy.MatchString(err.Error()) || errors.Is(err, services.ErrNotManaged) {
		return ""
	}
	return err.Error()
}

// ask calls the methods of a result that have no parameters, and its functions, with zero values.
func ask(v reflect.Value, depth int) {
	if depth > 6 || !v.IsValid() || !v.CanInterface() ||
		strings.HasPrefix(strings.TrimLeft(v.Type().String(), "*[]"), "v1.") {
		return
	}
	if strings.Contains(v.Type().PkgPath(), "slicewright") {
		for i := range v.NumMethod() {
			if m := v.Method(i); m.Type().NumIn() == 0 {
				for _, r := range m.Call(nil) {
					ask(r, depth+1)
				}
			}
		}
	}
	switch v.Interface().(type) {
	case publish.Slices, publish.Writer:
		return // a Syncer and Apply call their functions, with complete slices
	}
	switch v.Kind() {
	case reflect.Func:
		if v.IsNil() {
			return
		}
		for _, r := range askFunction(v) {
			ask(r, depth+1)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			ask(v.Elem(), depth+1)
		}
	case reflect.Slice:
		for i := range v.Len() {
			ask(v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				ask(v.Field(i), depth+1)
			}
		}
	}
}

// askFunction calls a function with zero values, and an iterator with a function that goes on.
func askFunction(f reflect.Value) []reflect.Value {
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		in := f.Type().In(i)
		arg := reflect.Zero(in)
		if in.Kind() == reflect.Func && in.NumOut() == 1 && in.Out(0).Kind() == reflect.Bool { // yield
			arg = reflect.MakeFunc(in, func([]reflect.Value) []reflect.Value {
				return []reflect.Value{reflect.ValueOf(true)}
			})
		}
		args = append(args, arg)
	}
	return f.Call(args)
}
