package publish

import (
	"context"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
)

// Syncer brings slices up to date. Make one for each API server, and keep it while the program
// runs: it remembers each write until the cache has shown it. Several goroutines may use it, but
// only one at a time for one slicer.Key, as with a workqueue. Each Input must come from caches at
// least as new as in the call before.
type Syncer struct {
	client Client
	memory memory
}

// New returns a Syncer, or an error that names each missing function of c.
func New(c Client) (*Syncer, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Syncer{client: c, memory: memory{sets: map[key]*remembered{}}}, nil
}

// Sync makes the slices hold what is wanted. It returns the plan that it made; after an error of a
// write, and in a namespace that is being deleted, the last steps are not done. The errors:
//
//   - ErrRetry: the cache does not show the last write yet, and the plan is empty. Call again after
//     50 to 200 ms
//   - *field.Error: the Input is wrong; only a change of it helps
//   - Input.Retry, after everything is written. Call again with back-off
//   - any other: a read or a write failed. Call again with back-off
func (s *Syncer) Sync(ctx context.Context, in slicer.Input) (slicer.Plan, error) {
	if in.Unmanaged {
		return slicer.Compute(in, nil)
	}
	set := tracker.Set{Key: in.Key, Owners: in.Meta.OwnerReferences, Adopt: in.Options.Adopt}
	return s.run(ctx, set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return slicer.Compute(in, existing)
	})
}

// Remove deletes all slices of a Key, whatever their owners, and forgets it. Call it for a parent
// that exists and is not published any more, and for slices without owners. For a parent that a
// cache does not show, call Forget, because the cache may be stale. If there are no slices, it makes
// no request. The errors are those of Sync.
func (s *Syncer) Remove(ctx context.Context, k slicer.Key) (slicer.Plan, error) {
	return s.run(ctx, tracker.Set{Key: k}, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return slicer.Remove(k, existing)
	})
}

// Forget drops what the Syncer remembers of a Key. Call it when the parent is gone: the garbage
// collector of Kubernetes deletes the slices that the parent owns.
func (s *Syncer) Forget(k slicer.Key) {
	m := s.memory.lock(&tracker.Set{Key: k})
	m.Tracker = tracker.Tracker{}
	s.memory.unlock(m)
}

func (s *Syncer) run(
	ctx context.Context, set tracker.Set, plan func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error),
) (slicer.Plan, error) {
	if err := check(set.Key); err != nil {
		return slicer.Plan{}, err
	}
	m := s.memory.lock(&set)
	defer s.memory.unlock(m)
	call, selector := m.Begin(set), labels.ValidatedSetSelector(set.Labels())
	for { // the tracker decides, and this loop reads and writes
		switch next := call.Next(); next.Do {
		case tracker.Read:
			call.Read(s.client.read(ctx, set.Namespace, selector))
		case tracker.List:
			call.Listed(s.client.List(ctx, set.Namespace, selector))
		case tracker.Get:
			call.Got(s.client.Get(ctx, set.Namespace, next.Name))
		case tracker.Plan:
			call.Planned(plan(next.View))
		case tracker.Write:
			call.Applied(apply(ctx, call.Plan, s.client, call.Answered))
		case tracker.Wait:
			return slicer.Plan{}, fmt.Errorf("%w: %s", ErrRetry, next.Why)
		default:
			if next.Err != nil {
				return call.Plan, next.Err
			}
			return call.Plan, retry(call.Plan.Retry)
		}
	}
}
