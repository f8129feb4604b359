// Compare runs Kubernetes' own EndpointSlice code and this library on the same inputs, in one
// process, and prints what both cost as Markdown: one sync, a decision about hints, and how many
// times a floor the library's sync takes.
//
//	go run ./compare                            print the tables
//	go run ./compare -write ../../..            and put them into README.md and .github/FIGURES.md, between the markers
//	go run ./compare -short -check ../../..
//
// With -check the command fails if a page is not what the command would write, figures apart, or if
// the median of a factor over the floor is above 1.5 times its bar (factor.go). Times are processor
// times. A run takes the best of several rounds, and the tables have the medians of several runs.
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
	services int
	runs     int
	rounds   int
	round    time.Duration
	write    string
	check    string
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
	flags.IntVar(&o.services, "services", 5000, "how many `Services` the cluster has")
	flags.IntVar(&o.runs, "runs", 5, "how many `runs` there are, of which the tables have the median")
	flags.IntVar(&o.rounds, "rounds", 7, "how many rounds a run has, of which the best counts")
	flags.DurationVar(&o.round, "round", 150*time.Millisecond, "how much processor `time` a round takes at least")
	flags.StringVar(&o.write, "write", "", "the root `directory` of the repository, whose pages get the tables")
	flags.StringVar(&o.check, "check", "",
		"the root `directory` of the repository, whose pages to check, figures apart")
	short := flags.Bool("short", false, "few Services and rounds: to see that it works")
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
		o.services = 100
		o.runs = 3
		o.rounds = 1
		o.round = time.Millisecond
	}
	if o.runs < 1 || o.rounds < 1 || o.services < 1 {
		return errors.New("give at least 1 Service, 1 run and 1 round")
	}
	return o.report(out)
}
