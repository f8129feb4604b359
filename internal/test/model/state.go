package model

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
)

// object is a slice on the server or in a cache.
type object struct {
	name         string
	uid, version int
	content      int16
}

// view is slices by name. Nothing of it changes.
type view []object

func (v view) find(name string) int {
	return slices.IndexFunc(v, func(o object) bool { return o.name == name })
}

// with returns a view in which o stands under its name, and without it if it has no UID.
func (v view) with(o object) view {
	out := slices.DeleteFunc(slices.Clone(v), func(p object) bool { return p.name == o.name })
	if o.uid != 0 {
		out = append(out, o)
		slices.SortFunc(out, func(a, b object) int { return cmp.Compare(a.name, b.name) })
	}
	return out
}

func (m *model) published(v view) (p pairs) {
	for _, o := range v {
		p |= m.contents[o.content].pairs
	}
	return p
}

// objects are the slices as a client gets them. They share the contents' memory and are only read.
func (m *model) objects(v view) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, len(v))
	for i, o := range v {
		list[i] = m.object(o)
	}
	return list
}

func (m *model) object(o object) *discoveryv1.EndpointSlice {
	s := *m.contents[o.content].object
	s.Name = o.name
	s.UID = types.UID(strconv.Itoa(o.uid))
	s.ResourceVersion = strconv.Itoa(o.version)
	return &s
}

// event is one write to the server and what is there after it.
type event struct {
	view    view
	version int
	other   uint16 // the name, if another client wrote it: see nameBit
	by      wish   // of the plan
}

// state is everything that decides what happens next. It is a value: an action copies it, and
// changes no slice in place.
type state struct {
	shown   event   // what the cache that is furthest behind shows
	log     []event // written since
	wish    wish
	version int // the server's, for the last write
	uid     int // likewise
	made    int // names that the server has generated
	writers [2]writer
	landing *landing
}

// landing is a write whose answer was lost and that may be done yet, and the wish of its plan.
type landing struct {
	step step
	by   wish
	at   int // the writer
}

// writer is one process that plans and writes.
type writer struct {
	seen    int // how many events of the log its cache shows
	plan    []step
	by      wish   // of the plan
	other   uint16 // what another client wrote and the plan's view did not show
	robbed  pairs  // what another client deleted that the plan's view showed
	common  pairs  // wanted by the plan, and by those whose writes its view did not show
	unknown bool   // an answer was lost, and the cache or a list has not shown since what became of the write
	memory  *tracker.Tracker
}

func (s *state) server() *event { return s.at(len(s.log)) }

// at is what a cache shows after this many events of the log.
func (s *state) at(seen int) *event {
	if seen > 0 {
		return &s.log[seen-1]
	}
	return &s.shown
}

// record adds an event, and gives what is written the next version.
func (s *state) record(o object, other uint16, by wish) {
	s.version++
	if o.uid != 0 {
		o.version = s.version
	}
	s.log = append(slices.Clip(s.log), event{s.server().view.with(o), s.version, other, by})
}

// trim drops the events that all caches show.
func (s *state) trim(writers int) {
	least := len(s.log)
	for i := range writers {
		least = min(least, s.writers[i].seen)
	}
	if least == 0 {
		return
	}
	s.shown = s.log[least-1]
	s.log = s.log[least:]
	for i := range writers {
		s.writers[i].seen -= least
	}
}

// changed is the slice in which a view differs from the one before it: without UID if it is gone.
func changed(before, after view) object {
	for _, o := range after {
		if !slices.Contains(before, o) {
			return o
		}
	}
	for _, o := range before {
		if after.find(o.name) < 0 {
			return object{name: o.name}
		}
	}
	return object{}
}

// mayMeet reports whether the next two events that a cache will show are of different slices, so
// that it may turn them round.
func (s *state) mayMeet(seen int) bool {
	first, second := s.log[seen].view, s.log[seen+1].view
	return changed(s.at(seen).view, first).name != changed(first, second).name
}

// reorder lets a cache show the event after the next one first.
func (s *state) reorder(seen int) {
	first, second := s.log[seen], s.log[seen+1]
	all := second.view
	second.view = s.at(seen).view.with(changed(first.view, all))
	first.view, first.version = all, second.version
	s.log = slices.Concat(s.log[:seen], []event{second, first}, s.log[seen+2:])
}

// nameBit is the bit of a slice's name.
func (m *model) nameBit(name string) uint16 {
	i := slices.Index(m.names, name)
	if i < 0 {
		i = len(m.names)
		m.names = append(m.names, name)
	}
	if i > 15 {
		panic("the model counts at most 16 names")
	}
	return 1 << i
}

// identity of a state: two states of one identity have the same future. Of versions only their
// order counts, and of UIDs which are the same.
type identity [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func (m *model) identity(s *state) identity {
	k := &m.keyer
	k.to = k.to[:0]
	k.versions = k.versions[:0]
	k.uids = k.uids[:0]
	k.names = k.names[:0]
	for pass := range 2 {
		k.writing = pass == 1
		m.visit(s, k)
		slices.Sort(k.versions)
	}
	return identity{maphash.Bytes(seeds[0], k.to), maphash.Bytes(seeds[1], k.to)}
}

// keyer collects the versions first, and then writes each as the number of smaller ones.
type keyer struct {
	writing  bool
	versions []int
	uids     []int
	names    []string // that were generated, of which only the order counts, too
	to       []byte
}

func (k *keyer) name(s string) {
	if !strings.HasPrefix(s, generated) {
		k.text(s)
	} else if i, known := slices.BinarySearch(k.names, s); k.writing {
		k.number(-1 - i)
	} else if !known {
		k.names = slices.Insert(k.names, i, s)
	}
}

func (k *keyer) version(v int) {
	if !k.writing {
		if !slices.Contains(k.versions, v) {
			k.versions = append(k.versions, v)
		}
		return
	}
	i, _ := slices.BinarySearch(k.versions, v)
	k.number(i)
}

func (k *keyer) uid(u int) {
	if !k.writing {
		return
	}
	i := slices.Index(k.uids, u)
	if i < 0 {
		i = len(k.uids)
		k.uids = append(k.uids, u)
	}
	k.number(i)
}

func (k *keyer) number(n int) {
	if k.writing {
		k.to = binary.AppendVarint(k.to, int64(n))
	}
}

func (k *keyer) text(s string) {
	if k.writing {
		k.number(len(s))
		k.to = append(k.to, s...)
	}
}

func (m *model) visit(s *state, k *keyer) {
	m.visitEvent(&s.shown, k)
	k.number(len(s.log))
	for i := range s.log {
		m.visitEvent(&s.log[i], k)
	}
	k.number(int(s.wish))
	for i := range m.writers {
		m.visitWriter(&s.writers[i], k)
	}
	if l := s.landing; l != nil {
		k.number(int(l.by)<<1 | l.at)
		m.visitStep(&l.step, k)
	}
}

func (m *model) visitEvent(e *event, k *keyer) {
	if m.UpTo {
		k.version(e.version)
	}
	k.number(int(e.other))
	if !m.Waits {
		k.number(int(e.by & m.judged))
	}
	k.number(len(e.view))
	for i := range e.view {
		m.visitObject(&e.view[i], k)
	}
}

func (m *model) visitObject(o *object, k *keyer) {
	k.name(o.name)
	k.uid(o.uid)
	k.version(o.version)
	k.number(int(o.content))
}

func (m *model) visitStep(s *step, k *keyer) {
	k.name(s.name)
	if s.verb != slicer.Create {
		k.uid(s.old.uid)
		k.version(s.old.version)
	}
	if s.verb != slicer.Delete {
		k.number(int(s.content))
	}
	k.text(string(s.verb[0]))
}

func (m *model) visitWriter(w *writer, k *keyer) {
	k.number(w.seen)
	k.number(len(w.plan))
	if len(w.plan) > 0 {
		k.number(int(w.by))
		k.number(int(w.other))
		k.number(int(w.robbed))
		if m.judged != 0 {
			k.number(int(w.common))
		}
		for i := range w.plan {
			m.visitStep(&w.plan[i], k)
		}
	}
	if w.unknown {
		k.text("unknown")
	}
	m.visitMemory(w.memory, k)
}
