package controller

import (
	"context"
	"testing"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestKit puts our side under the test kit for writers as it is: with controller-runtime's own client and the index, which gets from
// the kit's state what the watches would tell.
func TestKit(t *testing.T) {
	slicertest.Run(t, slicertest.Options{ManagedBy: managedBy}, func(api *slicertest.API) slicertest.Sync {
		c, err := client.New(&rest.Config{Host: "http://kit", Transport: api, QPS: -1}, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := newReconciler(c, slicer.InPlace)
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
