package model

import (
	"maps"
	"slices"
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
)

// identified is the set as a tracker knows it.
var identified = tracker.Set{Namespace: set.Namespace, Name: set.Name, ManagedBy: set.ManagedBy}

// memory is a new tracker, if writers use one.
func (m *model) memory() *tracker.Tracker {
	if !m.Waits {
		return nil
	}
	return &tracker.Tracker{}
}

// begin reads the cache, as the first calls in a row do or as the one that lists live does. How
// many calls in a row have failed is not part of a state: any number is possible in each.
func (m *model) begin(w *writer, e *event, failed int) *tracker.Call {
	w.memory = w.memory.Clone()
	w.memory.Failed = failed
	call, upTo := w.memory.Begin(identified), ""
	if m.UpTo {
		upTo = strconv.Itoa(e.version)
	}
	call.Read(m.objects(e.view), upTo, nil)
	return &call
}

// list tells a call what the server has.
func (m *model) list(n *state, call *tracker.Call) {
	list := &discoveryv1.EndpointSliceList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(n.server().version)}}
	for _, s := range m.objects(n.server().view) {
		list.Items = append(list.Items, *s)
	}
	call.Listed(list, nil)
}

// lookUp gets the names that were refused, until the call plans or waits.
func (m *model) lookUp(n *state, call *tracker.Call) tracker.Next {
	for call.Next().Do == tracker.Get {
		name, v := call.Next().Name, n.server().view
		if i := v.find(name); i >= 0 {
			call.Got(m.object(v[i]), nil)
		} else {
			call.Got(nil, apierrors.NewNotFound(resource, name))
		}
	}
	return call.Next()
}

// through is a Writer that writes with w and tells the call each answer.
func through(call *tracker.Call, w publish.Writer) publish.Writer {
	put := func(verb slicer.Verb, write func(*discoveryv1.EndpointSlice) error) func(*discoveryv1.EndpointSlice) error {
		return func(s *discoveryv1.EndpointSlice) error {
			sent := tracker.Send(verb, s)
			err := write(s)
			call.Answered(sent, s, err)
			return err
		}
	}
	return publish.Writer{
		Create: put(slicer.Create, w.Create), Update: put(slicer.Update, w.Update),
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return put(slicer.Delete, func(s *discoveryv1.EndpointSlice) error { return w.Delete(s, p) })(old)
		},
	}
}

// visitMemory tells what is remembered.
func (m *model) visitMemory(t *tracker.Tracker, k *keyer) {
	if t == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t.Written)) {
		e := t.Written[name]
		k.name(name)
		k.uid(atoi(string(e.UID)))
		k.version(atoi(e.Version))
		for _, flag := range []bool{e.After, e.Unknown, e.Unseen, e.Listed} {
			if k.text("0"); flag {
				k.text("1")
			}
		}
	}
	if t.Fence != "" {
		k.text("fence")
		k.version(atoi(t.Fence))
	}
	for _, name := range t.Taken {
		k.text("taken")
		k.name(name)
	}
}

// atoi reads one of the model's own numbers, and -1 for none.
func atoi(s string) int {
	if s == "" {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}
