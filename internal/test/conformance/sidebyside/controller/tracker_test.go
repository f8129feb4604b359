package controller

import (
	"context"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

var web = client.ObjectKey{Namespace: "shop", Name: "web"}

func sliceOfWeb(name, version string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{}
	s.Namespace, s.Name, s.ResourceVersion = web.Namespace, name, version
	s.Labels = map[string]string{discoveryv1.LabelServiceName: web.Name}
	return s
}

// TestOwnWritesWakeNobody has a row for each event of a slice that the controller wrote as version 9, or deleted.
func TestOwnWritesWakeNobody(t *testing.T) {
	for _, row := range []struct {
		why, noted, was, is string // versions; is empty: the slice is gone
		wakes, forgotten    bool
	}{
		{"our own write", "9", "8", "9", false, false},
		{"a late event of a write before ours", "9", "7", "8", false, false},
		{"a write of somebody else after ours", "9", "9", "10", true, false},
		{"a write before our delete", deleted, "7", "8", true, false},
		{"our own delete", deleted, "9", "", false, true},
		{"somebody else deletes what we wrote", "9", "9", "", true, true},
		{"a late delete, before we wrote a slice of this name", "9", "8", "", false, false},
		{"somebody else deletes what we never wrote", "", "9", "", true, true},
	} {
		tr, is := newTracker(), (*discoveryv1.EndpointSlice)(nil)
		if row.noted != "" {
			_ = tr.note(sliceOfWeb("a", "1"), row.noted, nil)
		}
		if row.is != "" {
			is = sliceOfWeb("a", row.is)
		}
		if woken := tr.foreign(sliceOfWeb("a", row.was), is); woken[web] != row.wakes {
			t.Errorf("%s: woken are %v", row.why, woken)
		}
		if _, known := tr.versions[web]["a"]; known == row.forgotten {
			t.Errorf("%s: noted is %v", row.why, tr.versions)
		}
	}
}

// TestKit puts our side under the test kit for writers as it is: with controller-runtime's own client and the index, which gets from
// the kit's state what the watches would tell.
func TestKit(t *testing.T) {
	slicertest.Run(t, slicertest.Options{ManagedBy: managedBy}, func(api *slicertest.API) slicertest.Sync {
		c, err := client.New(&rest.Config{Host: "http://kit", Transport: api, QPS: -1}, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := newReconciler(c, c, Options{Packing: slicer.InPlace})
		return func(ctx context.Context, s slicertest.State) error {
			for _, gone := range s.Deleted { // what the handler of the watch does
				r.written.foreign(gone, nil)
			}
			r.index = newIndex()
			r.index.setService(nil, s.Service)
			for _, pod := range s.Pods {
				r.index.setPod(nil, pod)
			}
			for _, node := range s.Nodes {
				r.index.setNode(nil, node)
			}
			for _, slice := range s.All {
				r.index.setSlice(nil, slice)
			}
			_, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(s.Service)})
			return err
		}
	})
}
