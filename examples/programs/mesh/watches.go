package main

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"

	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"golang.org/x/sync/errgroup"

	"github.com/slicewright/slicewright/hints/routing"
)

// endpointCache answers requests for endpoints. Its lock is held for moments only: what clients
// get is built and compared outside of it.
type endpointCache struct {
	mu      sync.Mutex
	now     *snapshot
	watches map[*watch]bool
}

func newEndpointCache() *endpointCache {
	return &endpointCache{now: &snapshot{number: 1, ports: map[string]*servicePort{}}, watches: map[*watch]bool{}}
}

// watch is a request that waits for a change.
type watch struct {
	place routing.Location
	sub   cache.Subscription
	send  func(*answer)
	first bool // the client has nothing yet and waits for an answer

	mu   sync.Mutex // held while the subscription is read
	done bool       // answered or cancelled
}

// answer is what has changed for a client.
type answer struct {
	number  uint64
	changed []*assignment
	known   map[string]string // what the client knows with this answer: version by name, "" for what does not exist
}

// publish makes a snapshot the present one, and answers the watches for which something changed,
// several at a time.
func (c *endpointCache) publish(next *snapshot) {
	c.mu.Lock()
	c.now = next
	waiting := slices.Collect(maps.Keys(c.watches))
	c.mu.Unlock()
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, w := range waiting {
		workers.Go(func() error {
			if w.answer(next) {
				c.forget(w)
			}
			return nil
		})
	}
	_ = workers.Wait()
}

func (c *endpointCache) forget(w *watch) {
	c.mu.Lock()
	delete(c.watches, w)
	c.mu.Unlock()
}

// add answers a watch, or keeps it until there is something to answer. cancel may be called at any
// time.
func (c *endpointCache) add(w *watch) (cancel func()) {
	c.mu.Lock()
	for now := c.now; ; now = c.now {
		c.mu.Unlock()
		if w.answer(now) {
			return func() {}
		}
		c.mu.Lock()
		if c.now == now { // nothing was published meanwhile
			c.watches[w] = true
			c.mu.Unlock()
			return func() { w.cancel(); c.forget(w) }
		}
	}
}

// cancel waits until no goroutine reads the watch's subscription.
func (w *watch) cancel() {
	w.mu.Lock()
	w.done = true
	w.mu.Unlock()
}

// answer sends what differs between a snapshot and what the client knows. It reports whether the
// watch is done.
func (w *watch) answer(s *snapshot) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return true
	}
	if a := w.difference(s); w.first || len(a.changed) > 0 {
		w.done = true
		w.send(a)
	}
	return w.done
}

func (w *watch) difference(s *snapshot) *answer {
	returned := w.sub.ReturnedResources()
	a := &answer{number: s.number, known: maps.Clone(returned)}
	if a.known == nil {
		a.known = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(w.sub.SubscribedResources())) {
		p := s.ports[name]
		if p == nil {
			a.known[name] = ""
			continue
		}
		if next := p.at(w.place); next.version != returned[name] {
			a.changed = append(a.changed, next)
			a.known[name] = next.version
		}
	}
	return a
}

// CreateWatch is for the variant of the protocol that gRPC speaks. It cannot say what does not
// exist: the first answer does not have it.
func (c *endpointCache) CreateWatch(r *cache.Request, sub cache.Subscription, to chan cache.Response) (func(), error) {
	w := &watch{place: locationOf(r.GetNode()), sub: sub, first: r.GetVersionInfo() == ""}
	w.send = func(a *answer) { to <- wholeResponse(r, a) }
	return c.add(w), nil
}

// wholeResponse has the resources that changed, encoded once for all clients.
func wholeResponse(r *cache.Request, a *answer) cache.Response {
	response := &discoveryservice.DiscoveryResponse{TypeUrl: r.GetTypeUrl(),
		VersionInfo: strconv.FormatUint(a.number, 10)}
	for _, c := range a.changed {
		response.Resources = append(response.Resources, c.resource)
	}
	return &cache.PassthroughResponse{Request: r, DiscoveryResponse: response, ReturnedResources: a.known}
}
