package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// comparison is one history under all sides.
type comparison struct {
	history  history
	hints    bool
	fleet    fleet
	sides    []side
	outcomes []outcome
}

func (c comparison) title() string {
	if c.hints {
		return c.history.title + ", with hints"
	}
	return c.history.title
}

// compare runs every history that was asked for under every side.
func compare(ctx context.Context, o options, stderr io.Writer) (all []comparison, err error) {
	n, total := 0, len(o.histories)*len(o.hints)*len(o.sides)
	for _, h := range o.histories {
		for _, hints := range o.hints {
			c := comparison{history: h, hints: hints, fleet: h.size(o.pods), sides: o.sides}
			for _, s := range o.sides {
				n++
				began := time.Now()
				say := func(format string, args ...any) {
					fmt.Fprintf(stderr, "%d/%d %s, %s, %4.0f s: %s\n", n, total, c.title(), s.title,
						time.Since(began).Seconds(), fmt.Sprintf(format, args...))
				}
				outcome, err := o.job(h, s, hints, say).run(ctx)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", c.title(), s.title, err)
				}
				say("done: %d writes", outcome.Creates+outcome.Updates+outcome.Deletes)
				c.outcomes = append(c.outcomes, outcome)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// job is one run as the flags say.
func (o options) job(h history, s side, hints bool, say func(string, ...any)) job {
	return job{
		history: h, side: s, hints: hints, pods: o.pods, watchers: o.watchers, seed: o.seed, pace: o.pace, batch: o.batch, workers: o.workers,
		port: o.port, say: say,
	}
}
