package model

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
)

// plan makes a plan from the cache, if the tracker allows it.
func (m *model) plan(n *state, w *writer) outcome {
	e := n.at(w.seen)
	if m.Waits {
		if m.lookUp(n, m.begin(w, e, 0)).Do == tracker.Wait {
			w.memory.Failed = 0
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
		call := m.begin(w, n.at(w.seen), tracker.Patience)
		m.list(n, call)
		if next := m.lookUp(n, call); next.Do != tracker.Plan {
			panic(fmt.Sprintf("after a live list comes %d", next.Do))
		}
	}
	w.unknown = false
	w.common = m.wanted(n.wish)
	return m.planOn(n, w, v)
}

func (m *model) planOn(n *state, w *writer, v view) outcome {
	w.plan, w.by = m.compute(v, n.wish), n.wish
	if len(w.plan) == 0 {
		m.ends(w, nil)
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

// write does the next step of a plan, by the shipped Apply.
func (m *model) write(n *state, a action) outcome {
	w := &n.writers[a.writer]
	s, before := w.plan[0], n.server()
	w.plan = w.plan[1:]
	server := m.server(n, s.content, w.by, a.kind)
	if m.Waits {
		w.memory = w.memory.Clone()
		call := w.memory.Begin(identified)
		server = through(&call, server)
	}
	err := publish.Apply(slicer.Plan{Steps: []slicer.Step{m.step(s)}}, server)
	if err != nil || len(w.plan) == 0 {
		m.ends(w, err)
	}
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

// ends tells the tracker that a plan has come to its end.
func (m *model) ends(w *writer, err error) {
	if m.Waits {
		w.memory = w.memory.Clone()
		call := w.memory.Begin(identified)
		call.Applied(err)
		w.memory.Failed = 0
	}
}

// lost is what a write took away that was wanted when it was planned and is wanted now: Pods that
// are on no port any more, and Pods that are not on the port on which they are wanted.
func (m *model) lost(before, after *event, then, now wish) (uint32, pairs) {
	b, a := m.published(before.view), m.published(after.view)
	both := m.wanted(then).pods() & m.wanted(now).pods()
	return b.pods() & both &^ a.pods(), b & m.wanted(then) & m.wanted(now) &^ a
}

// land does a write whose answer was lost. The Pods that every plan wanted since then count.
func (m *model) land(n *state, l *landing) outcome {
	before := n.server()
	err := publish.Apply(slicer.Plan{Steps: []slicer.Step{m.step(l.step)}},
		m.server(n, l.step.content, l.by, writeStep))
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
		out.text += ", though no other client wrote it"
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

// generated is what names begin with that the server generates.
const generated = "made-"

// server is the API server as a client sees it: it checks what Kubernetes' checks, and is otherwise
// right.
func (m *model) server(n *state, written int16, by wish, k kind) publish.Writer {
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
	return publish.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error {
			if n.server().view.find(s.Name) >= 0 {
				return apierrors.NewAlreadyExists(resource, s.Name)
			}
			if k != loseRequest {
				n.uid++
				if s.Name == "" {
					n.made++
					s.Name = fmt.Sprintf("%s%06d", generated, n.made)
				}
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
