package check

import (
	"reflect"
	"sort"
	"time"
)

// area is a stretch of memory that a value can be changed through.
type area struct {
	from, to uintptr
	owner    string
}

// Memories is something that refers to memory.
type Memories struct {
	Owner string // how an error names it
	Of    any
}

// Shared reports two owners that share memory: a new value with the input, with another one, or
// with a part of itself. What two parts of the input share is the caller's affair. Of must be
// pointers.
func Shared(input Memories, news ...Memories) (a, b string, shared bool) {
	var m, in memory
	in.walk(input.Owner, reflect.ValueOf(input.Of))
	for _, v := range news {
		m.walk(v.Owner, reflect.ValueOf(v.Of))
	}
	m.areas = append(m.areas, in.joined()...)
	return m.overlap()
}

// memory collects the areas of values. Two areas that overlap belong to the same memory.
type memory struct{ areas []area }

var timeType = reflect.TypeFor[time.Time]()

// walk adds all memory that v points to. Texts do not count, because they cannot be changed, nor do
// times, which point to their zone.
func (m *memory) walk(owner string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		size := v.Type().Elem().Size()
		m.add(owner, v.Pointer(), size)
		m.walk(owner, v.Elem())
	case reflect.Slice:
		if v.Cap() == 0 {
			return
		}
		m.add(owner, v.Pointer(), uintptr(v.Cap())*v.Type().Elem().Size())
		for i := range v.Len() {
			m.walk(owner, v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		m.add(owner, v.Pointer(), 1)
		for it := v.MapRange(); it.Next(); {
			m.walk(owner, it.Value())
		}
	case reflect.Struct:
		if v.Type() == timeType {
			return
		}
		for i := range v.NumField() {
			m.walk(owner+"."+v.Type().Field(i).Name, v.Field(i))
		}
	}
}

func (m *memory) add(owner string, at, size uintptr) {
	if size > 0 {
		m.areas = append(m.areas, area{at, at + size, owner})
	}
}

func (m *memory) sort() {
	sort.Slice(m.areas, func(i, j int) bool { return m.areas[i].from < m.areas[j].from })
}

// joined returns the areas with overlapping ones made one.
func (m *memory) joined() []area {
	m.sort()
	var some []area
	for _, a := range m.areas {
		if n := len(some); n > 0 && a.from < some[n-1].to {
			some[n-1].to = max(some[n-1].to, a.to)
			continue
		}
		some = append(some, a)
	}
	return some
}

func (m *memory) overlap() (a, b string, shared bool) {
	m.sort()
	for i := 1; i < len(m.areas); i++ {
		if m.areas[i].from < m.areas[i-1].to {
			return m.areas[i-1].owner, m.areas[i].owner, true
		}
	}
	return "", "", false
}
