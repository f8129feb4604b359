package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

// action is what happens next.
type action struct {
	kind   kind
	writer int
	pod    int
	name   string // of a slice that somebody else changes
}

type kind string

const (
	podChanges   kind = "pod"            // it becomes wanted, or stops being so
	portChanges  kind = "port"           // the target port changes
	maxChanges   kind = "max"            // to one less, or back
	parentDies   kind = "dying"          // the parent is being deleted
	cacheShows   kind = "cache"          // one more write
	makePlan     kind = "plan"           // from the cache
	listLive     kind = "list"           // and plan from the list
	writeStep    kind = "write"          // the next step of the plan
	loseAnswer   kind = "write-no-reply" // the next step is done, and the writer does not learn of it
	loseRequest  kind = "lose"           // the next step is not done, and the writer does not learn of it
	cutOff       kind = "cut"            // the rest of the plan is not written
	lands        kind = "lands"          // what was lost is done now
	neverLands   kind = "never-lands"    // what was lost is never done
	restart      kind = "restart"        // with a current cache
	startListed  kind = "restart-listed" // with the cache as it was, and a live list
	startBlind   kind = "restart-blind"  // with the cache as it was
	otherUpdate  kind = "other-updates"  // somebody else, a slice
	otherDelete  kind = "other-deletes"
	otherReplace kind = "other-replaces" // deletes it and makes it again
)

// calm actions leave what is wanted as it is and no fault behind: after enough of them a writer must be at rest.
func (a action) calm() bool {
	return slices.Contains([]kind{cacheShows, makePlan, writeStep, cutOff, listLive}, a.kind)
}

// outcome is what an action did.
type outcome struct {
	text    string
	wrote   bool
	refused bool
	own     bool  // nobody else caused the refusal
	lost    pairs // taken away though wanted all the while
	pods    uint32
	held    bool
}

// actions are those that are possible.
func (m *model) actions(s *state) []action {
	list := m.list[:0]
	for pod := range m.Pods {
		list = append(list, action{kind: podChanges, pod: pod})
	}
	if m.Ports > 1 {
		list = append(list, action{kind: portChanges})
	}
	if m.Shrinks {
		list = append(list, action{kind: maxChanges})
	}
	if m.World.Dying && s.wish&dyingBit == 0 {
		list = append(list, action{kind: parentDies})
	}
	room := m.Late
	for i := range m.writers {
		w := &s.writers[i]
		room = min(room, m.Late-(len(s.log)-w.seen))
		list = m.actionsOf(s, i, list)
	}
	if room > 0 {
		list = m.faults(s, room, list)
	}
	m.list = list
	return list
}

func (m *model) actionsOf(s *state, i int, list []action) []action {
	w := &s.writers[i]
	late := len(s.log) - w.seen
	do := func(possible bool, k kind) {
		if possible {
			list = append(list, action{kind: k, writer: i})
		}
	}
	idle := len(w.plan) == 0
	do(late > 0, cacheShows)
	do(idle, makePlan)
	do(idle && (m.Lists || m.mayNeedList() && len(w.entries) > 0), listLive)
	do(!idle, cutOff)
	do(!idle && m.roomFor(s), writeStep)
	do(!idle && m.roomFor(s) && m.Lost, loseAnswer)
	do(!idle && m.Lost && s.landing == nil, loseRequest)
	do(late > 0 && m.Restart, restart)
	do(m.Listed, startListed)
	do(m.Blind && len(w.entries) > 0, startBlind)
	return list
}

// mayNeedList reports whether a writer may have to list live to go on.
func (m *model) mayNeedList() bool {
	return m.Waits && (m.Lost || !m.UpTo && (m.Deletes || m.Replaces))
}

// roomFor reports whether no cache is as late as it may be.
func (m *model) roomFor(s *state) bool {
	for i := range m.writers {
		if len(s.log)-s.writers[i].seen >= m.Late {
			return false
		}
	}
	return true
}

// faults are what others do, and a write that comes late.
func (m *model) faults(s *state, room int, list []action) []action {
	if s.landing != nil {
		list = append(list, action{kind: lands}, action{kind: neverLands})
	}
	for _, o := range s.server().view {
		if m.Updates {
			list = append(list, action{kind: otherUpdate, name: o.name})
		}
		if m.Deletes {
			list = append(list, action{kind: otherDelete, name: o.name})
		}
		if m.Replaces && room > 1 {
			list = append(list, action{kind: otherReplace, name: o.name})
		}
	}
	return list
}

// do returns the state after an action, and what it did.
func (m *model) do(s *state, a action) (state, outcome) {
	n := *s
	w := &n.writers[a.writer]
	out := outcome{text: "done"}
	switch a.kind {
	case podChanges:
		n.wish ^= 1 << a.pod
	case portChanges:
		n.wish ^= portBit
	case maxChanges:
		n.wish ^= smallBit
	case parentDies:
		n.wish |= dyingBit
	case cacheShows:
		w.seen++
		n.trim(m.writers)
	case makePlan:
		out = m.plan(&n, w)
	case listLive:
		out = m.planFromList(&n, w)
	case cutOff:
		w.plan = nil
	case writeStep, loseAnswer, loseRequest:
		out = m.write(&n, a)
	case lands, neverLands:
		l := n.landing
		n.landing = nil
		if a.kind == lands {
			out = m.land(&n, l)
		}
	case restart:
		*w = writer{seen: len(n.log), writes: m.memory()}
		n.trim(m.writers)
	case startListed, startBlind:
		*w = writer{seen: w.seen, writes: m.memory()}
		if a.kind == startListed {
			out = m.planFromList(&n, w)
		}
	default:
		m.others(&n, a)
	}
	if w.writes != s.writers[a.writer].writes {
		w.entries = entries(w.writes)
	}
	if len(w.plan) == 0 {
		w.plan, w.by, w.other, w.robbed, w.common = nil, 0, 0, 0, 0
	}
	return n, out
}

// memory is a new Writes, if writers use one.
func (m *model) memory() *slicer.Writes {
	if !m.Waits {
		return nil
	}
	return &slicer.Writes{}
}

// others does what somebody else does to a slice.
func (m *model) others(n *state, a action) {
	before := n.server().view
	o := before[before.find(a.name)]
	bit := m.nameBit(a.name)
	if a.kind != otherUpdate {
		n.record(object{name: a.name}, bit, 0)
	}
	if a.kind == otherReplace {
		n.uid++
		o.uid = n.uid
	}
	if a.kind != otherDelete {
		n.record(o, bit, 0)
	}
	for i := range m.writers {
		if w := &n.writers[i]; len(w.plan) > 0 {
			w.other |= bit
			w.robbed |= m.robbed(before, a.name, n.server().view)
		}
	}
}

// robbed is what a slice held that is gone, or another slice, after what somebody else did.
func (m *model) robbed(before view, name string, after view) pairs {
	at, now := before.find(name), after.find(name)
	if at < 0 || now >= 0 && before[at].uid == after[now].uid {
		return 0
	}
	return m.contents[before[at].content].pairs
}

// plan asks Writes, and makes a plan from the cache if it may.
func (m *model) plan(n *state, w *writer) outcome {
	e := n.at(w.seen)
	if m.Waits {
		upTo := ""
		if m.UpTo {
			upTo = strconv.Itoa(e.version)
		}
		w.writes = copyWrites(w.writes)
		if err := w.writes.Behind(set, m.objects(e.view), upTo); err != nil {
			return outcome{text: "held", held: true}
		}
		w.unknown = false
	}
	w.common = m.wanted(n.wish)
	for i := w.seen; i < len(n.log); i++ {
		later := &n.log[i]
		if later.other == 0 {
			w.common &= m.wanted(later.by)
			continue
		}
		w.other |= later.other
		for _, name := range m.names {
			if later.other == m.nameBit(name) {
				w.robbed |= m.robbed(n.at(i).view, name, later.view)
			}
		}
	}
	return m.planOn(n, w, e.view)
}

func (m *model) planFromList(n *state, w *writer) outcome {
	v := n.server().view
	if m.Waits {
		w.writes = copyWrites(w.writes)
		w.writes.Listed(set, m.objects(v))
	}
	w.unknown = false
	w.common = m.wanted(n.wish)
	return m.planOn(n, w, v)
}

func (m *model) planOn(n *state, w *writer, v view) outcome {
	w.plan, w.by = m.compute(v, n.wish), n.wish
	if len(w.plan) == 0 {
		return outcome{text: "nothing to write"}
	}
	var steps []string
	if m.talk {
		for _, s := range w.plan {
			steps = append(steps, m.describe(s))
		}
	}
	return outcome{text: strings.Join(steps, ", ")}
}

var errNoAnswer = errors.New("no answer")

// write does the next step of a plan, by the shipped Apply and Through.
func (m *model) write(n *state, a action) outcome {
	w := &n.writers[a.writer]
	s, before := w.plan[0], n.server()
	w.plan = w.plan[1:]
	through := m.server(n, s.content, w.by, a.kind)
	if m.Waits {
		w.writes = copyWrites(w.writes)
		through = w.writes.Through(set, through)
	}
	err := slicer.Plan{Steps: []slicer.Step{m.step(s)}}.Apply(through)
	after := n.server()
	out := outcome{text: m.describe(s), wrote: after != before}
	switch {
	case out.wrote:
		out.pods, out.lost = m.lost(before, after, w.by, n.wish)
		out.pods, out.lost = out.pods&^w.robbed.pods(), out.lost&^w.robbed
		if m.Crash {
			out.pods, out.lost = 0, m.published(before.view)&w.common&^m.published(after.view)
		}
	case !errors.Is(err, errNoAnswer):
		out.refused, out.own = true, w.other&m.nameBit(s.name) == 0
	}
	if a.kind == loseRequest && m.Lands {
		n.landing = &landing{s, w.by, a.writer}
	}
	w.unknown = w.unknown || errors.Is(err, errNoAnswer)
	if err != nil {
		out.text += why(err)
		w.plan = nil
	}
	return m.say(out)
}

// lost is what a write took away that was wanted when it was planned and is wanted now: Pods that are on no port any more, and
// Pods that are not on the port on which they are wanted.
func (m *model) lost(before, after *event, then, now wish) (uint32, pairs) {
	b, a := m.published(before.view), m.published(after.view)
	both := m.wanted(then).pods() & m.wanted(now).pods()
	return b.pods() & both &^ a.pods(), b & m.wanted(then) & m.wanted(now) &^ a
}

// land does a write whose answer was lost. The Pods that every plan wanted since then count.
func (m *model) land(n *state, l *landing) outcome {
	before := n.server()
	err := slicer.Plan{Steps: []slicer.Step{m.step(l.step)}}.Apply(m.server(n, l.step.content, l.by, writeStep))
	out := outcome{text: m.describe(l.step), wrote: n.server() != before}
	if out.wrote {
		out.pods, _ = m.lost(before, n.server(), l.by, n.wish)
		if w := &n.writers[l.at]; len(w.plan) > 0 {
			out.pods &= m.wanted(w.by).pods()
		}
	} else if err != nil {
		out.text += why(err)
	}
	return m.say(out)
}

func why(err error) string {
	return ": " + cmp.Or(string(apierrors.ReasonForError(err)), errNoAnswer.Error())
}

func (m *model) say(out outcome) outcome {
	if out.pods|uint32(out.lost) != 0 {
		out.text += ": takes the last copy away"
	}
	if out.own {
		out.text += ", though nobody else wrote it"
	}
	return out
}

// step is what Apply gets.
func (m *model) step(s step) slicer.Step {
	t := slicer.Step{Verb: s.verb}
	if s.verb != slicer.Create {
		t.Old = m.object(s.old)
	}
	if s.verb != slicer.Delete {
		t.New = m.object(object{name: s.name, content: s.content})
		t.New.UID, t.New.ResourceVersion = "", ""
		if t.Old != nil {
			t.New.UID, t.New.ResourceVersion = t.Old.UID, t.Old.ResourceVersion
		}
	}
	return t
}

var resource = discoveryv1.Resource("endpointslices")

// server is the API server as a client sees it: it checks what Kubernetes' checks, and is otherwise right.
func (m *model) server(n *state, written int16, by wish, k kind) slicer.Writer {
	put := func(s *discoveryv1.EndpointSlice, uid int) {
		if k != loseRequest {
			n.record(object{name: s.Name, uid: uid, content: written}, 0, by)
			s.UID, s.ResourceVersion = types.UID(strconv.Itoa(uid)), strconv.Itoa(n.version)
		}
	}
	answer := func() error {
		if k == writeStep {
			return nil
		}
		return errNoAnswer
	}
	check := func(name string, uid types.UID, version string) error {
		at := n.server().view.find(name)
		if at < 0 {
			return apierrors.NewNotFound(resource, name)
		}
		if o := n.server().view[at]; strconv.Itoa(o.uid) != string(uid) || strconv.Itoa(o.version) != version {
			return apierrors.NewConflict(resource, name, errors.New("it is another"))
		}
		return nil
	}
	return slicer.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error {
			if n.server().view.find(s.Name) >= 0 {
				return apierrors.NewAlreadyExists(resource, s.Name)
			}
			if k != loseRequest {
				n.uid++
			}
			put(s, n.uid)
			return answer()
		},
		Update: func(s *discoveryv1.EndpointSlice) error {
			if err := check(s.Name, s.UID, s.ResourceVersion); err != nil {
				return err
			}
			put(s, atoi(string(s.UID)))
			return answer()
		},
		Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			if err := check(s.Name, *p.UID, *p.ResourceVersion); err != nil {
				return err
			}
			if k != loseRequest {
				n.record(object{name: s.Name}, 0, by)
			}
			return answer()
		},
	}
}

// describe is a step in a few words.
func (m *model) describe(s step) string {
	if !m.talk {
		return ""
	}
	if s.verb == slicer.Delete {
		return fmt.Sprintf("delete %s", m.short(s.name))
	}
	return fmt.Sprintf("%s %s", s.verb, m.show(object{name: s.name, content: s.content}))
}
