package model

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/slicewright/slicewright/slicer"
)

// A Writes hides what it remembers, and an explorer has to copy it and to tell whether two remember the same.

// remembered is the map of a Writes: of a set, of a name, what is remembered.
func remembered(w *slicer.Writes) reflect.Value {
	f := reflect.ValueOf(w).Elem().FieldByName("sets")
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

func copyWrites(w *slicer.Writes) *slicer.Writes {
	to := &slicer.Writes{}
	if from := remembered(w); from.Len() > 0 {
		remembered(to).Set(copyMap(from))
	}
	return to
}

func copyMap(from reflect.Value) reflect.Value {
	to := reflect.MakeMapWithSize(from.Type(), from.Len())
	for i := from.MapRange(); i.Next(); {
		value := i.Value()
		if value.Kind() == reflect.Map {
			value = copyMap(value)
		}
		to.SetMapIndex(i.Key(), value)
	}
	return to
}

// entry is what is remembered of one slice: its texts, which are numbers or empty, and which of the rest is true.
type entry struct {
	name         string
	uid, version int // -1: empty
	flags        int
}

// entries are what is remembered of the only set, by name.
func entries(w *slicer.Writes) (list []entry) {
	if w == nil {
		return nil
	}
	for i := remembered(w).MapRange(); i.Next(); {
		for j := i.Value().MapRange(); j.Next(); {
			list = append(list, entryOf(j.Key().String(), j.Value()))
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return list
}

func entryOf(name string, v reflect.Value) entry {
	e := entry{name: name}
	for i := range v.NumField() {
		switch f, field := v.Field(i), v.Type().Field(i).Name; {
		case f.Kind() == reflect.Bool && f.Bool():
			e.flags |= 1 << i
		case f.Kind() == reflect.Bool:
		case field == "uid":
			e.uid = atoi(f.String())
		case field == "version":
			e.version = atoi(f.String())
		default:
			panic(fmt.Sprintf("the model does not know field %s of what a Writes remembers", field))
		}
	}
	return e
}

func atoi(s string) int {
	if s == "" {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err) // the model's own numbers
	}
	return n
}
