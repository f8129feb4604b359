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

	"github.com/slicewright/slicewright/slicer"
)

// plan asks Writes, and makes a plan from the cache if it may.
func (m *model) plan(n *state, w *writer) outcome {
	e := n.at(w.seen)
	if m.Waits {
		if err := m.behind(w, e); err != nil {
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
		_ = m.behind(w, n.at(w.seen)) // who lists has asked it before
		w.writes.Listed(set, m.objects(v))
	}
	w.unknown = false
	w.common = m.wanted(n.wish)
	return m.planOn(n, w, v)
}

// behind asks a Writes about a cache.
func (m *model) behind(w *writer, e *event) error {
	upTo := ""
	if m.UpTo {
		upTo = strconv.Itoa(e.version)
	}
	w.writes = copyWrites(w.writes)
	return w.writes.Behind(set, m.objects(e.view), upTo)
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

// generated is what names begin with that the server generates.
const generated = "made-"

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
