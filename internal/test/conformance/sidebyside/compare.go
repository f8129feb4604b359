package main

import (
	"context"
	"io"
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
	r, err := load(o)
	if err != nil {
		return nil, err
	}
	for _, h := range o.histories {
		for _, hints := range o.hints {
			c := comparison{history: h, hints: hints, fleet: h.size(o.pods), sides: o.sides, outcomes: make([]outcome, len(o.sides))}
			for i := range o.repeat * len(o.sides) {
				now, side := o, i%len(o.sides)
				now.seed += uint64(i / len(o.sides))
				p, err := r.run(ctx, now, h, o.sides[side], hints, o.batch, stderr)
				if err != nil {
					return nil, err
				}
				c.outcomes[side].add(p.Outcome)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// add adds another run: sums, all latencies, and the most of what has no sum.
func (o *outcome) add(p outcome) {
	o.requests = o.requests.since(requests{}.since(p.requests))
	o.Latencies, o.Moved = append(o.Latencies, p.Latencies...), o.Moved+p.Moved
	for _, g := range []struct{ sum, more *gaps }{{&o.Pairs, &p.Pairs}, {&o.Endpoints, &p.Endpoints}} {
		g.sum.Count, g.sum.Total, g.sum.Longest = g.sum.Count+g.more.Count, g.sum.Total+g.more.Total, max(g.sum.Longest, g.more.Longest)
	}
	o.Events, o.Bytes, o.CPU, o.Took = o.Events+p.Events, o.Bytes+p.Bytes, o.CPU+p.CPU, o.Took+p.Took
	o.Slices, o.Memory = max(o.Slices, p.Slices), max(o.Memory, p.Memory)
}
