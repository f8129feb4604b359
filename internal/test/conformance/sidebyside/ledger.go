package main

import (
	"sync"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// ledger holds what the driver wants published beside what a watcher sees published, and counts the
// differences.
type ledger struct {
	mutex  sync.Mutex
	ports  map[string]int32 // the target port of each Service
	pods   map[string]*podRecord
	slices map[string]map[string]held // what the watcher has: endpoints by slice and Pod
	where  map[string]map[string]held // the same by Pod and slice
	last   time.Time                  // of the last event
	busy   map[int64]int              // events by second, while the history runs

	counting bool // the history runs
	counts   counts
}

// counts are what one history did to a watcher.
type counts struct {
	// from Ready, or from another target port, to the first event that has the endpoint ready on
	// that port
	Latencies []time.Duration
	Moved     int  // endpoints that came to another slice than they were in
	Pairs     gaps // a ready endpoint's pair with the wanted port
	Endpoints gaps // a ready endpoint on any port
}

// gaps are times in which something was wanted and had been published, and was missing.
type gaps struct {
	Count   int
	Total   time.Duration
	Longest time.Duration
}

func (g *gaps) add(d time.Duration) {
	g.Count++
	g.Total += d
	g.Longest = max(g.Longest, d)
}

// held is one endpoint in one slice.
type held struct {
	port  int32
	ready bool
}

// podRecord is a Pod as both see it.
type podRecord struct {
	service string
	wanted  bool      // it is ready and not about to go
	readyAt time.Time // when the driver wrote that it is ready
	counted bool      // it became ready, or its port another, while the history ran, and its latency is not known yet
	home    string    // the slice that took it last

	seen, pairSeen   bool      // it was published, and with the port that is wanted now
	gone, pairGone   bool      // it is missing since:
	since, pairSince time.Time //
}

func newLedger() *ledger {
	return &ledger{ports: map[string]int32{}, pods: map[string]*podRecord{}, slices: map[string]map[string]held{},
		where: map[string]map[string]held{}, busy: map[int64]int{}}
}

// want says that a Pod is ready from now on, before the driver writes it.
func (l *ledger) want(pod, service string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.pods[pod] = &podRecord{service: service, wanted: true, readyAt: time.Now(), counted: l.counting}
}

// release says that a Pod need not be published any more, before the driver lets it go.
func (l *ledger) release(pod string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if p := l.pods[pod]; p != nil {
		p.wanted = false
		l.look(pod, time.Now())
	}
}

// setPort says which port is wanted of a Service, before the driver writes it.
func (l *ledger) setPort(service string, port int32) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.ports[service] = port
	for _, p := range l.pods {
		if p.service == service {
			p.pairSeen, p.pairGone = false, false
			if p.wanted && l.counting {
				p.readyAt, p.counted = time.Now(), true
			}
		}
	}
}

// event takes what a watcher got.
func (l *ledger) event(kind string, slice *discoveryv1.EndpointSlice) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := time.Now()
	l.last = now
	if l.counting {
		l.busy[now.Unix()]++
	}
	old := l.slices[slice.Name]
	if kind == string(watch.Deleted) {
		delete(l.slices, slice.Name)
	} else {
		l.slices[slice.Name] = endpointsOf(slice)
	}
	for pod := range old {
		delete(l.where[pod], slice.Name)
	}
	for pod, h := range l.slices[slice.Name] {
		if l.where[pod] == nil {
			l.where[pod] = map[string]held{}
		}
		l.where[pod][slice.Name] = h
		if _, stays := old[pod]; !stays {
			l.took(pod, slice.Name)
		}
		l.look(pod, now)
	}
	for pod := range old {
		l.look(pod, now)
	}
}

func endpointsOf(slice *discoveryv1.EndpointSlice) map[string]held {
	all := make(map[string]held, len(slice.Endpoints))
	for i := range slice.Endpoints {
		e := &slice.Endpoints[i]
		if e.TargetRef == nil {
			continue
		}
		h := held{ready: e.Conditions.Ready == nil || *e.Conditions.Ready}
		if len(slice.Ports) > 0 && slice.Ports[0].Port != nil {
			h.port = *slice.Ports[0].Port
		}
		all[e.TargetRef.Name] = h
	}
	return all
}

// took notes that a slice has an endpoint that it did not have.
func (l *ledger) took(pod, slice string) {
	p := l.pods[pod]
	if p == nil {
		return
	}
	if l.counting && p.wanted && p.home != "" && p.home != slice {
		l.counts.Moved++
	}
	p.home = slice
}

// look compares what is wanted of a Pod with what is published.
func (l *ledger) look(pod string, now time.Time) {
	p := l.pods[pod]
	if p == nil {
		return
	}
	any, pair := false, false
	for _, h := range l.where[pod] {
		if h.ready {
			any, pair = true, pair || h.port == l.ports[p.service]
		}
	}
	if any && pair && p.counted && p.wanted {
		p.counted = false
		l.counts.Latencies = append(l.counts.Latencies, now.Sub(p.readyAt))
	}
	l.track(&p.seen, &p.gone, &p.since, any, p.wanted, now, &l.counts.Endpoints)
	l.track(&p.pairSeen, &p.pairGone, &p.pairSince, pair, p.wanted, now, &l.counts.Pairs)
}

// track follows one thing that is to be published without a gap.
func (l *ledger) track(seen, gone *bool, since *time.Time, there, wanted bool, now time.Time, g *gaps) {
	switch {
	case *gone && (there || !wanted):
		*gone = false
		if l.counting {
			g.add(now.Sub(*since))
		}
	case !*gone && *seen && wanted && !there:
		*gone, *since = true, now
	}
	*seen = *seen && wanted || there && wanted
}

// start begins to count.
func (l *ledger) start() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.counting, l.counts = true, counts{}
}

// converged says whether everything that is wanted is published, and nothing else, and nothing came
// for a while; and what is amiss otherwise.
func (l *ledger) converged(quiet time.Duration) (ok bool, last time.Time, lacking, surplus int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	published := map[string]bool{}
	for _, slice := range l.slices {
		for pod, h := range slice {
			p := l.pods[pod]
			right := p != nil && p.wanted && h.ready && h.port == l.ports[p.service]
			if !right || published[pod] {
				surplus++
			}
			published[pod] = published[pod] || right
		}
	}
	for pod, p := range l.pods {
		if p.wanted && !published[pod] {
			lacking++
		}
	}
	return lacking == 0 && surplus == 0 && time.Since(l.last) >= quiet, l.last, lacking, surplus
}

// finish returns what was counted, how many slices there are, and the most events of a second.
func (l *ledger) finish() (c counts, slices, busiest int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.counting = false
	for _, events := range l.busy {
		busiest = max(busiest, events)
	}
	return l.counts, len(l.slices), busiest
}
