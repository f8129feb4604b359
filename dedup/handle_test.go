package dedup_test

import (
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
		noted        bool
		left         int
		problem      string
	}{
		{"added", nil, slice("web-b", "10.0.0.2"), true, 2, ""},
		{"updated", web, slice("web-a", "10.0.0.1", "10.0.0.3"), true, 2, ""},
		{"deleted", web, nil, true, 0, ""},
		{"a tombstone", DeletedFinalStateUnknown{"default/web-a", web}, nil, true, 0, ""},
		{"a tombstone without its object", DeletedFinalStateUnknown{"default/web-a", nil}, nil, true, 0, ""},
		{"a pointer to a tombstone", &DeletedFinalStateUnknown{"default/web-a", nil}, nil, true, 0, ""},
		{"a tombstone of a slice that is not there", DeletedFinalStateUnknown{"default/other", nil}, nil, false, 1, ""},
		{"nothing", nil, nil, false, 1, ""},
		{"another object", nil, &corev1.Pod{}, true, 1, notSlice + "*v1.Pod"},
		{"another object is deleted", &corev1.Pod{}, nil, true, 1, notSlice + "*v1.Pod"},
		{"a tombstone without a namespace", DeletedFinalStateUnknown{"web-a", nil}, nil, true, 1, notSlice + `a tombstone with Key "web-a": the Key must be namespace/name`},
		{"a tombstone with an empty name", DeletedFinalStateUnknown{"default/", nil}, nil, true, 1, notSlice + `a tombstone with Key "default/": the Key must be namespace/name`},
		{"a tombstone of something else", DeletedFinalStateUnknown{"default/web-a/x", nil}, nil, true, 1, notSlice + `a tombstone with Key "default/web-a/x": the Key must be namespace/name`},
		{"a struct with a key of another type", struct{ Key, Obj int }{}, nil, true, 1, notSlice + "struct { Key int; Obj int }"},
		{"a nil slice", nil, (*discoveryv1.EndpointSlice)(nil), true, 1, "slice: Required value: give a slice, not nil"},
		{"a nil slice is deleted", (*discoveryv1.EndpointSlice)(nil), nil, true, 1, "slice: Required value: give a slice, not nil"},
		{"a nil tombstone in another struct is neither", struct{ *DeletedFinalStateUnknown }{}, nil, true, 1, notSlice + "struct { *dedup_test.DeletedFinalStateUnknown }"},
		{"text is added", nil, "default/web-a", true, 1, notSlice + "string"},
		{"text", "default/web-a", nil, true, 1, notSlice + "string"},
	} {
		ix := newIndex(dedup.Options{})
		ix.Handle(nil, web)
		ix.Flush()
		noted := ix.Handle(row.old, row.changed)
		_, problems := ix.Flush()
		if noted != row.noted || length(ix.View()) != row.left || problems.String() != row.problem {
			t.Errorf("%s: noted %v, %d endpoints are left, problems %v", row.why, noted, length(ix.View()), problems)
		}
		shown := len(ix.View().Problems())
		// of what has no name, so that nothing can take it back
		if ix.Flush(); shown != len(problems) || len(ix.View().Problems()) > 0 {
			t.Errorf("%s: the view has %d problems, and after the next flush %v", row.why, shown, ix.View().Problems())
		}
	}
}

// TestProxied: the filter is kube-proxy's.
func TestProxied(t *testing.T) {
	for name, service := range map[string]func(*discoveryv1.EndpointSlice) (string, bool){
		"Proxied": dedup.Proxied, "ByLabel": dedup.ByLabel("example.com/service"),
	} {
		if _, counts := service(nil); counts {
			t.Errorf("%s: a nil slice counts", name)
		}
	}
	web, headless := slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.2")
	headless.Labels[corev1.IsHeadlessService] = ""
	claimed := slice("web-c", "10.0.0.3")
	claimed.Labels["service.kubernetes.io/service-proxy-name"] = "other" // says something of the Service alone
	view := dedup.Merge([]*discoveryv1.EndpointSlice{web, headless, claimed}, dedup.Options{Service: dedup.Proxied})
	if length(view) != 2 || view.Problems() != nil {
		t.Errorf("%d endpoints, %v", length(view), view.Problems())
	}
}

// TestReplaceKnowsVersions: a relist takes in what changed, and nothing else.
func TestReplaceKnowsVersions(t *testing.T) {
	asked := 0
	ix := newIndex(dedup.Options{Service: func(s *discoveryv1.EndpointSlice) (string, bool) {
		asked++
		return s.Labels[discoveryv1.LabelServiceName], true
	}})
	list := manySlices(1000)
	for _, s := range list {
		s.UID = types.UID(s.Name)
	}
	ix.Replace(list)
	ix.Flush()
	asked = 0
	changed := list[3].DeepCopy()
	changed.ResourceVersion, changed.Endpoints = "2", changed.Endpoints[1:]
	ix.Replace(append([]*discoveryv1.EndpointSlice{changed}, append(list[4:], list[:3]...)...))
	if deltas := portsOf(ix.Flush()); len(deltas) != 1 || removedBy(deltas[0]) != 1 || asked != 1 {
		t.Errorf("deltas %v; %d slices were read again", deltas, asked)
	}
	ix.Replace(list[:1])
	if ix.Flush(); length(ix.View()) != 100 {
		t.Errorf("%d endpoints are left, want 100", length(ix.View()))
	}
}

func removedBy(d dedup.Delta) int {
	_, removed, _ := d.Counts()
	return removed
}

// length is how many endpoints a view has behind webHTTP.
func length(v dedup.View) int {
	n, _ := v.Len(webHTTP)
	return n
}
