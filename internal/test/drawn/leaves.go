package drawn

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Leaf is a field of an object, such as spec.nodeName, or spec.containers[0].ports[0].protocol of
// the first container.
type Leaf struct {
	Path  string
	steps []int // fields of structs; pointers are followed, and of a list the first item is taken
	of    reflect.Type
}

// Leaves returns all fields of an object that have a value of their own, lists and maps included,
// whatever the object has.
func Leaves[T any]() []Leaf {
	var list []Leaf
	addLeaves(reflect.TypeFor[T](), "", nil, &list)
	return list
}

func addLeaves(of reflect.Type, at string, steps []int, list *[]Leaf) {
	leaf := Leaf{at, steps, of}
	switch of.Kind() {
	case reflect.Pointer:
		*list = append(*list, leaf)
		addLeaves(of.Elem(), at, steps, list)
	case reflect.Slice:
		*list = append(*list, leaf)
		addLeaves(of.Elem(), at+"[0]", steps, list)
	case reflect.Struct:
		if whole(of) {
			*list = append(*list, leaf)
			return
		}
		for i := range of.NumField() {
			name := of.Field(i).Name // of a type of this module
			if tag, ok := of.Field(i).Tag.Lookup("json"); ok {
				name, _, _ = strings.Cut(tag, ",")
			}
			addLeaves(of.Field(i).Type, strings.Trim(at+"."+name, "."), append(steps[:len(steps):len(steps)], i), list)
		}
	case reflect.Uint8: // bytes of a text
	default:
		*list = append(*list, leaf)
	}
}

// whole are structs that change as a whole.
func whole(of reflect.Type) bool {
	switch of {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[metav1.Time](), reflect.TypeFor[resource.Quantity](),
		reflect.TypeFor[intstr.IntOrString]():
		return true
	}
	return false
}

// texts are what fields of text become: words that decide something in one of the fields, and one
// that decides nothing.
var texts = []string{"drawn", "False", "Failed", "10.0.0.77", "UDP", "Always", "", "fd00::77", "ExternalName",
	"PreferClose", "80"}

// maps are what labels and other maps become.
var maps = []map[string]string{
	{"drawn": "x"}, nil, {"app": "web", corev1.LabelTopologyZone: "drawn"}, {corev1.AnnotationTopologyMode: "drawn"},
}

// Variants is how many ways there are to edit a leaf. Some of them may leave it as it is.
func (l Leaf) Variants() int {
	switch {
	case l.of.Kind() == reflect.String:
		return len(texts)
	case l.of.Kind() == reflect.Map:
		return len(maps)
	}
	return 2
}

// Edit gives the field of an object another value, and makes what is missing on the way to it. The
// object is a pointer, and nothing that it refers to may be shared.
func (l Leaf) Edit(object any, variant int) {
	v := l.find(object)
	switch l.of.Kind() {
	case reflect.String:
		v.SetString(texts[variant])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(v.Int() + int64(1+variant))
	case reflect.Pointer, reflect.Slice:
		if v.IsZero() {
			step(v)
		} else {
			v.SetZero()
		}
	case reflect.Map:
		editMap(v, maps[variant])
	default:
		editWhole(v)
	}
}

// find returns the field of an object, and makes what is missing on the way to it.
func (l Leaf) find(object any) reflect.Value {
	v := reflect.ValueOf(object).Elem()
	for _, i := range l.steps {
		v = inner(v).Field(i)
	}
	for v.Type() != l.of {
		v = step(v)
	}
	return v
}

// inner follows pointers and lists to a struct.
func inner(v reflect.Value) reflect.Value {
	for v.Kind() != reflect.Struct {
		v = step(v)
	}
	return v
}

// step returns what a pointer points to, or the first item of a list, and makes it if there is
// none.
func step(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return v.Elem()
	}
	if v.Len() == 0 {
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	}
	return v.Index(0)
}

func editMap(v reflect.Value, entries map[string]string) {
	of := v.Type().Elem()
	if of.Kind() != reflect.String && of.Kind() != reflect.Int32 {
		return // of quantities
	}
	v.SetZero()
	for key, value := range entries {
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		to := reflect.ValueOf(int32(len(value)))
		if of.Kind() == reflect.String {
			to = reflect.ValueOf(value)
		}
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), to.Convert(of))
	}
}

func editWhole(v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = time.Date(2030, 1, 1, 0, 0, at.Second()+1, 0, time.UTC)
	case *metav1.Time:
		*at = metav1.NewTime(time.Date(2030, 1, 1, 0, 0, at.Second()+1, 0, time.UTC))
	case *resource.Quantity:
		at.Add(resource.MustParse("1"))
	case *intstr.IntOrString:
		*at = intstr.FromInt32(at.IntVal + 1)
	default:
		panic(fmt.Sprintf("no edit of %s", v.Type()))
	}
}
