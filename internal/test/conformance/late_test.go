package conformance

import (
	"context"
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

var errLate = errors.New("the cache lacks what was written")

// late writes through [slicer.ClientWriter] from reads that lag behind its own writes: with Kubernetes' tracker it waits for
// them, as Kubernetes' controller does, and without one it leaves the refusal to the API server.
type late struct {
	client    kubernetes.Interface
	tracker   *util.EndpointSliceTracker // nil: none
	generated bool
}

func (l *late) sync(ctx context.Context, s slicertest.State) error {
	if l.tracker != nil {
		for _, gone := range s.Deleted {
			l.tracker.HandleDeletion(gone)
		}
		if l.tracker.StaleSlices(s.Service, s.Own) {
			return errLate
		}
	}
	plan, err := service.Plan(s.Service, s.Pods, s.Node, s.Own, service.Options{
		ManagedBy: "slices.example.com", Slices: slicer.Options{MaxEndpointsPerSlice: 3, GeneratedNames: l.generated},
	})
	if err != nil {
		return err
	}
	return errors.Join(plan.Apply(l.writer(ctx, s.Service.Namespace)), plan.Retry())
}

// writer tells the tracker of each write that succeeded.
func (l *late) writer(ctx context.Context, namespace string) slicer.Writer {
	w := slicer.ClientWriter(ctx, l.client.DiscoveryV1().EndpointSlices(namespace))
	if l.tracker == nil {
		return w
	}
	noted := func(write func(*discoveryv1.EndpointSlice) error) func(*discoveryv1.EndpointSlice) error {
		return func(s *discoveryv1.EndpointSlice) error {
			err := write(s)
			if err == nil {
				l.tracker.Update(s) // as the API server answered
			}
			return err
		}
	}
	return slicer.Writer{Create: noted(w.Create), Update: noted(w.Update), Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
		err := w.Delete(s, p)
		if err == nil {
			l.tracker.ExpectDeletion(s)
		}
		return err
	}}
}

// TestClientWriterWithLateReads syncs twice while the reads show none of the first sync's writes. With stable names no tracker is
// needed: the API server refuses the second create. Generated names need one, or a slice is created twice until a later plan
// deletes it.
func TestClientWriterWithLateReads(t *testing.T) {
	for _, row := range []struct {
		generated, tracked bool
		second             func(error) bool
		stored             int
	}{
		{false, false, apierrors.IsAlreadyExists, 1},
		{false, true, func(err error) bool { return errors.Is(err, errLate) }, 1},
		{true, false, func(err error) bool { return err == nil }, 2},
		{true, true, func(err error) bool { return errors.Is(err, errLate) }, 1},
	} {
		t.Run(fmt.Sprintf("generated=%t,tracked=%t", row.generated, row.tracked), func(t *testing.T) {
			l := &late{client: naming(), generated: row.generated}
			if row.tracked {
				l.tracker = util.NewEndpointSliceTracker()
			}
			state := slicertest.State{Service: triggerService(1), Pods: []*corev1.Pod{readySince(1, 2)}}
			if err := l.sync(t.Context(), state); err != nil {
				t.Fatal(err)
			}
			if err := l.sync(t.Context(), state); !row.second(err) {
				t.Errorf("the second sync: %v", err)
			}
			list, err := l.client.DiscoveryV1().EndpointSlices("").List(t.Context(), metav1.ListOptions{})
			if err != nil || len(list.Items) != row.stored {
				t.Errorf("%d slices (%v), want %d", len(list.Items), err, row.stored)
			}
			state.Own = slicer.Pointers(list.Items) // the reads catch up
			if err := l.sync(t.Context(), state); err != nil {
				t.Errorf("the third sync: %v", err)
			}
			if list, _ = l.client.DiscoveryV1().EndpointSlices("").List(t.Context(), metav1.ListOptions{}); len(list.Items) != 1 {
				t.Errorf("%d slices at the end", len(list.Items))
			}
		})
	}
}

// naming is a client of an API server in memory that gives names.
func naming() kubernetes.Interface {
	client, n := fake.NewClientset(), 0
	client.PrependReactor("create", "endpointslices", func(a clienttesting.Action) (bool, runtime.Object, error) {
		if s := a.(clienttesting.CreateAction).GetObject().(*discoveryv1.EndpointSlice); s.Name == "" {
			n++
			s.Name = fmt.Sprint(s.GenerateName, n)
		}
		return false, nil, nil
	})
	return client
}
