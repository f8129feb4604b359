package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	histories []history
	hints     []bool
	limits    []float64 // requests in a second that a controller may make
	pods      int
	watchers  int
	seed      uint64
	repeat    int
	pace      float64
	batch     time.Duration
	out       string
}

func parse(args []string, output io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("sidebyside", flag.ContinueOnError)
	flags.SetOutput(output)
	chosen := flags.String("history", "rolling",
		"which history, several with commas: rolling, daynight, port, nodes, churn, or all")
	hinted := flags.String("hints", "both", "with hints for zones: on, off or both")
	limits := flags.String("qps", "20,1000",
		"requests in a second that a controller may make, with bursts of half as many more; each limit is a pair of "+
			"columns")
	flags.IntVar(&o.pods, "pods", 2000, "the size of the histories")
	flags.IntVar(&o.watchers, "watchers", 50, "how many watch all slices")
	flags.Uint64Var(&o.seed, "seed", 1, "of the choices in the first run of a history; each further run has the next "+
		"one")
	flags.IntVar(&o.repeat, "repeat", 5,
		"how often each history runs under each side in turn; the table has the median, the least and the most")
	flags.Float64Var(&o.pace, "pace", 50, "Pods that change in a second, at most")
	flags.DurationVar(&o.batch, "batch", 0, "time from a Pod's change to a sync, on both sides")
	flags.StringVar(&o.out, "out", "", "also write sidebyside.md and sidebyside.json into this directory, and go on "+
		"where it was stopped")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.histories, err = choose(*chosen); err != nil {
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
	for text := range strings.SplitSeq(*limits, ",") {
		limit, err := strconv.ParseFloat(text, 64)
		if err != nil || limit < 1 {
			return o, fmt.Errorf("-qps: %q is no number of 1 or more", text)
		}
		o.limits = append(o.limits, limit)
	}
	if o.pods < 10 || o.pods > 20000 || min(o.watchers, o.repeat) < 1 || o.pace <= 0 || o.batch < 0 {
		return o, errors.New("want 10 to 20000 -pods, at least one of -watchers and of -repeat, a -pace above 0 and " +
			"a -batch of 0 or more")
	}
	return o, nil
}

// choose returns the histories that are named, in their own order.
func choose(text string) (chosen []history, err error) {
	var known []string
	wanted := strings.Split(text, ",")
	for _, h := range histories {
		known = append(known, h.name)
		if text == "all" || slices.Contains(wanted, h.name) {
			chosen = append(chosen, h)
		}
	}
	for _, w := range wanted {
		if text != "all" && !slices.Contains(known, w) {
			return nil, fmt.Errorf("there is no history %q: want %s or all", w, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
