package recovery

import (
	"context"
	"errors"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

const manager = "slices.example.com"

// selector selects what programs publish for the Service.
var selector = map[string]string{discoveryv1.LabelServiceName: Name}

// small puts one endpoint into each slice, so that plans have many steps.
var small = services.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 1}}

// TestSyncer: a Syncer recovers from every history. Without hidden names, the slices are right
// after 11 calls: ten that wait or fail, and one that lists live.
func TestSyncer(t *testing.T) {
	r := Check(Program{Selector: selector, ManagedBy: manager,
		Start: func(s *Server) func(context.Context, State) error {
			syncer := publish.New(s.Slices(), small)
			return func(ctx context.Context, state State) error {
				_, err := syncer.Pods(ctx, state.Service, state.Pods, services.NodesByName(state.Nodes))
				return err
			}
		}}, histories(t), uint64(nightly.Seed(t, 1)))
	t.Log(r)
	if r.Stuck > 0 || r.Most(false) > 11 || r.Most(true) > 14 {
		t.Error(r, r.Example)
	}
}

// histories is how many are played: 1 000 by .ci/run, and SLICEWRIGHT_CASES in the nightly run.
func histories(t *testing.T) int {
	if os.Getenv("SLICEWRIGHT_FULL") == "1" {
		return nightly.Cases(t, 1_000)
	}
	return nightly.Cases(t, 60)
}

// TestWaitsForever: the program that README showed at 7afb506d does not recover from a create that
// was lost: it is stuck in one of the first 100 histories.
func TestWaitsForever(t *testing.T) {
	r := Check(Program{mild: true, Selector: selector, ManagedBy: manager,
		Start: func(s *Server) func(context.Context, State) error {
			var w writes
			return func(ctx context.Context, state State) error {
				upTo := s.UpTo()
				existing, err := s.Cached(Namespace, labels.SelectorFromSet(selector))
				if err != nil {
					return err
				}
				return syncWithWrites(ctx, s.Client(), state.Service, state.Pods, state.Nodes, existing, upTo, &w)
			}
		}}, 100, 1)
	t.Log(r, r.Example)
	if r.First == 0 {
		t.Error("it is not found to be stuck")
	}
}

type client interface {
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// syncWithWrites is the program that README showed at 7afb506d.
func syncWithWrites(ctx context.Context, c client, svc *corev1.Service, pods []*corev1.Pod,
	nodes []*corev1.Node, existing []*discoveryv1.EndpointSlice, upTo string, writes *writes) error {
	set, o := slicer.Set{Namespace: svc.Namespace, Name: svc.Name}, services.Options{ManagedBy: "slices.example.com"}
	if err := writes.Behind(set, existing, upTo); err != nil {
		return err // the cache has not shown what was written last: call again soon
	}
	plan, err := services.Plan(svc, pods, services.NodesByName(nodes), existing, o)
	// an ExternalName, or no selector any more: leave nothing of ours behind
	if errors.Is(err, services.ErrNotManaged) {
		plan, err = services.PlanRemoval(svc, existing, o)
	}
	if err != nil {
		return err // a *field.Error: a mistake in the Service or the call; a retry helps only where its Field is node
	}
	return errors.Join(publish.Apply(plan, writes.Through(set, publish.ClientWriter(ctx, c))), plan.Retry())
}
