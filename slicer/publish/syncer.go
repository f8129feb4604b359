package publish

import (
	"context"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// Syncer brings the slices of Services up to date. It has state: it remembers each write until the
// cache has shown it. Make one with [New] for each API server and ManagedBy, and keep it as long as
// the program runs. Several goroutines may use it. Calls for one Service wait for each other.
type Syncer struct {
	slices   Slices
	mistakes error // missing functions in slices
	options  services.Options
	memory   *memory
}

// New returns a Syncer that remembers nothing. If its arguments are wrong, the first call of a
// method of the Syncer returns an error. [ClientSlices] returns the Slices of client-go. In full
// they are:
//
//	cache := factory.Discovery().V1().EndpointSlices() // before factory.Start
//	Cached: func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
//		return cache.Lister().EndpointSlices(namespace).List(selector)
//	},
//	UpTo: cache.Informer().GetStore().LastStoreSyncResourceVersion, // client-go 0.36 or later
//	List: func(ctx context.Context, namespace string, selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
//		return clientset.DiscoveryV1().EndpointSlices(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
//	},
//	Get: func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
//		return clientset.DiscoveryV1().EndpointSlices(namespace).Get(ctx, name, metav1.GetOptions{})
//	},
//	Writer: func(ctx context.Context, namespace string) publish.Writer {
//		return publish.ClientWriter(ctx, clientset.DiscoveryV1().EndpointSlices(namespace))
//	},
//
// With controller-runtime, Cached lists with the manager's client, List and Get read with its
// APIReader, and UpTo is nil, because the client does not show the version of its cache: see
// examples/programs/reconciler/slices.go. If a client returns a new object from Create and Update,
// as that of Rancher's library wrangler does, write a Writer whose Create and Update copy this
// object into their argument.
func New(s Slices, o services.Options) *Syncer {
	return &Syncer{s, s.check(), o, &memory{sets: map[key]*remembered{}}}
}

// With returns a Syncer that has other options and the same memory as s, so that it knows what s
// wrote. Use it for options that differ from call to call, such as the weights of zones. If s is
// nil, the result is nil.
func (s *Syncer) With(o services.Options) *Syncer {
	if s == nil {
		return nil
	}
	return &Syncer{s.slices, s.mistakes, o, s.memory}
}

// Sync brings the slices of any set up to date: it makes a plan with the function and carries it
// out. The other methods call it. Call it for plans of packages mirror and mcs, and of
// slicer.Compute. Sync reads only Namespace, Name, ManagedBy, Key and the UIDs of Owners of set.
// Give the same values as in the set for which the function plans.
//
// The function is called at most once. It gets the slices that exist, which are read-only. The
// function can inspect or log the plan before it is written. To write nothing, return an empty
// plan.
//
// The package comment lists the errors. With an error, the plan may have been carried out in part.
func (s *Syncer) Sync(
	ctx context.Context, set slicer.Set, plan func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error),
) (slicer.Plan, error) {
	return s.sync(ctx, tracker.Set{
		Namespace: set.Namespace, Name: set.Name, ManagedBy: set.ManagedBy, Labels: set.Key, Owners: set.Owners,
	}, plan)
}

func (s *Syncer) sync(
	ctx context.Context, set tracker.Set, plan func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error),
) (slicer.Plan, error) {
	if err := s.check(&set, plan); err != nil {
		return slicer.Plan{}, err
	}
	m := s.memory.lock(&set)
	defer s.memory.unlock(m)
	call, selector := m.Begin(set), labels.ValidatedSetSelector(set.Key())
	for { // the tracker decides, and this loop reads and writes
		switch next := call.Next(); next.Do {
		case tracker.Read:
			call.Read(s.slices.read(set.Namespace, selector))
		case tracker.List:
			call.Listed(s.slices.List(ctx, set.Namespace, selector))
		case tracker.Get:
			call.Got(s.slices.Get(ctx, set.Namespace, next.Name))
		case tracker.Plan:
			call.Planned(plan(next.View))
		case tracker.Write:
			call.Applied(Apply(call.Plan, through(&call, s.slices.Writer(ctx, set.Namespace))))
		case tracker.Wait:
			return slicer.Plan{}, fmt.Errorf("%w: %s", ErrWait, next.Why)
		default:
			return call.Plan, outcome(call.Plan, next.Err)
		}
	}
}
