package store_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestRebuild compares an index with merges and with a plain reading of the slices that there are,
// and what it says about changes with the difference of its views.
func TestRebuild(t *testing.T) { rapid.Check(t, func(t *rapid.T) { check.Rebuild(t) }) }

// TestRenewed: a slice that is written again as it was becomes the newest one, and its copy of a
// Pod counts.
func TestRenewed(t *testing.T) {
	var ix dedup.Index
	for version, name := range []string{"web-a", "web-b", "web-a", "web-b"} {
		s := gen.WebSlice(name, "10.0.0.1")
		s.ResourceVersion = fmt.Sprint(version + 1)
		s.Endpoints[0].TargetRef, s.Endpoints[0].NodeName = &corev1.ObjectReference{Name: "pod"}, &name
		ix.Upsert(s)
		changes, _ := ix.Flush()
		for _, e := range ix.View().All() {
			if e.Slice != name || len(changes.Ports) != 1 {
				t.Errorf("%s was written last, and %s counts: %v", name, e.Slice, changes.Ports)
			}
		}
	}
}

// TestUpsertReportsChanges: a resync and a slice that never counted change nothing and say so; all
// else may.
func TestUpsertReportsChanges(t *testing.T) {
	stored := func(name, version string, addresses ...string) *discoveryv1.EndpointSlice {
		s := gen.WebSlice(name, addresses...)
		s.UID, s.ResourceVersion = types.UID("uid of "+name), version
		return s
	}
	ix, err := dedup.NewIndex(dedup.Options{Service: func(s *discoveryv1.EndpointSlice) (string, bool) {
		return s.Labels[discoveryv1.LabelServiceName], s.Labels["foreign"] == ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	foreign := stored("web-f", "1", "10.0.0.9")
	foreign.Labels["foreign"] = "true"
	recreated := stored("web-a", "1", "10.0.0.1")
	recreated.UID = "another"
	unversioned := gen.WebSlice("web-b", "10.0.0.2")
	for _, row := range []struct {
		why  string
		say  func() bool
		want bool
	}{
		{"a new slice", func() bool { return ix.Upsert(stored("web-a", "1", "10.0.0.1")) }, true},
		{"the same before a flush", func() bool { return ix.Upsert(stored("web-a", "1", "10.0.0.1")) }, true},
		{"a resync", func() bool { ix.Flush(); return ix.Upsert(stored("web-a", "1", "10.0.0.1")) }, false},
		{"another version", func() bool { return ix.Upsert(stored("web-a", "2", "10.0.0.2")) }, true},
		{"back to the first version before a flush", func() bool { return ix.Upsert(stored("web-a", "1", "10.0.0.1")) }, true},
		{"made anew", func() bool { ix.Flush(); return ix.Upsert(recreated) }, true},
		{"a slice without UID and version", func() bool { return ix.Upsert(unversioned) }, true},
		{"the same, which may have changed", func() bool { ix.Flush(); return ix.Upsert(unversioned) }, true},
		{"a slice that does not count", func() bool { return ix.Upsert(foreign) }, false},
		{"its delete", func() bool { return ix.Delete("default", "web-f") }, false},
		{"a delete", func() bool { ix.Flush(); return ix.Delete("default", "web-a") }, true},
		{"the delete again, before a flush", func() bool { return ix.Delete("default", "web-a") }, true},
		{"the delete again, after it", func() bool { ix.Flush(); return ix.Delete("default", "web-a") }, false},
		{"a delete of what is not yet there", func() bool { ix.Upsert(stored("web-c", "1")); return ix.Delete("default", "web-c") }, true},
		{"a slice that counts no more", func() bool {
			f := stored("web-f", "0", "10.0.0.9")
			ix.Upsert(f)
			ix.Flush()
			return ix.Upsert(foreign)
		}, true},
		{"nil, which is a problem", func() bool { return ix.Upsert(nil) }, true},
		{"no name, which is a problem", func() bool { return ix.Upsert(gen.WebSlice("")) }, true},
		{"no namespace, which is a problem", func() bool {
			s := gen.WebSlice("web-n")
			s.Namespace = ""
			return ix.Upsert(s)
		}, true},
	} {
		if got := row.say(); got != row.want {
			t.Errorf("%s: got %v", row.why, got)
		}
		if row.want {
			continue
		}
		before := ix.View()
		if changes, problems := ix.Flush(); fmt.Sprint(changes) != fmt.Sprint(dedup.Changes{}) || problems != nil ||
			ix.View() != before {
			t.Errorf("%s: a flush changes %v", row.why, changes)
		}
	}
	const want = "slice: Required value: give a slice, not nil\n" +
		"slice.metadata: Required value: give the slice a name and a namespace\n" +
		"/web-n: slice.metadata: Required value: give the slice a name and a namespace"
	if _, problems := ix.Flush(); problems.String() != want {
		t.Errorf("problems %v, want %s", problems, want)
	}
}
