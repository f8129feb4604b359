package main

import (
	"maps"
	"slices"
	"time"

	"github.com/slicewright/slicewright/internal/trace"
)

// What a Pod is at the end of a round.
const (
	ready = iota
	unready
	gone
)

// batched joins rounds as a controller does that waits for a period after the first change before
// it plans. The first round is the state at the start, and stays alone.
func batched(rounds []trace.Round, period time.Duration) []trace.Round {
	var out []trace.Round
	for begin, end := 0, 0; begin < len(rounds); begin = end {
		end++
		for begin > 0 && end < len(rounds) && rounds[end].At < rounds[begin].At+period {
			end++
		}
		out = append(out, joined(rounds[begin:end]))
	}
	return out
}

// joined is what several rounds come to.
func joined(rounds []trace.Round) trace.Round {
	if len(rounds) == 1 {
		return rounds[0]
	}
	states := map[int]int{}
	for _, r := range rounds {
		for state, pods := range [][]int{ready: r.Ready, unready: r.Unready, gone: r.Gone} {
			for _, n := range pods {
				states[n] = state
			}
		}
	}
	all := trace.Round{At: rounds[0].At}
	lists := [...]*[]int{ready: &all.Ready, unready: &all.Unready, gone: &all.Gone}
	for _, n := range slices.Sorted(maps.Keys(states)) {
		list := lists[states[n]]
		*list = append(*list, n)
	}
	return all
}
