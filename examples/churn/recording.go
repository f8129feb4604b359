package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/internal/trace"
)

// recording turns what kubectl printed into a trace. The first round has all objects that were there at
// first. After it each event is a round, but slices that were written for one change of a Pod, by their
// annotation, share one.
type recording struct {
	subject subject
	trace   trace.Trace
	objects map[string]object // by namespace and name
	numbers map[string]int    // of all endpoints ever, by UID or address
	touched map[string]bool   // endpoints of objects that changed since the last round
	before  map[string]bool   // all endpoints at its end, and whether they were ready
	began   bool              // some object changed
	trigger string            // the time of the change behind the last event
	events  int               // objects that were in no list
	begin   time.Time         // of the first round; zero if no object has a time
	clock   time.Time         // the newest time in any object so far
}

func newRecording(name string, s subject) *recording {
	return &recording{
		subject: s, trace: trace.Trace{Name: name},
		objects: map[string]object{}, numbers: map[string]int{}, touched: map[string]bool{},
	}
}

// object is a Pod or a slice: which endpoints it has, and whether they are ready.
type object struct {
	ready   map[string]bool
	trigger string
	content any // the object without its version, to find deletions
}

// play takes the entries of a file: objects, events of a watch, and lists, each of which is a state of
// its own.
func (r *recording) play(entries []manifest.Entry) error {
	inList := false
	for _, e := range entries {
		switch {
		case e.List:
			r.list()
			inList = true
		case !r.subject.has(e.Object):
		default:
			if err := r.object(e, inList); err != nil {
				return fmt.Errorf("%s: %w", e.At, err)
			}
		}
	}
	r.round()
	return nil
}

// list begins a state: what is not in it is gone.
func (r *recording) list() {
	r.round()
	for key := range r.objects {
		r.set(key, object{})
	}
	r.began = false
}

// object takes one object in its new state. Without an event, kubectl did not say what happened.
func (r *recording) object(e manifest.Entry, inList bool) error {
	key, now, err := r.decode(e.Object)
	if err != nil {
		return err
	}
	event := e.Event
	if inList {
		event = "ADDED"
	} else {
		r.events++
	}
	before, known := r.objects[key]
	repeated := event == "" && known && reflect.DeepEqual(before, now) // kubectl prints what is deleted once more
	leaves := !r.subject.selects(e.Object)
	if leaves && !known {
		return nil
	}
	changes := r.began || known || event == "MODIFIED" || event == "DELETED"
	if changes && !(r.began && now.trigger != "" && now.trigger == r.trigger) {
		r.round()
	}
	r.began, r.trigger = changes, now.trigger
	if at := changedAt(e.Object); at.After(r.clock) {
		r.clock = at
	}
	if leaves || repeated || event == "DELETED" {
		now = object{}
	}
	r.set(key, now)
	return nil
}

// set gives an object its new state; the zero one deletes it.
func (r *recording) set(key string, now object) {
	for _, o := range []object{r.objects[key], now} {
		for id := range o.ready {
			r.touched[id] = true
		}
	}
	if r.objects[key] = now; now.ready == nil {
		delete(r.objects, key)
	}
}

// decode reads a Pod or a slice.
func (r *recording) decode(of runtime.Object) (key string, o object, err error) {
	o.ready = map[string]bool{}
	switch of := of.DeepCopyObject().(type) {
	case *corev1.Pod:
		if of.Status.PodIP != "" && !conditions.Finished(of) {
			o.ready[of.Namespace+"/"+of.Name+"/"+string(of.UID)] = conditions.FromPod(of, false).Ready
		}
		of.ResourceVersion = ""
		key, o.content = of.Namespace+"/"+of.Name, of
	case *discoveryv1.EndpointSlice:
		for i := range of.Endpoints {
			e := &of.Endpoints[i]
			if len(e.Addresses) == 0 {
				return "", o, fmt.Errorf("EndpointSlice %s/%s: endpoints[%d].addresses: missing; record the slice again", of.Namespace, of.Name, i)
			}
			id := e.Addresses[0]
			if e.TargetRef != nil && e.TargetRef.UID != "" {
				id = string(e.TargetRef.UID)
			}
			o.ready[id] = o.ready[id] || conditions.Of(e.Conditions).Ready
		}
		o.trigger = of.Annotations[corev1.EndpointsLastChangeTriggerTime]
		of.ResourceVersion = ""
		key, o.content = of.Namespace+"/"+of.Name, of
	}
	return key, o, nil
}

// changedAt returns the newest time of a change that an object has; zero if it has none.
func changedAt(of runtime.Object) (newest time.Time) {
	see := func(at time.Time) {
		if at.After(newest) {
			newest = at
		}
	}
	switch of := of.(type) {
	case *corev1.Pod:
		see(of.CreationTimestamp.Time)
		for _, c := range of.Status.Conditions {
			see(c.LastTransitionTime.Time)
		}
		if of.DeletionTimestamp != nil && of.DeletionGracePeriodSeconds != nil { // it is the end of the grace period
			see(of.DeletionTimestamp.Add(-time.Duration(*of.DeletionGracePeriodSeconds) * time.Second))
		}
	case *discoveryv1.EndpointSlice:
		see(of.CreationTimestamp.Time)
		if at, err := time.Parse(time.RFC3339Nano, of.Annotations[corev1.EndpointsLastChangeTriggerTime]); err == nil {
			see(at)
		}
	}
	return newest
}

// round ends a round, with what changed since the one before. A round without a change is none.
func (r *recording) round() {
	now := map[string]bool{}
	for _, o := range r.objects {
		for id, ready := range o.ready {
			now[id] = now[id] || ready
		}
	}
	var next trace.Round
	for _, id := range slices.Sorted(maps.Keys(r.touched)) {
		n, seen := r.numbers[id]
		if !seen {
			n = len(r.numbers)
			r.numbers[id] = n
		}
		was, known := r.before[id]
		switch ready, there := now[id]; {
		case there == known && ready == was:
		case !there:
			next.Gone = append(next.Gone, n)
		case ready:
			next.Ready = append(next.Ready, n)
		default:
			next.Unready = append(next.Unready, n)
		}
	}
	clear(r.touched)
	if r.before = now; len(next.Ready)+len(next.Unready)+len(next.Gone) > 0 {
		if len(r.trace.Rounds) == 0 {
			r.begin = r.clock
		}
		next.At = r.clock.Sub(r.begin)
		r.trace.Rounds = append(r.trace.Rounds, next)
	}
}
