package dedup_test

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// TestUpsertSaysWhether: a resync and a slice that never counted change nothing and say so; all else may.
func TestUpsertSaysWhether(t *testing.T) {
	stored := func(name, version string, addresses ...string) *discoveryv1.EndpointSlice {
		s := slice(name, addresses...)
		s.UID, s.ResourceVersion = types.UID("uid of "+name), version
		return s
	}
	ix := newIndex(dedup.Options{Service: func(s *discoveryv1.EndpointSlice) (string, bool) {
		return s.Labels[discoveryv1.LabelServiceName], s.Labels["foreign"] == ""
	}})
	foreign := stored("web-f", "1", "10.0.0.9")
	foreign.Labels["foreign"] = "true"
	recreated := stored("web-a", "1", "10.0.0.1")
	recreated.UID = "another"
	unversioned := slice("web-b", "10.0.0.2")
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
		{"no name, which is a problem", func() bool { return ix.Upsert(slice("")) }, true},
	} {
		if got := row.say(); got != row.want {
			t.Errorf("%s: got %v", row.why, got)
		}
		if row.want {
			continue
		}
		before := ix.View()
		if changes, problems := ix.Flush(); !nothing(changes) || problems != nil || ix.View() != before {
			t.Errorf("%s: a flush changes %v", row.why, changes)
		}
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
	if ix.Flush(); ix.View().Len(webHTTP) != 100 {
		t.Errorf("%d endpoints are left, want 100", ix.View().Len(webHTTP))
	}
}

func removedBy(d dedup.Delta) int {
	_, removed, _ := d.Counts()
	return removed
}
