package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	histories []history
	sides     []side
	hints     []bool
	pods      int
	watchers  int
	seed      uint64
	repeat    int
	pace      float64
	batch     time.Duration
	workers   int
	freshness bool
	periods   []time.Duration
	out       string
}

func parse(args []string, output io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("sidebyside", flag.ContinueOnError)
	flags.SetOutput(output)
	chosen := flags.String("history", "rolling", "which history, several with commas: rolling, daynight, port, nodes, churn, or all")
	named := flags.String("sides", "kubernetes,in-place,compact", "which sides")
	hinted := flags.String("hints", "both", "with topology hints: on, off or both")
	flags.IntVar(&o.pods, "pods", 2000, "the size of the histories")
	flags.IntVar(&o.watchers, "watchers", 50, "how many watch all slices")
	flags.Uint64Var(&o.seed, "seed", 1, "of the choices in a history")
	flags.IntVar(&o.repeat, "repeat", 1, "how often each history runs under each side in turn, with the next seed each time; the table has what all runs add up to")
	flags.Float64Var(&o.pace, "pace", 50, "Pods that change in a second, at most")
	flags.DurationVar(&o.batch, "batch", 0, "the batch period: from a Pod's change to a sync")
	flags.IntVar(&o.workers, "workers", 5, "how many Services a controller plans at a time")
	flags.StringVar(&o.out, "out", "", "also write sidebyside.md and sidebyside.json into this directory, and go on where it was stopped")
	flags.BoolVar(&o.freshness, "freshness", false, "compare at equal freshness: every history with several batch periods, Kubernetes and in place;\n"+
		"with -out it writes freshness.md and freshness.json")
	periods := flags.String("periods", "0s,500ms,1s", "the batch periods of -freshness")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.histories, err = choose(*chosen, "history", histories, func(h history) string { return h.name }); err != nil {
		return o, err
	}
	if o.sides, err = choose(*named, "side", sides, func(s side) string { return s.name }); err != nil {
		return o, err
	}
	switch *hinted {
	case "both":
		o.hints = []bool{false, true}
	case "on", "off":
		o.hints = []bool{*hinted == "on"}
	default:
		return o, fmt.Errorf("-hints is on, off or both, not %q", *hinted)
	}
	for _, text := range strings.Split(*periods, ",") {
		period, err := time.ParseDuration(text)
		if err != nil || period < 0 {
			return o, fmt.Errorf("-periods: %q is no time of 0 or more", text)
		}
		o.periods = append(o.periods, period)
	}
	if o.pods < 10 || o.pods > 20000 || o.watchers < 1 || o.pace <= 0 || o.batch < 0 || min(o.workers, o.repeat) < 1 {
		return o, errors.New("want 10 to 20000 -pods, at least one of -watchers, a -pace above 0, a -batch of 0 or more and at least one of -workers and of -repeat")
	}
	return o, nil
}

// choose returns the elements that are named, in their own order.
func choose[E any](text, what string, all []E, name func(E) string) (chosen []E, err error) {
	if text == "all" {
		return all, nil
	}
	var known []string
	wanted := strings.Split(text, ",")
	for _, e := range all {
		known = append(known, name(e))
		if slices.Contains(wanted, name(e)) {
			chosen = append(chosen, e)
		}
	}
	for _, w := range wanted {
		if !slices.Contains(known, w) {
			return nil, fmt.Errorf("there is no %s %q: want %s or all", what, w, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
