package dedup_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// DeletedFinalStateUnknown has the fields of client-go's tombstone.
type DeletedFinalStateUnknown struct {
	Key string
	Obj any
}

// TestHandle: an index takes what an informer's handlers get, tombstones included, and what is no
// slice is a problem.
func TestHandle(t *testing.T) {
	const notSlice = "slice: Required value: give an *EndpointSlice, not "
	web := slice("web-a", "10.0.0.1")
	for _, row := range []struct {
		why          string
		old, changed any
		left         int
		problem      string
	}{
		{"added", nil, slice("web-b", "10.0.0.2"), 2, ""},
		{"updated", web, slice("web-a", "10.0.0.1", "10.0.0.3"), 2, ""},
		{"deleted", web, nil, 0, ""},
		{"a tombstone", DeletedFinalStateUnknown{"default/web-a", web}, nil, 0, ""},
		{"a tombstone without its object", DeletedFinalStateUnknown{"default/web-a", nil}, nil, 0, ""},
		{"a pointer to a tombstone", &DeletedFinalStateUnknown{"default/web-a", nil}, nil, 0, ""},
		{"a tombstone of a slice that is not there", DeletedFinalStateUnknown{"default/other", nil}, nil, 1, ""},
		{"nothing", nil, nil, 1, ""},
		{"another object", nil, &corev1.Pod{}, 1, notSlice + "*v1.Pod"},
		{"another object is deleted", &corev1.Pod{}, nil, 1, notSlice + "*v1.Pod"},
		{"a tombstone without a namespace", DeletedFinalStateUnknown{"web-a", nil}, nil, 1, notSlice + `a tombstone with Key "web-a": the Key must be namespace/name`},
		{"a tombstone with an empty name", DeletedFinalStateUnknown{"default/", nil}, nil, 1, notSlice + `a tombstone with Key "default/": the Key must be namespace/name`},
		{"a tombstone of something else", DeletedFinalStateUnknown{"default/web-a/x", nil}, nil, 1, notSlice + `a tombstone with Key "default/web-a/x": the Key must be namespace/name`},
		{"a struct with a key of another type", struct{ Key, Obj int }{}, nil, 1, notSlice + "struct { Key int; Obj int }"},
		{"a nil slice is nil", nil, (*discoveryv1.EndpointSlice)(nil), 1, ""},
		{"a nil slice is deleted", (*discoveryv1.EndpointSlice)(nil), nil, 1, ""},
		{"a handler of a typed informer, deleted", web, (*discoveryv1.EndpointSlice)(nil), 0, ""},
		{"a handler of a typed informer, added", (*discoveryv1.EndpointSlice)(nil), slice("web-b", "10.0.0.2"), 2, ""},
		{"a nil tombstone in another struct is neither", struct{ *DeletedFinalStateUnknown }{}, nil, 1, notSlice + "struct { *dedup_test.DeletedFinalStateUnknown }"},
		{"text is added", nil, "default/web-a", 1, notSlice + "string"},
		{"text", "default/web-a", nil, 1, notSlice + "string"},
	} {
		ix := newIndex(dedup.Options{})
		ix.Handle(nil, web)
		ix.Flush()
		ix.Handle(row.old, row.changed)
		_, problems := ix.Flush()
		if length(ix.View()) != row.left || problems.String() != row.problem {
			t.Errorf("%s: %d endpoints are left, problems %v", row.why, length(ix.View()), problems)
		}
		shown := len(ix.View().Warnings())
		// of what has no name, so that nothing can take it back
		if ix.Flush(); shown != len(problems) || len(ix.View().Warnings()) > 0 {
			t.Errorf("%s: the view has %d problems, and after the next flush %v", row.why, shown, ix.View().Warnings())
		}
	}
}

// TestResync: a relist takes in what changed, and nothing else.
func TestResync(t *testing.T) {
	ix := newIndex(dedup.Options{})
	list := manySlices(1000)
	for _, s := range list {
		s.UID = types.UID(s.Name)
	}
	ix.Replace(list)
	ix.Flush()
	for _, s := range list {
		ix.Upsert(s.DeepCopy())
	}
	if changes, _ := ix.Flush(); len(changes.Services) > 0 {
		t.Errorf("a resync changes %v", changes)
	}
	changed := list[3].DeepCopy()
	changed.ResourceVersion, changed.Endpoints = "2", changed.Endpoints[1:]
	ix.Replace(append([]*discoveryv1.EndpointSlice{changed}, append(list[4:], list[:3]...)...))
	changes, _ := ix.Flush()
	if len(changes.Ports) != 1 || len(slices.Collect(changes.Ports[0].Removed())) != 1 || len(changes.Services) != 1 {
		t.Errorf("got %v", changes)
	}
	ix.Replace(list[:1])
	if ix.Flush(); length(ix.View()) != 100 {
		t.Errorf("%d endpoints are left, want 100", length(ix.View()))
	}
}

// length is how many endpoints a view has behind webHTTP.
func length(v dedup.View) int { return len(slices.Collect(v.Endpoints(webHTTP))) }
