package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// outcome is what was measured of one side in one history.
type outcome struct {
	requests
	counts
	Events, Bytes int64 // that watchers got
	Slices        int   // at the end
	CPU           time.Duration
	Memory        int64         // peak, since the controller's start
	Took          time.Duration // from the history's start until everything was published
	Busiest       int           // writes in one second, at the most
}

func (o outcome) writes() int { return o.Creates + o.Updates + o.Deletes }

// job is one run.
type job struct {
	options
	history history
	column  column
	hinted  bool // with topology hints
	say     func(format string, args ...any)
}

// Times of a run.
const (
	quiet    = 3 * time.Second // without an event, when all is published: it is over
	patience = 5 * time.Minute // for that
)

// run starts an API server, fills it, starts the side's controller, and measures the history.
func (j job) run(ctx context.Context) (o outcome, err error) {
	j.say("starting an API server")
	server, err := apiserver.Start(ctx)
	if err != nil {
		return o, err
	}
	defer server.Close()
	l := newLedger()
	d, err := newDriver(server, l, j.hinted)
	if err != nil {
		return o, err
	}
	h := newHappening(d, j.history.size(j.pods), j.seed, j.pace, j.say)
	w, err := startWatchers(ctx, server, j.watchers, l)
	if err != nil {
		return o, err
	}
	defer w.stop()
	j.say("creating %d Nodes, %d Services and %d Pods", h.fleet.nodes, h.services, h.fleet.pods())
	if err := h.populate(ctx); err != nil {
		return o, err
	}
	controller, err := j.column.start(ctx, server)
	if err != nil {
		return o, err
	}
	m := measurement{job: j, happening: h, watchers: w, controller: controller}
	if _, err := m.waitUntilQuiet(ctx); err != nil {
		return o, fmt.Errorf("before the history: %w", err)
	}
	return m.measure(ctx)
}

// measurement is a run under way.
type measurement struct {
	job
	*happening
	watchers   *watchers
	controller *apiserver.Process
}

// measure runs the history, waits until its end is published, and returns what both did.
func (m measurement) measure(ctx context.Context) (o outcome, err error) {
	requestsBefore, err := countRequests(ctx, m.client)
	if err != nil {
		return o, err
	}
	usageBefore, err := usageOf(m.controller.PID())
	if err != nil {
		return o, err
	}
	events, bytes := m.watchers.events.Load(), m.watchers.bytes.Load()
	m.ledger.start()
	began := time.Now()
	if err := m.history.run(ctx, m.happening); err != nil {
		return o, err
	}
	last, err := m.waitUntilQuiet(ctx)
	if err != nil {
		return o, err
	}
	o.counts, o.Slices, o.Busiest = m.ledger.finish()
	o.Took = last.Sub(began)
	o.Events, o.Bytes = m.watchers.events.Load()-events, m.watchers.bytes.Load()-bytes
	usageAfter, err := usageOf(m.controller.PID())
	if err != nil {
		return o, err
	}
	o.CPU, o.Memory = usageAfter.cpu-usageBefore.cpu, usageAfter.peak
	requestsAfter, err := countRequests(ctx, m.client)
	o.requests = requestsAfter.since(requestsBefore)
	return o, err
}

// waitUntilQuiet waits until what is wanted is published and nothing happens any more, and returns
// the time of the last event.
func (m measurement) waitUntilQuiet(ctx context.Context) (time.Time, error) {
	deadline := time.Now().Add(patience)
	lastReport := time.Now()
	for {
		ok, last, lacking, surplus := m.ledger.converged(quiet)
		if ok {
			return last, nil
		}
		state := fmt.Sprintf("%d Pods are not published, %d endpoints should not be", lacking, surplus)
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-m.controller.Exited():
			return last, m.controller.Err()
		case <-time.After(100 * time.Millisecond):
		}
		if err := context.Cause(m.watchers.ctx); err != nil {
			return last, err
		}
		if time.Now().After(deadline) {
			return last, errors.New("no end after " + patience.String() + ": " + state)
		}
		if time.Since(lastReport) > 15*time.Second {
			lastReport = time.Now()
			m.job.say("waiting: %s", state)
		}
	}
}
