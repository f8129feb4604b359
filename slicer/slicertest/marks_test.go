package slicertest

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestLostMarks takes one mark after the other off a slice that other people marked, and off one that they only annotated.
func TestLostMarks(t *testing.T) {
	k := suiteOf(t, Options{}, idle)
	r := k.newReplay(newWorld(), k.NewLog(false))
	for name, put := range map[string]func(*discoveryv1.EndpointSlice){"marked": r.mark, "annotated": r.annotate} {
		s := newSlice(name)
		s.Namespace = namespace
		s, err := r.api.server.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		put(s)
	}
	for _, row := range []struct {
		slice  string
		change func(*discoveryv1.EndpointSlice)
		want   string
	}{
		{"marked", func(s *discoveryv1.EndpointSlice) {}, ""},
		{"marked", func(s *discoveryv1.EndpointSlice) { s.Annotations = nil }, "the annotation"},
		{"marked", func(s *discoveryv1.EndpointSlice) { s.Finalizers = nil }, "the finalizer"},
		{"marked", func(s *discoveryv1.EndpointSlice) { s.OwnerReferences = nil }, "the owner"},
		{"annotated", func(s *discoveryv1.EndpointSlice) {}, ""},
		{"annotated", func(s *discoveryv1.EndpointSlice) { s.Annotations = nil }, "the annotation"},
	} {
		s := r.api.server.Get(row.slice).DeepCopy()
		row.change(s)
		if got := r.lost(s); got != row.want {
			t.Errorf("%s: lost %q, want %q", row.slice, got, row.want)
		}
	}
}

// TestForeignSlices changes and deletes a slice of somebody else.
func TestForeignSlices(t *testing.T) {
	for _, row := range []struct {
		why    string
		do     func(r *replay, name string)
		breach bool
	}{
		{"it stays", func(*replay, string) {}, false},
		{"it is changed", func(r *replay, name string) {
			s := r.api.server.Get(name).DeepCopy()
			s.Endpoints = nil
			_, _ = r.api.server.Update(s)
		}, true},
		{"it is deleted", func(r *replay, name string) { _ = r.api.server.Delete(name, nil) }, true},
	} {
		k := suiteOf(t, Options{}, idle)
		r := k.newReplay(newWorld(), k.NewLog(false))
		publishForeign(r, 0)
		row.do(r, "other-1")
		if r.judgeForeign(); broken(r, "foreign-kept") != row.breach {
			t.Errorf("%s: %v", row.why, r.log.Causes())
		}
	}
}
