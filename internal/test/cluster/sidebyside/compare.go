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
			c := comparison{history: h, hints: hints, fleet: h.size(o.pods), sides: o.sides}
			for _, s := range o.sides {
				p, err := r.run(ctx, o, h, s, hints, o.batch, stderr)
				if err != nil {
					return nil, err
				}
				c.outcomes = append(c.outcomes, p.Outcome)
			}
			all = append(all, c)
		}
	}
	return all, nil
}
