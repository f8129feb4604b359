// Compare runs Kubernetes' own EndpointSlice code and this library on the same inputs, in one process, and prints what
// both did as Markdown: what one sync costs, what a decision about hints costs, how many times a floor the library's
// sync takes, and what a rolling world got.
//
//	go run ./compare                                  print the tables
//	go run ./compare -readme ../../../README.md       and put them between the markers there
//	go run ./compare -short -check ../../../README.md
//
// With -check the command fails if the section in the file is not what it would write, figures apart, or if a sync takes
// more than 1.5 times as many times the floor as its bar allows (factor.go). Processor time
// counts, not that on a clock, and of several rounds the best; the world is always the same for the same seed, but what
// the reference makes of it differs from run to run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

type options struct {
	seed        int64
	steps, pods int
	services    int
	rounds      int
	round       time.Duration
	readme      string
	check       string
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Int64Var(&o.seed, "seed", 1, "which world rolls")
	flags.IntVar(&o.steps, "steps", 500, "how many `steps` it rolls")
	flags.IntVar(&o.pods, "pods", 300, "how many Pods it has on average")
	flags.IntVar(&o.services, "services", 5000, "how many `Services` the cluster has")
	flags.IntVar(&o.rounds, "rounds", 7, "how many rounds are measured, of which the best counts")
	flags.DurationVar(&o.round, "round", 300*time.Millisecond, "how much processor `time` a round takes at least")
	flags.StringVar(&o.readme, "readme", "", "`file` to put the tables into, between its markers")
	flags.StringVar(&o.check, "check", "", "`file` whose section to check, figures apart")
	short := flags.Bool("short", false, "few steps and rounds: to see that it works")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: there are no arguments, only flags", flags.Args())
	}
	if *short {
		o.steps, o.pods, o.services, o.rounds, o.round = 20, 60, 100, 1, time.Millisecond
	}
	if o.steps < 2 || o.pods < 10 || o.rounds < 1 || o.services < 1 {
		return errors.New("give at least 2 steps, 10 Pods, 1 Service and 1 round")
	}
	return o.report(out)
}
