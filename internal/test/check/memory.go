package check

import (
	"fmt"
	"reflect"
	"sort"
	"time"

	"github.com/slicewright/slicewright/slicer"
)

// area is a stretch of memory that a value can be changed through.
type area struct {
	from, to uintptr
	owner    string
}

// memory collects the areas of values. Two areas that overlap belong to the same memory.
type memory struct{ areas []area }

// Memory checks that a new object shares no memory with the input or with another, and no two parts of it share any (G8). Plans
// of several calls are looked at together: what they share is a variable of the package.
func Memory(in slicer.Input, plans ...slicer.Plan) error {
	var m, input memory
	input.walk("the input", reflect.ValueOf(&in))
	for i, plan := range plans {
		for j := range plan.Steps {
			if n := plan.Steps[j].New; n != nil {
				m.walk(fmt.Sprintf("plan %d step %d", i, j), reflect.ValueOf(n))
			}
		}
	}
	// What two parts of the input share is the caller's affair: its areas are joined first.
	m.areas = append(m.areas, input.joined()...)
	if a, b, shared := m.overlap(); shared {
		return fmt.Errorf("G8: %s and %s share memory", a.owner, b.owner)
	}
	return nil
}

var timeType = reflect.TypeFor[time.Time]()

// walk adds all memory that v points to. Texts do not count, for nobody can change them, nor do times, which point to
// their zone.
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

func (m *memory) overlap() (a, b area, shared bool) {
	m.sort()
	for i := 1; i < len(m.areas); i++ {
		if m.areas[i].from < m.areas[i-1].to {
			return m.areas[i-1], m.areas[i], true
		}
	}
	return area{}, area{}, false
}
