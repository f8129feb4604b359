package slicer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// What a cache has to show for each write, whatever happens in between, is in the scenarios of testdata/writes, and held in every
// order of events by package internal/test/model. Here are the errors, the keys and what is left behind.

var writesSet = slicer.Set{Namespace: "ns", Name: "web"}

func stored(name, uid, version string) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: name, UID: types.UID(uid), ResourceVersion: version,
		Labels: map[string]string{discoveryv1.LabelServiceName: "web"},
	}}
}

// answering is a writer that gives each created or updated slice this version, and returns err.
func answering(version string, err error) slicer.Writer {
	put := func(s *discoveryv1.EndpointSlice) error {
		if s.UID == "" {
			s.UID = types.UID("uid-" + version)
		}
		s.ResourceVersion = version
		return err
	}
	return slicer.Writer{Create: put, Update: put, Delete: func(*discoveryv1.EndpointSlice, *metav1.Preconditions) error { return err }}
}

// TestWritesOutcomes: an answer that refuses leaves nothing to wait for; any other error does, because the write may have been done.
func TestWritesOutcomes(t *testing.T) {
	status := func(code int32) error {
		return fmt.Errorf("wrapped: %w", &apierrors.StatusError{ErrStatus: metav1.Status{Code: code}})
	}
	for _, c := range []struct {
		err   error
		waits bool
	}{
		{nil, true},
		{status(400), false}, {status(403), false}, {status(409), false}, {status(413), false}, {status(422), false}, {status(499), false},
		{status(408), true}, {status(429), true}, {status(500), true}, {status(503), true}, {status(0), true}, {status(399), true},
		{errors.New("connection reset by peer"), true},
	} {
		for verb, old := range map[string]*discoveryv1.EndpointSlice{"create": nil, "update": stored("a", "u", "5"), "delete": stored("a", "u", "5")} {
			var m slicer.Writes
			w := m.Through(writesSet, answering("7", c.err))
			var err error
			switch verb {
			case "create":
				err = w.Create(&discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
			case "update":
				err = w.Update(old.DeepCopy())
			default:
				err = w.Delete(old, nil)
			}
			var view []*discoveryv1.EndpointSlice
			if old != nil {
				view = append(view, old)
			}
			if waits := m.Behind(writesSet, view, "") != nil; err != c.err || waits != c.waits {
				t.Errorf("%s: %v, and waits is %t after %v", verb, err, waits, c.err)
			}
		}
	}
	var m slicer.Writes
	gone := apierrors.NewNotFound(discoveryv1.Resource("endpointslices"), "a")
	if err := m.Through(writesSet, answering("", gone)).Delete(stored("a", "u", "5"), nil); err != gone || m.Behind(writesSet, pointers(stored("a", "u", "5")), "") == nil {
		t.Error("a deletion of what is gone is done, and the cache has to show that")
	}
}

// TestWritesVersions: what the cache shows, after each kind of write, and whether that ends the waiting.
func TestWritesVersions(t *testing.T) {
	lost := errors.New("no answer")
	old := stored("a", "u", "9") // 10 is later, though not as a text
	for _, c := range []struct {
		why   string
		write func(slicer.Writer) error
		err   error
		view  []*discoveryv1.EndpointSlice
		upTo  string
		waits bool
	}{
		{"a creation", create("a"), nil, nil, "", true},
		{"a creation, an earlier slice of its name", create("a"), nil, pointers(old), "", true},
		{"a creation that is shown", create("a"), nil, pointers(stored("a", "uid-12", "12")), "", false},
		{"a creation, a later slice of its name", create("a"), nil, pointers(stored("a", "v", "13")), "", false},
		{"a creation that upTo has reached", create("a"), nil, nil, "12", false},
		{"a creation that upTo has not reached", create("a"), nil, nil, "9", true},
		{"a creation, an earlier slice of its name and upTo", create("a"), nil, pointers(old), "12", true},
		{"a creation in another namespace", create("a"), nil, elsewhere(stored("a", "uid-12", "12")), "", true},
		{"a creation without answer", create("a"), lost, nil, "99", true},
		{"a creation without answer that is shown", create("a"), lost, pointers(stored("a", "v", "2")), "", false},
		{"an update", update(old), nil, pointers(old), "", true},
		{"an update, a version between", update(old), nil, pointers(stored("a", "u", "10")), "", true},
		{"an update that is shown", update(old), nil, pointers(stored("a", "u", "12")), "", false},
		{"an update of what is gone", update(old), nil, nil, "", false},
		{"an update of what is another slice now", update(old), nil, pointers(stored("a", "v", "13")), "", false},
		{"an update without answer", update(old), lost, pointers(old), "", true},
		{"an update without answer, any later version", update(old), lost, pointers(stored("a", "u", "10")), "", false},
		{"a deletion", remove(old), nil, pointers(old), "", true},
		{"a deletion that is shown", remove(old), nil, nil, "", false},
		{"a deletion, and finalizers", remove(old), nil, pointers(stored("a", "u", "10")), "", false},
		{"a deletion, and another slice", remove(old), nil, pointers(stored("a", "v", "10")), "", false},
		{"nil among the slices", remove(old), nil, []*discoveryv1.EndpointSlice{nil, old}, "", true},
	} {
		var m slicer.Writes
		if err := c.write(m.Through(writesSet, answering("12", c.err))); err != c.err {
			t.Errorf("%s: %v", c.why, err)
		}
		if err := m.Behind(writesSet, c.view, c.upTo); (err != nil) != c.waits {
			t.Errorf("%s: %v", c.why, err)
		} else if err != nil && !strings.Contains(err.Error(), "ns/a ") {
			t.Errorf("%s: the error does not name the slice: %v", c.why, err)
		}
		if !c.waits && fmt.Sprintf("%v", &m) != "&{{{} {0 0}} map[]}" {
			t.Errorf("%s: something is left: %v", c.why, &m)
		}
	}
}

// TestWritesListed: a live list settles what a lost answer and a slice that is gone leave open, and is then waited for.
func TestWritesListed(t *testing.T) {
	var m slicer.Writes
	create("a")(m.Through(writesSet, answering("12", nil)))
	create("")(m.Through(writesSet, answering("", errors.New("no answer")))) // of a generated name
	foreign := stored("x", "x", "5")
	foreign.Labels = nil
	m.Listed(writesSet, []*discoveryv1.EndpointSlice{stored("b", "b", "14"), foreign, nil})
	if err := m.Behind(writesSet, nil, ""); err == nil || !strings.Contains(err.Error(), "1 slices, ns/b ") {
		t.Errorf("the cache has to show the slice of the list and nothing else: %v", err)
	}
	if err := m.Behind(writesSet, pointers(stored("b", "b", "15")), ""); err != nil {
		t.Error(err)
	}
}

// TestWritesSets: sets do not wait for each other's writes, a set is the same by its name and by its key, and one that is
// forgotten waits for nothing. Sets that come and go, as many as SLICEWRIGHT_CASES says, leave nothing.
func TestWritesSets(t *testing.T) {
	var m slicer.Writes
	others := []slicer.Set{
		{Namespace: "ns", Name: "other"}, {Namespace: "far", Name: "web"},
		{Namespace: "ns", Name: "web", Key: map[string]string{"a": "1", "b": "2"}}, {Namespace: "ns", Key: map[string]string{"a": "1", "b": "3"}},
	}
	create("a")(m.Through(writesSet, answering("12", nil)))
	for _, set := range others {
		if err := m.Behind(set, nil, ""); err != nil {
			t.Error(err)
		}
		create("a")(m.Through(set, answering("12", nil)))
	}
	same := slicer.Set{Namespace: "ns", ManagedBy: "m", Key: map[string]string{discoveryv1.LabelServiceName: "web"}}
	if m.Behind(same, nil, "") == nil {
		t.Error("a set is another by its key than by its name")
	}
	for _, set := range append(others, same) {
		m.Forget(set)
	}
	for i := range nightly.Cases(t, 10_000) {
		set := slicer.Set{Namespace: "ns", Name: fmt.Sprint("service-", i)}
		create("a")(m.Through(set, answering("12", nil)))
		if i%2 == 0 {
			m.Forget(set)
		} else if err := m.Behind(set, pointers(stored("a", "uid-12", "12")), ""); err != nil {
			t.Fatal(err)
		}
	}
	if left := fmt.Sprintf("%v", &m); left != "&{{{} {0 0}} map[]}" {
		t.Errorf("something is left: %v", left)
	}
}

// TestWritesMistakes: a writer that does not decode answers is an error where a slice is created, and its updates are waited for; one
// that lacks a function lacks it still, so that Apply says so.
func TestWritesMistakes(t *testing.T) {
	var m slicer.Writes
	nothing := func(*discoveryv1.EndpointSlice) error { return nil }
	w := m.Through(writesSet, slicer.Writer{Create: nothing, Update: nothing})
	if err := create("a")(w); err == nil || !strings.Contains(err.Error(), "decode the API server's answer") || m.Behind(writesSet, nil, "") == nil {
		t.Errorf("a creation without resourceVersion: %v", err)
	}
	m.Forget(writesSet)
	if err := update(stored("a", "u", "9"))(w); err != nil || m.Behind(writesSet, pointers(stored("a", "u", "9")), "") == nil ||
		m.Behind(writesSet, pointers(stored("a", "u", "10")), "") != nil {
		t.Errorf("an update that is not decoded: %v", err)
	}
	if w := m.Through(writesSet, slicer.Writer{}); w.Create != nil || w.Update != nil || w.Delete != nil {
		t.Error("a Writer has functions from nowhere")
	}
}

// TestWritesAllocations: while nothing is waited for, asking costs nothing, whoever else waits.
func TestWritesAllocations(t *testing.T) {
	var m slicer.Writes
	create("a")(m.Through(slicer.Set{Namespace: "ns", Name: "busy"}, answering("12", nil)))
	view := pointers(stored("a", "u", "9"))
	for _, set := range []slicer.Set{writesSet, {Namespace: "ns", Name: "x", Key: map[string]string{"app": "x", "cluster": "eu"}}} {
		if n := testing.AllocsPerRun(100, func() {
			if err := m.Behind(set, view, "9"); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func pointers(list ...*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice { return list }

func elsewhere(s *discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	s.Namespace = "far"
	return pointers(s)
}

func create(name string) func(slicer.Writer) error {
	return func(w slicer.Writer) error {
		return w.Create(&discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
}

func update(s *discoveryv1.EndpointSlice) func(slicer.Writer) error {
	return func(w slicer.Writer) error { return w.Update(s.DeepCopy()) }
}

func remove(s *discoveryv1.EndpointSlice) func(slicer.Writer) error {
	return func(w slicer.Writer) error { return w.Delete(s, nil) }
}
