package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// history is what happens to a cluster.
type history struct {
	name, title string
	size        func(pods int) fleet
	run         func(ctx context.Context, h *happening) error
}

// fleet is what there is before a history: Services with Pods on Nodes.
type fleet struct{ services, perService, nodes int }

func (f fleet) pods() int { return f.services * f.perService }

func one(pods int) fleet { return fleet{services: 1, perService: pods, nodes: max(10, pods/20)} }

// histories are all there are. The sizes are for 2 000 Pods, and shrink with them.
var histories = []history{
	{"rolling", "rolling update, 25% surge", one, rolling},
	{"daynight", "day and night: down to a tenth and back", one, dayAndNight},
	{"port", "another target port", func(pods int) fleet { return one(pods / 2) }, anotherPort},
	{"nodes", "10% of the Nodes lost", one, nodesLost},
	{"churn", "Services of 10 Pods churning", func(pods int) fleet {
		return fleet{services: max(1, pods*3/20), perService: 10, nodes: max(10, pods/20)}
	}, churn},
}

// Times of a Pod's life.
const (
	leastStart, mostStart = time.Second, 3 * time.Second // from its creation to ready
	grace                 = time.Second                  // from its deletion to its end
)

// happening is one run of a history. Its choices depend on the seed only; their times depend on the
// machine too.
type happening struct {
	*driver
	fleet
	random *rand.Rand
	pace   *rate.Limiter // of Pods that change
	nodes  []string
	pods   [][]string        // by Service
	on     map[string]string // the Node of each Pod that there was before
	made   int
	say    func(format string, args ...any)
}

func newHappening(d *driver, f fleet, seed uint64, pace float64, say func(string, ...any)) *happening {
	return &happening{
		driver: d, fleet: f, random: rand.New(rand.NewPCG(seed, seed)), pace: rate.NewLimiter(rate.Limit(pace), 1),
		say: say,
		on:  map[string]string{},
	}
}

func serviceName(i int) string { return fmt.Sprintf("web-%03d", i) }

// name returns the name of a new Pod. No name comes twice.
func (h *happening) name() string {
	h.made++
	return fmt.Sprintf("pod-%06d", h.made)
}

func (h *happening) node() string { return h.nodes[h.random.IntN(len(h.nodes))] }

func (h *happening) startTime() time.Duration {
	return leastStart + time.Duration(h.random.Int64N(int64(mostStart-leastStart)))
}

// populate creates what there is before.
func (h *happening) populate(ctx context.Context) (err error) {
	if h.nodes, err = h.driver.nodes(ctx, h.fleet.nodes); err != nil {
		return err
	}
	w := newWork(16)
	for i := range h.services {
		if err := h.service(ctx, serviceName(i)); err != nil {
			return err
		}
		var names []string
		for range h.perService {
			name, node := h.name(), h.node()
			names, h.on[name] = append(names, name), node
			w.Go(func() error { return h.start(ctx, name, serviceName(i), node, 0) })
		}
		h.pods = append(h.pods, names)
	}
	return w.Wait()
}

// start creates a Pod and lets it be ready after a time.
func (h *happening) start(ctx context.Context, name, service, node string, after time.Duration) error {
	pod, err := h.create(ctx, name, service, node)
	if err != nil {
		return err
	}
	sleep(ctx, after)
	return h.ready(ctx, pod)
}

// end lets a Pod terminate.
func (h *happening) end(ctx context.Context, name string) error {
	if err := h.stop(ctx, name); err != nil {
		return err
	}
	sleep(ctx, grace)
	return h.remove(ctx, name)
}

// each changes Pods one after the other, at the pace and at most so many at a time. change draws
// what is to be drawn, and returns what to do.
func (h *happening) each(ctx context.Context, pods []string, most int, what string,
	change func(pod string) func() error) error {
	w := newWork(max(1, most))
	for i, pod := range pods {
		do := change(pod)
		if err := h.pace.Wait(ctx); err != nil {
			return err
		}
		w.Go(do)
		h.progress(i, len(pods), what)
	}
	return w.Wait()
}

// rolling replaces all Pods of a Service: at most 25% more than wanted at a time, and none less.
func rolling(ctx context.Context, h *happening) error {
	return h.each(ctx, h.pods[0], len(h.pods[0])/4, "Pods replaced", func(old string) func() error {
		name := h.name()
		node := h.node()
		after := h.startTime()
		return func() error {
			if err := h.start(ctx, name, serviceName(0), node, after); err != nil {
				return err
			}
			return h.end(ctx, old)
		}
	})
}

// dayAndNight scales a Service down to a tenth, waits, and scales it up again.
func dayAndNight(ctx context.Context, h *happening) error {
	pods := h.pods[0]
	h.random.Shuffle(len(pods), func(i, j int) { pods[i], pods[j] = pods[j], pods[i] })
	leave := pods[len(pods)/10:]
	err := h.each(ctx, leave, len(pods), "Pods gone", func(old string) func() error {
		return func() error { return h.end(ctx, old) }
	})
	if err != nil {
		return err
	}
	sleep(ctx, 5*time.Second)
	return h.each(ctx, leave, len(pods), "Pods back", func(string) func() error {
		name := h.name()
		node := h.node()
		after := h.startTime()
		return func() error { return h.start(ctx, name, serviceName(0), node, after) }
	})
}

func anotherPort(ctx context.Context, h *happening) error {
	return h.changePort(ctx, serviceName(0), firstPort+1)
}

// nodesLost loses every tenth Node at once: its Pods are not ready, then gone, and replaced
// elsewhere.
func nodesLost(ctx context.Context, h *happening) error {
	lost := h.nodes[:max(1, len(h.nodes)/10)]
	h.nodes = h.nodes[len(lost):]
	gone := slices.DeleteFunc(slices.Clone(h.pods[0]), func(name string) bool {
		return !slices.Contains(lost, h.on[name])
	})
	w := newWork(16)
	for _, name := range gone {
		w.Go(func() error { return h.unready(ctx, name) })
	}
	if err := w.Wait(); err != nil {
		return err
	}
	for _, name := range lost {
		if err := h.loseNode(ctx, name); err != nil {
			return err
		}
	}
	return h.each(ctx, gone, len(gone), "Pods replaced", func(old string) func() error {
		name := h.name()
		node := h.node()
		after := h.startTime()
		return func() error {
			return errors.Join(h.remove(ctx, old), h.start(ctx, name, serviceName(0), node, after))
		}
	})
}

// churn replaces as many Pods as there are Services, of Services that are drawn.
func churn(ctx context.Context, h *happening) error {
	w := newWork(h.services * h.perService)
	for i := range h.services {
		s := h.random.IntN(h.services)
		p := h.random.IntN(h.perService)
		old := h.pods[s][p]
		name := h.name()
		node := h.node()
		after := h.startTime()
		h.pods[s][p] = name
		if err := h.pace.Wait(ctx); err != nil {
			return err
		}
		// The old Pod may be one that is still about to start: then it is ended once it has.
		w.after(old, name, func() error {
			if err := h.start(ctx, name, serviceName(s), node, after); err != nil {
				return err
			}
			return h.end(ctx, old)
		})
		h.progress(i, h.services, "Pods replaced")
	}
	return w.Wait()
}

// progress says how far a history is, now and then.
func (h *happening) progress(i, n int, what string) {
	if step := max(1, n/4); (i+1)%step == 0 {
		h.say("%d of %d %s", i+1, n, what)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// work does things at the same time, up to a number, and keeps the first error.
type work struct {
	errgroup.Group
	ready map[string]chan struct{} // of those that others wait for
}

func newWork(most int) *work {
	w := &work{ready: map[string]chan struct{}{}}
	w.SetLimit(most)
	return w
}

// after starts f, called name, once the one called before is over, if there is one.
func (w *work) after(before, name string, f func() error) {
	done, wait := make(chan struct{}), w.ready[before]
	w.ready[name] = done
	w.Go(func() error {
		defer close(done)
		if wait != nil {
			<-wait
		}
		return f()
	})
}
