package controller

import (
	"context"
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/slicer"
)

// Waiting is how a sync waits until the cache shows what the controller wrote.
type Waiting string

// The ways to wait.
const (
	WithTracker Waiting = ""       // as Kubernetes' controller does
	WithWrites  Waiting = "writes" // publish.Syncer
	WithClient  Waiting = "client" // the read-your-writes client of controller-runtime
	Never       Waiting = "never"  // a plan from a late cache, of which the API server refuses what it sees
)

// current returns the slices of a Service from which a plan may be made, or an error if the cache is late. A publish.Syncer
// decides that by itself.
func (r *reconciler) current(ctx context.Context, key client.ObjectKey, cached []*discoveryv1.EndpointSlice) ([]*discoveryv1.EndpointSlice, error) {
	switch r.waiting {
	case WithTracker:
		if r.written.late(key, cached) {
			return nil, errors.New("the cache is late")
		}
	case WithClient:
		var list discoveryv1.EndpointSliceList
		err := r.List(ctx, &list, client.InNamespace(key.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: key.Name})
		return slicer.Pointers(list.Items), err
	}
	return cached, nil
}
