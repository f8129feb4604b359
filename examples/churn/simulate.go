package main

import (
	"github.com/slicewright/slicewright/slicer"
)

// result is what a variant did in a trace.
type result struct {
	variant
	writes, moves int
	sent          int64 // bytes, to one watcher
	multiple      int   // slices, in percent of the fewest that there could be: the mean over all rounds
	history       []point
}

// point is the state after a round.
type point struct {
	slices, fewest int
	sent           int64 // so far
}

// comparison is what several variants did in one trace.
type comparison struct {
	trace
	results []result
}

// simulate plays a trace.
func simulate(t trace, v variant, p *progress) (result, error) {
	r := result{variant: v}
	c := newCluster(v.options())
	at := map[string]string{} // the slice of an address
	var millionths int64
	for i, round := range t.rounds {
		p.show(t.name, v, i)
		c.change(round)
		plan, err := slicer.Compute(c.input, c.slices)
		if err != nil {
			return r, err
		}
		cost := plan.Cost(1)
		c.write(plan)
		r.writes += cost.Writes
		r.moves += moves(plan, at)
		r.sent += cost.SentBytes
		fewest := max(1, (len(c.numbers)+v.size-1)/v.size)
		millionths += 1_000_000 * int64(cost.Objects) / int64(fewest)
		r.history = append(r.history, point{cost.Objects, fewest, r.sent})
	}
	r.multiple = int((millionths/int64(len(t.rounds)) + 5000) / 10_000)
	return r, nil
}

// moves counts the endpoints that a plan takes to another slice.
func moves(plan slicer.Plan, at map[string]string) int {
	moved := 0
	for _, s := range plan.Steps {
		if s.New == nil {
			continue
		}
		for i := range s.New.Endpoints {
			address := s.New.Endpoints[i].Addresses[0]
			if before, ok := at[address]; ok && before != s.New.Name {
				moved++
			}
			at[address] = s.New.Name
		}
	}
	return moved
}
