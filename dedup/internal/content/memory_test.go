package content

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestIsVersion: a slice is the version that was read if UID and resourceVersion say so, and
// neither is unknown.
func TestIsVersion(t *testing.T) {
	for _, row := range []struct {
		uid, version, hasUID, hasVersion string
		want                             bool
	}{
		{"u", "5", "u", "5", true},
		{"u", "5", "u", "6", false},
		{"u", "5", "v", "5", false},
		{"", "5", "", "5", false},
		{"u", "", "u", "", false},
	} {
		read := Slice{UID: types.UID(row.uid), Version: row.version}
		slice := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{UID: types.UID(row.hasUID),
			ResourceVersion: row.hasVersion}}
		if got := read.IsVersion(slice); got != row.want {
			t.Errorf("UID %q version %q is UID %q version %q: %v", row.uid, row.version, row.hasUID, row.hasVersion,
				got)
		}
	}
}

// TestAddedIsExact: what was added is kept in memory for so many endpoints, and no more.
func TestAddedIsExact(t *testing.T) {
	endpoints := func(names ...string) (list []*Endpoint) {
		shared := &Shared{}
		for _, name := range names {
			list = append(list, &Endpoint{Shared: shared, TargetName: name})
		}
		return list
	}
	after, change := keep(endpoints("a", "b"), endpoints("a", "b", "c"))
	if len(after) != 3 || len(change.Removed) != 0 || len(change.Added) != 1 || cap(change.Added) != 1 {
		t.Errorf("%d endpoints, %d removed, %d of %d added", len(after), len(change.Removed), len(change.Added),
			cap(change.Added))
	}
}
