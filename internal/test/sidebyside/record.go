package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// record is what a command measured, in a file that -read takes.
type record struct {
	Pods, Watchers int
	Seed           uint64
	Pace           float64
	Batch          time.Duration
	Comparisons    []recorded
}

type recorded struct {
	History  string
	Hints    bool
	Sides    []string
	Outcomes []outcome
}

func newRecord(o options, all []comparison) record {
	r := record{Pods: o.pods, Watchers: o.watchers, Seed: o.seed, Pace: o.pace, Batch: o.batch}
	for _, c := range all {
		one := recorded{History: c.history.name, Hints: c.hints, Outcomes: c.outcomes}
		for _, s := range c.sides {
			one.Sides = append(one.Sides, s.name)
		}
		r.Comparisons = append(r.Comparisons, one)
	}
	return r
}

// read returns what a file recorded.
func read(file string) (o options, all []comparison, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return o, nil, err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return o, nil, fmt.Errorf("%s: %w", file, err)
	}
	o = options{pods: r.Pods, watchers: r.Watchers, seed: r.Seed, pace: r.Pace, batch: r.Batch}
	for _, one := range r.Comparisons {
		i := slices.IndexFunc(histories, func(h history) bool { return h.name == one.History })
		if i < 0 || len(one.Sides) != len(one.Outcomes) {
			return o, nil, fmt.Errorf("%s is not of this version: history %q with %d sides", file, one.History, len(one.Sides))
		}
		c := comparison{history: histories[i], hints: one.Hints, fleet: histories[i].size(r.Pods), outcomes: one.Outcomes}
		for _, name := range one.Sides {
			j := slices.IndexFunc(sides, func(s side) bool { return s.name == name })
			if j < 0 {
				return o, nil, fmt.Errorf("%s is not of this version: side %q", file, name)
			}
			c.sides = append(c.sides, sides[j])
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return o, nil, fmt.Errorf("%s records nothing", file)
	}
	return o, all, nil
}
