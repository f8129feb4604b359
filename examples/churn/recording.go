package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/trace"
)

// recording turns what kubectl printed as JSON into a trace. The first round has all objects that were there at first. After it each
// event is a round, but slices that were written for one change of a Pod, by their annotation, share one.
type recording struct {
	trace   trace.Trace
	kind    string            // of all objects: Pod or EndpointSlice
	service string            // that all slices are of
	objects map[string]object // by namespace and name
	numbers map[string]int    // of all endpoints ever, by UID or address
	touched map[string]bool   // endpoints of objects that changed since the last round
	before  map[string]bool   // all endpoints at its end, and whether they were ready
	began   bool              // some object changed
	trigger string            // the time of the change behind the last event
	events  int               // objects that were in no list
}

func newRecording(name string) *recording {
	return &recording{
		trace: trace.Trace{Name: name}, objects: map[string]object{}, numbers: map[string]int{}, touched: map[string]bool{},
	}
}

// object is a Pod or a slice: which endpoints it has, and whether they are ready.
type object struct {
	ready   map[string]bool
	trigger string
	content any // what a slice says but for its version, to find deletions
}

// message is the beginning of any object that kubectl prints.
type message struct {
	Kind, Type string
	Object     json.RawMessage
	Items      []json.RawMessage
	Message    string
}

// read reads `kubectl get -w -o json`, with --output-watch-events or without, of EndpointSlices or Pods, or lists of these, each of
// which is a state of its own.
func (r *recording) read(file string, in io.Reader) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	line := func(offset int64) int { return 1 + bytes.Count(text[:offset], []byte("\n")) }
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		at := decoder.InputOffset() - int64(len(raw))
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			if r.round(); len(r.numbers) == 0 {
				return fmt.Errorf("%s: no endpoint in the recording; record EndpointSlices, or Pods that have addresses", file)
			}
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("%s:%d: the last JSON object has no end; remove its lines", file, line(at)+1)
		case errors.As(err, &syntax):
			at, err = syntax.Offset-1, fmt.Errorf("no JSON: %w", err)
		case err == nil:
			err = r.message(raw)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, line(at), err)
		}
	}
}

// message takes an object, an event or a list.
func (r *recording) message(raw json.RawMessage) error {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	switch {
	case m.Items != nil:
		return r.list(m.Items)
	case m.Kind != "":
		return r.object(m.Kind, raw, "")
	case m.Type == "BOOKMARK":
		return nil
	case m.Type == "ERROR":
		json.Unmarshal(m.Object, &m) // a Status says why
		return fmt.Errorf("the watch ended with an error: %s", m.Message)
	case m.Type == "ADDED" || m.Type == "MODIFIED" || m.Type == "DELETED":
		var of message
		if err := json.Unmarshal(m.Object, &of); err != nil {
			return err
		}
		return r.object(of.Kind, m.Object, m.Type)
	}
	return errors.New("want EndpointSlices, Pods, lists of them or watch events, as kubectl get -o json prints them")
}

// list takes a state: what is not in it is gone.
func (r *recording) list(items []json.RawMessage) error {
	r.round()
	for key := range r.objects {
		r.set(key, object{})
	}
	r.began = false
	for _, raw := range items {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		if err := r.object(m.Kind, raw, "ADDED"); err != nil {
			return err
		}
	}
	r.events -= len(items)
	return nil
}

// object takes one object in its new state. event is "" where kubectl did not say what happened.
func (r *recording) object(kind string, raw json.RawMessage, event string) error {
	if kind != "Pod" && kind != "EndpointSlice" {
		return fmt.Errorf("kind %q: want EndpointSlice or Pod", kind)
	}
	if r.kind != "" && r.kind != kind {
		return fmt.Errorf("kind %q after %q: record one of them", kind, r.kind)
	}
	r.kind = kind
	key, now, err := r.decode(raw)
	if err != nil {
		return err
	}
	r.events++
	before, known := r.objects[key]
	deleted := event == "DELETED" || event == "" && known && reflect.DeepEqual(before, now) // kubectl prints what is deleted once more
	changes := r.began || known || event == "MODIFIED" || event == "DELETED"
	if changes && !(r.began && now.trigger != "" && now.trigger == r.trigger) {
		r.round()
	}
	r.began, r.trigger = changes, now.trigger
	if deleted {
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
func (r *recording) decode(raw json.RawMessage) (key string, o object, err error) {
	o.ready = map[string]bool{}
	if r.kind == "Pod" {
		var pod corev1.Pod
		if err := json.Unmarshal(raw, &pod); err != nil {
			return "", o, err
		}
		if pod.Name == "" {
			return "", o, errors.New("a Pod without a name")
		}
		if pod.Status.PodIP != "" && !conditions.Finished(&pod) {
			o.ready[pod.Namespace+"/"+pod.Name+"/"+string(pod.UID)] = conditions.FromPod(&pod, false).Ready
		}
		pod.ResourceVersion = ""
		o.content = pod
		return pod.Namespace + "/" + pod.Name, o, nil
	}
	var s discoveryv1.EndpointSlice
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", o, err
	}
	service := s.Namespace + "/" + s.Labels[discoveryv1.LabelServiceName]
	if s.Name == "" {
		return "", o, errors.New("an EndpointSlice without a name")
	}
	if r.service != "" && r.service != service {
		return "", o, fmt.Errorf("slice %s is of Service %s, others are of %s: record one Service, by -l %s=NAME", s.Name, service, r.service, discoveryv1.LabelServiceName)
	}
	r.service = service
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		if len(e.Addresses) == 0 {
			return "", o, fmt.Errorf("slice %s: endpoints[%d] has no address", s.Name, i)
		}
		id := e.Addresses[0]
		if e.TargetRef != nil && e.TargetRef.UID != "" {
			id = string(e.TargetRef.UID)
		}
		o.ready[id] = o.ready[id] || conditions.Of(e.Conditions).Ready
	}
	o.trigger = s.Annotations[corev1.EndpointsLastChangeTriggerTime]
	s.ResourceVersion = ""
	o.content = s
	return s.Namespace + "/" + s.Name, o, nil
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
		r.trace.Rounds = append(r.trace.Rounds, next)
	}
}
