package slicertest

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// step is one event of a history, with the number that chooses its Pod or slice.
type step struct {
	event *event
	n     int
	arms  bool // a fault, which the next steps meet
}

// history is what a writer lives through: how it begins, and what happens then.
type history struct{ setup, steps []step }

// replay is one history under way, with one writer.
type replay struct {
	kit    *kit
	world  *world
	api    *API
	cache  sim.Cache
	sync   Sync
	faults faults
	flip   bool // lists are given in the other order

	killed  bool
	cancel  context.CancelFunc
	excused bool // until all is quiet, gaps are not the writer's fault
	behind  bool // the cache does not show the last writes
	syncs   int

	people    people
	telling   telling
	failures  map[Guarantee]breach // the first of each
	unjudged  bool                 // nothing is judged, because others are compared with this replay
	judgeable bool                 // the last syncs succeeded, so that what they publish can be judged
	wrote     int                  // all writes so far
	start     start
	gap       gapJudge
}

func (k *kit) newReplay(w *world) *replay {
	r := &replay{
		kit: k, world: w, people: newPeople(), failures: map[Guarantee]breach{}, faults: faults{crash: -1},
	}
	r.api = &API{server: &sim.Server{}}
	r.cache.Server = r.api.server
	r.api.before, r.api.after = r.strike, r.seen
	if k.CachedReads {
		r.api.view = r.cache.List
	}
	return r
}

// restart makes a new instance of the writer, whose view is new, too.
func (r *replay) restart() {
	r.cache.CatchUp()
	r.cache.Deleted()
	r.killed, r.behind = false, false
	r.sync = r.kit.start(r.api)
}

// play lives through a history. told keeps the story.
func (k *kit) play(h history, told, flip bool) *replay {
	r := k.newReplay(newWorld())
	r.telling.told, r.flip, r.telling.recorded = told, flip, k.judges(Deterministic)
	for _, s := range h.setup {
		if text := s.event.do(r, s.n); text != "" {
			r.line("", "  at first: "+text)
		}
	}
	r.restart()
	r.syncUntilQuiet()
	for i, s := range h.steps {
		text := s.event.do(r, s.n)
		if text == "" {
			text = "nothing changes"
		}
		r.line("", fmt.Sprintf("  %d. %s", i+1, text))
		if !s.arms {
			r.react()
		}
	}
	if r.behind {
		r.react()
	}
	r.compareWithFresh()
	return r
}

// react lets the writer see what happened, and waits until all is quiet, unless its next writes are to be seen late.
func (r *replay) react() {
	r.before()
	if !r.behind {
		r.cache.CatchUp()
	}
	late := r.faults.late && !r.behind
	r.behind = false
	r.round()
	if late {
		r.faults.late, r.behind = false, true
		return
	}
	r.syncUntilQuiet()
}

const (
	patience  = 12 // syncs in a row that change nothing on the server, before the writer is given up
	nodeWaits = 6  // syncs in a row that fail without a write while a Node is missing, until that counts as quiet
)

// syncUntilQuiet syncs until a sync succeeds and writes nothing, and then judges. It goes on as long as syncs change something
// on the server, up to endless of them. A writer that never stops writing breaks FixedPoint, and one that never succeeds breaks
// Converges.
func (r *replay) syncUntilQuiet() {
	var err error
	r.judgeable = false
	idle, stuck, waits := 0, 0, 0 // syncs in a row: with writes that changed nothing, without a change, failed without a write
	syncs, endless := 0, r.endless()
	for ; stuck < patience && syncs < endless; syncs++ {
		r.collect()
		r.cache.CatchUp()
		before := r.api.server.Writes()
		writes, e := r.round()
		changed := r.api.server.Writes() > before
		err = e
		if waits++; writes > 0 || err == nil || !r.world.lacksNode() {
			waits = 0
		}
		if writes == 0 && err == nil || waits == nodeWaits {
			r.judgeQuiet()
			return
		}
		if stuck++; changed {
			stuck = 0
		}
		if idle++; changed || err != nil {
			idle = 0
		}
		if idle == 2 {
			r.fail(FixedPoint, "syncs go on to send writes, although these change nothing")
			r.judgeQuiet()
			return
		}
	}
	switch {
	case err == nil:
		r.fail(FixedPoint, "after %d syncs it still writes", syncs)
		r.judgeQuiet()
	case r.failures[NoPanic].text == "":
		r.fail(Converges, "after %d syncs: %v", syncs, err)
	}
	r.excused = false
}

// endless is how many syncs are too many, however much they change: more than a writer needs that makes one write for each.
func (r *replay) endless() int {
	wanted := r.kit.Want(State{Service: r.world.service, Pods: r.world.pods, Nodes: r.world.nodes, Own: r.own()})
	return 2*patience + 2*len(wanted) + 2*len(places(r.own())) + len(r.own())
}

// round makes one sync, and returns the writes that it sent. A writer that was killed or has panicked is started anew.
func (r *replay) round() (writes int, err error) {
	r.syncs++
	s, check := r.state()
	r.api.state, r.api.journal = s, nil
	r.gap.begin(r, s)
	var ctx context.Context
	ctx, r.cancel = context.WithCancel(context.Background())
	defer r.cancel()
	err, panicked := r.call(ctx, s)
	check()
	for _, q := range r.api.journal {
		if q.writes() {
			writes++
		}
	}
	r.wrote += writes
	if panicked || r.killed {
		r.restart()
		return writes, err
	}
	if err == nil {
		r.judgeReport()
	}
	return writes, err
}

func (r *replay) call(ctx context.Context, s State) (err error, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			err, panicked = fmt.Errorf("panic: %v", p), true
			r.fail(NoPanic, "%v, in %s", p, culprit(debug.Stack()))
		}
	}()
	return r.sync(ctx, s), false
}

// state is what the informers show, and a function that checks whether it was changed.
func (r *replay) state() (State, func()) {
	s := State{Service: r.world.service.DeepCopy(), All: r.cache.List()}
	for _, p := range r.world.pods {
		s.Pods = append(s.Pods, p.DeepCopy())
	}
	for _, n := range r.world.nodes {
		s.Nodes = append(s.Nodes, n.DeepCopy())
	}
	for _, d := range r.cache.Deleted() {
		if r.kit.Ours(d) {
			s.Deleted = append(s.Deleted, d)
		}
	}
	if r.flip != (r.syncs%2 == 0) {
		slices.Reverse(s.Pods)
		slices.Reverse(s.Nodes)
		slices.Reverse(s.All)
	}
	for _, slice := range s.All {
		if r.kit.Ours(slice) {
			s.Own = append(s.Own, slice)
		}
	}
	given := State{Service: s.Service} // the same objects, because the writer may sort its lists
	given.Pods, given.Nodes = slices.Clone(s.Pods), slices.Clone(s.Nodes)
	given.All, given.Deleted = slices.Clone(s.All), slices.Clone(s.Deleted)
	was := State{Service: r.world.service, Pods: deepCopies(s.Pods), Nodes: deepCopies(s.Nodes)}
	was.All, was.Deleted = deepCopies(s.All), deepCopies(s.Deleted)
	return s, func() {
		if !reflect.DeepEqual(given, was) {
			r.fail(Pure, "the sync has changed %s", changed(given, was))
		}
	}
}

func deepCopies[T interface{ DeepCopy() T }](list []T) []T {
	var out []T
	for _, o := range list {
		out = append(out, o.DeepCopy())
	}
	return out
}

// own are the writer's slices, as the server has them.
func (r *replay) own() []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(r.api.server.List(), func(s *discoveryv1.EndpointSlice) bool {
		return !r.kit.Ours(s) || r.people.kept[s.Name] != nil || s.DeletionTimestamp != nil
	})
}
