package slicertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// replay is the run of one history, with one writer.
type replay struct {
	kit     *suite
	log     *kit.Log
	cluster *cluster
	api     *server
	cache   sim.Cache
	beside  sim.Cache // of the other namespace
	sync    func(context.Context, State) error
	armed   map[string]int // by the events of faults: at which request the fault happens, from 1
	crash   int            // the number of writes before the writer is killed; -1 if it is not killed
	drifts  *rand.Rand     // decides how many of the missing writes a late cache shows next
	flip    bool           // the writer gets lists in the other order

	killed    bool
	cancel    context.CancelFunc
	excused   bool // gaps do not count until all is quiet
	stable    bool // the sync began with an up-to-date view, and no fault or other client disturbed it
	behind    bool // the cache does not show the last writes
	visiting  bool // the writer is called for the Service in the other namespace
	collector bool // the garbage collector runs; if false, it is late
	syncs     int
	ended     bool // a limit is reached, and the rest of the history is not played

	informer informer
	people   people
	places   map[*discoveryv1.EndpointSlice][]place // the endpoints of each version of a slice
	writes   []string                               // for the comparison of two runs
	// The last syncs succeeded, so that their slices can be judged.
	judgeable bool
	wrote     int // all writes so far
	start     start
	gap       gapJudge
}

func (k *suite) newReplay(w *cluster, l *kit.Log) *replay {
	r := &replay{kit: k, log: l, cluster: w, armed: map[string]int{}, crash: -1, collector: true, informer: informer{},
		places: map[*discoveryv1.EndpointSlice][]place{}}
	r.people = people{kept: map[string]*discoveryv1.EndpointSlice{}, marked: map[types.UID]bool{}}
	r.api = &server{
		server: &sim.Server{}, elsewhere: &sim.Server{}, active: true, applies: k.Can("Apply"),
		before: r.strike, after: r.seen, log: l,
	}
	r.cache.Server = r.api.server
	r.beside.Server = r.api.elsewhere
	if k.Can("CachedReads") {
		r.api.view = r.cache.List
	}
	return r
}

// restart makes a new instance of the writer, and brings the cache up to date.
func (r *replay) restart() {
	r.cache.CatchUp()
	r.cache.Deleted()
	r.killed, r.behind = false, false
	r.api.activate(true)
	if r.sync = r.kit.start(r.api); r.sync == nil {
		r.log.Stop(field.Required(field.NewPath("start"), "returned nil: return what reconciles a Service"))
		r.sync = func(context.Context, State) error { return nil }
	}
	r.api.activate(false)
}

// play runs a history. If determinism is judged, it runs the history once more with lists in
// another order.
func (k *suite) play(h kit.History, l *kit.Log) {
	switch k.played++; {
	case k.played != 21 || k.mine > 0:
	case k.sent == 0:
		l.Stop(errors.New("the writer never wrote a slice in 20 histories: reconcile a Service in the " +
			"function that start returns, with a client of the server that start gets"))
		return
	case k.others > 0:
		l.Mistake(fmt.Errorf("no slice of yours was ever written: by Options.NameLabel and Options.ManagedBy, yours "+
			"have the labels %s=%s and %s=%s, and the last one that was created has %v", k.NameLabel, serviceName,
			discoveryv1.LabelManagedBy, cmp.Or(k.ManagedBy, "(any)"), k.stranger))
		return
	}
	r := k.newReplay(newCluster(), l)
	r.live(h)
	if k.Judges("deterministic") {
		again := k.newReplay(newCluster(), l.Silenced())
		again.flip = true
		again.live(h)
		if !slices.Equal(r.writes, again.writes) {
			i := 0
			for i < min(len(r.writes), len(again.writes)) && r.writes[i] == again.writes[i] {
				i++
			}
			l.FailWith(func() []string {
				return []string{"  once:  " + at(r.writes, i), "  again: " + at(again.writes, i)}
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
	r.untilQuiet()
	r.judgePure()
	r.drifts = rand.New(rand.NewPCG(uint64(len(h.String())), 7))
	for i, s := range h.Steps {
		if r.ended {
			break
		}
		text := ""
		if !r.cluster.deleted || s.Event == "gone" || kit.Named(s.Event, portEvents, serviceEvents) == nil {
			text = eventOf(s.Event).do(r, s.N)
		}
		r.log.Line("  %d. %s", i+1, cmp.Or(text, "nothing changes"))
		if kit.Named(s.Event, faultEvents) == nil {
			r.react()
			r.visit()
		}
	}
	if r.behind && !r.ended {
		r.behind = false
		r.untilQuiet()
		r.judgePure()
	}
	if !r.ended {
		r.compareWithFresh()
	}
	r.judgeLate()
}

// limit ends the history when the current sync has returned.
func (r *replay) limit() {
	if r.ended = true; !r.log.Silent {
		r.log.Limit()
	}
}

// react calls the writer after an event until all is quiet. If the cache must show the next writes
// late, react calls it without waiting until all is quiet.
func (r *replay) react() {
	defer r.judgePure()
	r.before()
	if r.kit.Can("LateCaches") {
		for range 1 + r.drifts.IntN(3) {
			if r.drift(); !r.ended {
				r.round()
			}
		}
		r.behind = true // even if the last sync was killed, because the new instance must be called before it is judged
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

const (
	patience  = 30 // after this number of syncs in a row that change nothing, the writer has failed
	nodeWaits = 15 // after so many syncs in a row that fail without a write while a Node is missing, all is quiet
)

// untilQuiet calls the writer until a sync succeeds and writes nothing, and then judges the slices.
// It goes on as long as syncs change the server, but makes at most as many syncs as the method
// endless returns. A writer that never stops writing breaks fixed-point, and the history ends. A
// writer that never succeeds breaks converges.
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
		if waits++; writes > 0 || err == nil || !r.cluster.lacksNode(r.cluster.nodes) {
			waits = 0
		}
		if writes == 0 && err == nil || waits == nodeWaits {
			if !r.collectLate() && !r.releaseLate() {
				r.judgeQuiet()
				return
			}
			changed, waits = true, 0
		}
		if stuck++; changed {
			stuck = 0
		}
		// A writer may delete once more what a finalizer keeps.
		if idle++; changed || err != nil || writes == 0 || r.people.hold > 0 {
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

// round makes one sync, and returns the number of writes that it sent. A writer that was killed or
// has panicked is started again.
func (r *replay) round() (writes int, err error) {
	r.log.Beat()
	r.syncs++
	r.judgeLate()
	s := r.state()
	r.stable = r.cache.Current() && !r.visiting
	r.gap.begin(r)
	wrote := r.wrote
	var ctx context.Context
	if ctx, r.cancel = context.WithCancel(context.Background()); r.kit.Replay == "" {
		r.cancel()
		ctx, r.cancel = context.WithTimeout(context.Background(), kit.TimeLimit)
	}
	defer r.cancel()
	r.api.begin(s)
	err, panicked := r.call(ctx, s)
	over := r.api.activate(false)
	if r.wrote > maxWrites {
		r.log.Fail("fixed-point", "one history made more than %d writes", maxWrites)
		over = true
	}
	if over {
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
