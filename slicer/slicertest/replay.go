package slicertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// replay is one history under way, with one writer.
type replay struct {
	kit    *suite
	log    *kit.Log
	world  *world
	api    *API
	cache  sim.Cache
	sync   Sync
	armed  map[string]bool // faults, by the names of their events
	crash  int             // how many writes are done before the writer is killed; -1: it is not
	drifts *rand.Rand      // decides how many of the missing writes a late cache shows next
	flip   bool            // lists are given in the other order

	killed    bool
	cancel    context.CancelFunc
	excused   bool // until all is quiet, gaps are not the writer's fault
	stable    bool // the sync began with a view that equals the server, and nobody has disturbed it
	behind    bool // the cache does not show the last writes
	collector bool // the garbage collector runs; false: it is behind
	syncs     int
	ended     bool // a limit is reached, and the rest of the history is not played

	informer informer
	people   people
	places   map[*discoveryv1.EndpointSlice][]place // of versions of slices
	writes   []entry                                // where two runs are compared
	// the last syncs succeeded, so that what they publish can be judged
	judgeable bool
	wrote     int // all writes so far
	start     start
	gap       gapJudge
}

func (k *suite) newReplay(w *world, l *kit.Log) *replay {
	r := &replay{kit: k, log: l, world: w, armed: map[string]bool{}, crash: -1, collector: true, informer: informer{},
		places: map[*discoveryv1.EndpointSlice][]place{}}
	r.people = people{kept: map[string]*discoveryv1.EndpointSlice{}, marked: map[types.UID]bool{}}
	r.api = &API{
		server: &sim.Server{}, elsewhere: &sim.Server{}, active: true, applies: k.Can("Apply"),
		before: r.strike, after: r.seen, log: l,
	}
	r.cache.Server = r.api.server
	if k.Can("CachedReads") {
		r.api.view = r.cache.List
	}
	return r
}

// restart makes a new instance of the writer, whose view is new, too.
func (r *replay) restart() {
	r.cache.CatchUp()
	r.cache.Deleted()
	r.killed, r.behind = false, false
	r.api.activate(true)
	if r.sync = r.kit.start(r.api); r.sync == nil {
		r.log.Stop(field.Required(field.NewPath("start"), "returned nil: return the writer's Sync"))
		r.sync = func(context.Context, State) error { return nil }
	}
	r.api.activate(false)
}

// play runs a history. If determinism is judged, it runs the history once more with lists in
// another order.
func (k *suite) play(h kit.History, l *kit.Log) {
	switch k.played++; {
	case k.played <= 20 || k.mine > 0:
	case k.sent == 0:
		l.Stop(errors.New("the writer never wrote a slice in 20 histories: call in Sync what reconciles a Service, " +
			"with a client of the API"))
		return
	case k.others > 0:
		l.Mistake(fmt.Errorf("no slice of yours was ever written: managed-by is %q, and Options.ManagedBy is %q",
			k.stranger, k.ManagedBy))
		return
	}
	r := k.newReplay(newWorld(), l)
	r.live(h)
	if k.Judges("deterministic") {
		again := k.newReplay(newWorld(), l.Silenced())
		again.flip = true
		again.live(h)
		if !slices.Equal(r.writes, again.writes) {
			l.FailWith(func() []string {
				return difference(r.writes, again.writes)
			}, "deterministic", "the writes differ")
		}
	}
}

func (r *replay) live(h kit.History) {
	for _, s := range h.Setup {
		if text := eventOf(s.Event).do(r, s.N); text != "" {
			r.log.Line("  at first: %s", text)
		}
	}
	r.restart()
	r.settle()
	r.drifts = rand.New(rand.NewPCG(uint64(len(h.String())), 7))
	for i, s := range h.Steps {
		if r.ended {
			break
		}
		text := eventOf(s.Event).do(r, s.N)
		r.log.Line("  %d. %s", i+1, cmp.Or(text, "nothing changes"))
		if named(faultEvents, s.Event) == nil {
			r.react()
		}
	}
	if r.behind && !r.ended {
		r.behind = false
		r.settle()
	}
	if !r.ended {
		r.compareWithFresh()
	}
	r.judgeLate()
}

// limit ends the history when the sync under way has returned.
func (r *replay) limit() {
	if r.ended = true; !r.log.Silent {
		r.log.Limit()
	}
}

// react lets the writer see what happened, and waits until all is quiet, unless its next writes are
// to be seen late.
func (r *replay) react() {
	defer r.judgePure()
	r.before()
	if r.kit.Can("LateCaches") {
		for range 1 + r.drifts.IntN(3) {
			if r.drift(); !r.ended {
				r.round()
			}
		}
		r.behind = true // even if the last sync was killed: the new instance has to be called before it is judged
		return
	}
	if !r.behind {
		r.cache.CatchUp()
	}
	late := !r.behind && r.meets("late")
	r.behind = false
	r.round()
	if late {
		r.behind = true
		return
	}
	r.untilQuiet()
}

func (r *replay) settle() {
	r.untilQuiet()
	r.judgePure()
}

// drift lets the cache show some of what it has not shown, slice by slice in any order, and all
// that is more than three writes old.
func (r *replay) drift() {
	for n := r.drifts.IntN(3); ; n-- {
		late := r.cache.Behind()
		if len(late) == 0 || n <= 0 && r.api.server.Writes()-r.cache.Horizon() < 3 {
			break
		}
		r.cache.Step(late[r.drifts.IntN(len(late))])
	}
}

const (
	patience  = 30 // syncs in a row that change nothing on the server, before the writer is given up
	nodeWaits = 15 // syncs in a row that fail without a write while a Node is missing, until that counts as quiet
)

// untilQuiet syncs until a sync succeeds and writes nothing, and then judges. It goes on as long as
// syncs change something on the server, up to endless of them. A writer that never stops writing
// breaks fixed-point, which ends the history. One that never succeeds breaks converges.
func (r *replay) untilQuiet() {
	var err error
	r.judgeable = false
	idle := 0  // syncs in a row that succeeded and sent writes that changed nothing
	stuck := 0 // syncs in a row that changed nothing
	waits := 0 // syncs in a row that failed without a write while a Node is missing
	syncs, endless := 0, r.endless()
	for ; stuck < patience && syncs < endless && !r.ended; syncs++ {
		r.collect()
		r.cache.CatchUp()
		before := r.api.server.Writes()
		writes, e := r.round()
		changed := r.api.server.Writes() > before
		err = e
		if waits++; writes > 0 || err == nil || !r.world.lacksNode() {
			waits = 0
		}
		quiet := writes == 0 && err == nil || waits == nodeWaits
		if quiet && (r.collector || !r.collectLate()) && !r.releaseLate() {
			r.judgeQuiet()
			return
		}
		if stuck++; changed {
			stuck = 0
		}
		if idle++; changed || err != nil || writes == 0 {
			idle = 0
		}
		if idle == 2 {
			r.log.Fail("fixed-point", "syncs go on to send writes, although these change nothing")
			r.judgeQuiet()
			return
		}
	}
	switch {
	case r.ended:
	case err == nil:
		r.log.Fail("fixed-point", "after %d syncs it still writes", syncs)
		r.judgeQuiet()
		r.limit()
	default:
		r.log.Fail("converges", "after %d syncs: %s", syncs, kit.Word(cause(err)))
		if stuck < patience {
			r.limit()
		}
	}
	r.excused, r.collector = false, true
}

// endless returns the number of syncs after which a writer counts as one that never stops: more
// than it needs even if a sync makes only one write. That is one write for each wanted endpoint,
// each published endpoint and each slice.
func (r *replay) endless() int {
	own := r.own()
	return 2*patience + 2*len(r.wanted()) + 2*len(places(own)) + len(own)
}

// wanted is what the slices must hold when all is quiet.
func (r *replay) wanted() []Want {
	return r.kit.Want(State{Service: r.world.service, Pods: r.world.pods, Nodes: r.world.nodes, Own: r.own()})
}

// round makes one sync, and returns the writes that it sent. A writer that was killed or has
// panicked is started again.
func (r *replay) round() (writes int, err error) {
	r.log.Beat()
	r.syncs++
	r.judgeLate()
	s := r.state()
	r.stable = r.cache.Current()
	r.gap.begin(r, s)
	wrote := r.wrote
	var ctx context.Context
	if ctx, r.cancel = context.WithCancel(context.Background()); r.kit.Replay == "" {
		r.cancel()
		ctx, r.cancel = context.WithTimeout(context.Background(), kit.TimeLimit)
	}
	defer r.cancel()
	r.api.begin(s)
	err, panicked := r.call(ctx, s)
	r.api.activate(false)
	if r.wrote > maxWrites {
		r.log.Fail("fixed-point", "one history made more than %d writes", maxWrites)
		r.limit()
	}
	if r.api.exceeded() {
		r.limit()
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && !r.log.Silent {
		r.log.Fail(kit.Returns, "a sync takes longer than %v", kit.TimeLimit)
		r.log.GiveUp()
	}
	writes = r.wrote - wrote
	if panicked || r.killed {
		r.restart()
	} else if err == nil {
		r.judgeReport()
	}
	return writes, err
}

func (r *replay) call(ctx context.Context, s State) (err error, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			err, panicked = fmt.Errorf("panic: %v", p), true
			r.log.Fail(kit.NoPanic, "%v, in %s", p, kit.Panicked())
		}
	}()
	return r.sync(ctx, s), false
}

// state is what the informers show.
func (r *replay) state() State {
	s := State{
		Service: shown(r.informer, r.world.service)[0], Pods: shown(r.informer, r.world.pods...),
		Nodes:   shown(r.informer, r.world.nodes...),
		All:     append(shown(r.informer, r.cache.Originals()...), r.api.elsewhere.List()...),
		Deleted: r.kit.own(r.cache.Deleted()),
	}
	if r.flip != (r.syncs%2 == 0) {
		slices.Reverse(s.Pods)
		slices.Reverse(s.Nodes)
		slices.Reverse(s.All)
	}
	s.Own = r.kit.own(slices.Clone(s.All))
	return s
}

// informer has the objects that writers are shown: copies, which stay the same until the objects
// change, and must stay as they are.
type informer map[runtime.Object]runtime.Object

func shown[T runtime.Object](in informer, list ...T) (copies []T) {
	for _, o := range list {
		if in[o] == nil {
			in[o] = o.DeepCopyObject()
		}
		copies = append(copies, in[o].(T))
	}
	return copies
}

// judgePure blames syncs for changes of the objects that they were given. Copies that have been
// changed are shown no more, so that the change hides nothing else.
func (r *replay) judgePure() {
	for o, c := range r.informer {
		if !reflect.DeepEqual(o, c) {
			what := map[string]string{"Service": "the Service", "Pod": "a Pod", "Node": "a Node",
				"EndpointSlice": "a slice"}[reflect.TypeOf(o).Elem().Name()]
			r.log.Fail("pure", "a sync has changed %s", kit.Word(what))
			delete(r.informer, o)
		}
	}
}

// own are copies of the writer's slices, as the server has them.
func (r *replay) own() (list []*discoveryv1.EndpointSlice) {
	for _, s := range r.api.server.Originals() {
		if r.owns(s) {
			list = append(list, s.DeepCopy())
		}
	}
	return list
}

// owns reports whether a slice is the writer's and is not being deleted.
func (r *replay) owns(s *discoveryv1.EndpointSlice) bool {
	return r.kit.ours(s) && r.people.kept[s.Name] == nil && s.DeletionTimestamp == nil
}
