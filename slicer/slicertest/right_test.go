package slicertest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// rightWriters write in different ways, each of which is right.
var rightWriters = []struct {
	name  string
	o     Options
	start Writer
}{
	{"by hand", Options{Also: details}, newKeeper().start},
	{"five endpoints in a slice, in an order of its own, and never an update", Options{Without: []string{"Oversized"}, Max: 5}, keeping(neverUpdates)},
	{"reads what it has written", Options{}, keeping(polls)},
	{"keeps a slice without endpoints", Options{}, keeping(keepsPlaceholder)},
	{"tries again after a conflict", Options{}, triesAgain},
	{"writes in parallel", Options{}, keeping(inParallel)},
	{"gives hints", Options{}, keeping(hinting(func(w *Want) string { return *w.Endpoint.Zone }, func(w *Want) string { return *w.Endpoint.NodeName }))},
	{"waits until a slice that is being deleted is gone", Options{}, keeping(waitsForDeletion)},
	{"two workers in turn", Options{}, inTurn},
	{"writes patches", Options{}, keeping(patches)},
	{"applies, one endpoint for each slice, named by its hash",
		Options{Without: []string{"Oversized", "SlowDeletes"}, Also: []string{"Apply"}}, keeping(applies)},
	{"one write for each sync", Options{}, keeping(oneWrite)},
	{"creates all slices again and deletes the old ones", Options{}, keeping(createsAnew)},
}

// TestFairToRightWriters checks that no right writer is blamed: neither as it is, nor if it waits
// for its cache, nor if it reads all slices live, each with caches that are late all the while.
// SLICEWRIGHT_CASES is how many histories are drawn.
func TestFairToRightWriters(t *testing.T) {
	nightly.Slow(t)
	for _, row := range rightWriters {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			o := row.o
			o.ManagedBy, o.Histories, o.Seed = manager, nightly.Cases(t, 200), seed(t)
			o.Max = max(o.Max, 3)
			blamed(t, "", o, row.start)
			late := o
			late.Also, late.Without = append(slices.Clone(o.Also), "LateCaches"), append(slices.Clone(o.Without),
				lateWithout...)
			blamed(t, "with late caches, and waits", late, patiently(row.start))
			blamed(t, "with late caches, and reads live", late, live(row.start))
		})
	}
}

// blamed reports what a right writer is blamed for.
func blamed(t *testing.T, how string, o Options, start Writer) {
	for _, f := range check(t, o, start) {
		t.Errorf("%s %v", how, f)
	}
}

// neverUpdates replaces a slice by others if anything in it changes. New slices hold five
// endpoints, the last ones first.
func neverUpdates(k *keeper) {
	k.max = 5
	k.apply = func(c call, todo []change) error {
		var creates, deletes []change
		for _, w := range todo {
			if w.s != nil {
				slices.Reverse(w.s.Endpoints)
				w.s.ObjectMeta = metav1.ObjectMeta{
					GenerateName: c.Service.Name + "-", Labels: w.s.Labels,
					OwnerReferences: c.slice("", &group{}, nil).OwnerReferences,
				}
				creates = append(creates, change{nil, w.s})
			}
			if w.old != nil {
				deletes = append(deletes, change{w.old, nil})
			}
		}
		return writeAll(c, slices.Concat(creates, deletes))
	}
}

// polls reads each slice that it has written until the answer shows it.
func polls(k *keeper) {
	k.write = func(c call, w change) error {
		if w.s == nil {
			return w.do(c)
		}
		stored, err := w.store(c)
		for tries := 0; err == nil && tries < 3; tries++ {
			var shown *discoveryv1.EndpointSlice
			shown, err = c.api.Get(c, stored.Name, metav1.GetOptions{})
			if err == nil && shown.ResourceVersion == stored.ResourceVersion {
				return nil
			}
		}
		return err
	}
}

// store creates or updates a slice.
func (w change) store(c call) (*discoveryv1.EndpointSlice, error) {
	if w.old == nil {
		return c.api.Create(c, w.s, metav1.CreateOptions{})
	}
	return c.api.Update(c, w.s, metav1.UpdateOptions{})
}

// keepsPlaceholder empties one slice in place of deleting the last ones.
func keepsPlaceholder(k *keeper) {
	k.refills = true
	k.apply = func(c call, todo []change) error {
		lives := func(s *discoveryv1.EndpointSlice) bool {
			deleted := slices.ContainsFunc(todo, func(w change) bool { return w.old == s && w.s == nil })
			return s.DeletionTimestamp == nil && !deleted
		}
		if slices.ContainsFunc(todo, func(w change) bool { return w.s != nil }) || slices.ContainsFunc(c.Own, lives) {
			return writeAll(c, todo)
		}
		at := slices.IndexFunc(todo, func(w change) bool {
			owner := metav1.GetControllerOf(w.old)
			return owner == nil || owner.UID == c.Service.UID
		})
		if at < 0 {
			return writeAll(c, todo)
		}
		empty := todo[at].old.DeepCopy()
		empty.Endpoints = nil
		if todo[at].s = empty; len(todo[at].old.Endpoints) == 0 {
			todo = slices.Delete(todo, at, at+1)
		}
		return writeAll(c, todo)
	}
}

// waitsForDeletion writes nothing while a slice of its own is being deleted.
func waitsForDeletion(k *keeper) {
	k.apply = func(c call, todo []change) error {
		if slices.ContainsFunc(c.Own, func(s *discoveryv1.EndpointSlice) bool { return s.DeletionTimestamp != nil }) {
			return errors.New("a slice is being deleted")
		}
		return writeAll(c, todo)
	}
}

// triesAgain plans from a live list if a write meets a conflict, up to three times.
func triesAgain(api *API) Sync {
	right := newKeeper().start(api)
	return func(ctx context.Context, s State) (err error) {
		for range 4 {
			if err = right(ctx, s); !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
				return err
			}
			if s, err = readLive(ctx, api, s); err != nil {
				return err
			}
		}
		return err
	}
}

// readLive is the State with the slices that the API server has.
func readLive(ctx context.Context, api *API, s State) (State, error) {
	list, err := api.List(ctx, metav1.ListOptions{})
	if err == nil {
		k := suite{Options: Options{ManagedBy: manager}}
		s.All = slicer.Pointers(list.Items)
		s.Own = k.own(slices.Clone(s.All))
		s.Own = slices.DeleteFunc(s.Own, func(o *discoveryv1.EndpointSlice) bool {
			return o.Labels[discoveryv1.LabelServiceName] != s.Service.Name
		})
	}
	return s, err
}

// inParallel sends all creates at once, then all updates, and then all deletes.
func inParallel(k *keeper) {
	k.apply = func(c call, todo []change) error {
		kind := func(w change) [2]bool { return [2]bool{w.old == nil, w.s == nil} }
		for len(todo) > 0 {
			n := 1
			for n < len(todo) && kind(todo[n]) == kind(todo[0]) {
				n++
			}
			if err := together(c, todo[:n]); err != nil {
				return err
			}
			todo = todo[n:]
		}
		return nil
	}
}

func together(c call, todo []change) error {
	errs := make([]error, len(todo))
	var all sync.WaitGroup
	for i, w := range todo {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = w.do(c)
		}()
	}
	all.Wait()
	return errors.Join(errs...)
}

// inTurn is a writer with two workers, of which one takes the Service from the queue, and then the
// other.
func inTurn(api *API) Sync {
	workers, turn := []Sync{newKeeper().start(api), newKeeper().start(api)}, 0
	return func(ctx context.Context, s State) error {
		turn++
		return workers[turn%len(workers)](ctx, s)
	}
}

// live is a writer that reads its slices live in every call.
func live(start Writer) Writer {
	return func(api *API) Sync {
		right := start(api)
		return func(ctx context.Context, s State) error {
			s, err := readLive(ctx, api, s)
			if err != nil {
				return err
			}
			return right(ctx, s)
		}
	}
}

// patiently is a writer that waits until its cache shows all that it has written, and reads live
// after four calls in vain, or if it does not know what became of a write.
func patiently(start Writer) Writer {
	return func(api *API) Sync {
		right, written, unsure, waits := start(api), versions{}, false, 0
		return func(ctx context.Context, s State) (err error) {
			if unsure || written.behind(s.Own) {
				if waits++; waits < 4 {
					return errors.New("the cache is late")
				}
				cached := s.Own
				if s, err = readLive(ctx, api, s); err != nil {
					return err
				}
				written.listed(cached, s.Own)
			}
			waits = 0
			err = right(ctx, s)
			unsure = written.note(api.journal)
			return err
		}
	}
}

// versions are those that a cache must show before it is used: of each name a resourceVersion, 0
// for a slice that is deleted.
type versions map[string]int

func (v versions) behind(cached []*discoveryv1.EndpointSlice) bool {
	shown := map[string]int{}
	for _, s := range cached {
		shown[s.Name] = versionOf(s)
	}
	for name, version := range v {
		if shown[name] < version || version == 0 && shown[name] > 0 {
			return true
		}
	}
	return false
}

// listed takes a live list for what the cache must show.
func (v versions) listed(cached, all []*discoveryv1.EndpointSlice) {
	clear(v)
	for _, s := range cached {
		v[s.Name] = 0
	}
	for _, s := range all {
		v[s.Name] = versionOf(s)
	}
}

// note takes the answers of a sync. It reports whether one of them is missing.
func (v versions) note(journal []*request) (unsure bool) {
	for _, q := range journal {
		switch {
		case !q.writes():
		case q.err != nil:
			unsure = true
		case q.stored != nil:
			v[q.stored.Name] = versionOf(q.stored)
		default:
			v[q.name] = 0
		}
	}
	return unsure
}

func versionOf(s *discoveryv1.EndpointSlice) int {
	version, _ := strconv.Atoi(s.ResourceVersion) // the API server's
	return version
}
