// Command churn shows what a packing costs over time: it plays the coming and going of a Service's
// Pods, plans after each change as a controller would, and counts writes, slices and bytes.
//
//	go run ./examples/churn
//	go run ./examples/churn -endpoints 10000 -max 500 -watchers 5000 -svg out.svg
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

// config is what the flags say.
type config struct {
	max       int // endpoints of a slice
	watchers  int
	endpoints int
	seed      int64
	period    time.Duration // in which changes share a plan
	svg       string
}

// packing is a packing with its option, written as in Compact@50.
type packing struct {
	slicer.Packing
	upTo int // percent of the maximum that a slice may hold to be dissolved; 0: 100
}

var packings = []packing{{}, {slicer.Compact, 50}, {slicer.Compact, 0}}

func (p packing) String() string {
	switch {
	case p.Packing != slicer.Compact:
		return "InPlace"
	case p.upTo > 0:
		return fmt.Sprintf("Compact@%d", p.upTo)
	}
	return "Compact"
}

const usage = `Usage: churn [flags]

Plays the coming and going of a Service's Pods with each packing, and prints what each costs as a table of Markdown.

Flags:
`

func main() {
	os.Exit(commandline.Exit("churn", run(os.Args[1:], os.Stdout), os.Stderr))
}

// parseFlags reads the command line. flag.ErrHelp says that help was asked for and given.
func parseFlags(args []string, stdout io.Writer) (c config, err error) {
	flags := flag.NewFlagSet("churn", flag.ContinueOnError)
	flags.IntVar(&c.endpoints, "endpoints", 2000, "`number` of Pods that a history begins with")
	flags.IntVar(&c.max, "max", 100, "`number` of endpoints per slice at most, 1 to 1000")
	flags.IntVar(&c.watchers, "watchers", 1000, "`number` of watchers to count the bytes for")
	flags.Int64Var(&c.seed, "seed", 1, "`number` that the histories are drawn from")
	flags.DurationVar(&c.period, "batch-period", 0,
		"`time` in which a controller collects changes before it plans, such as 1s")
	flags.StringVar(&c.svg, "svg", "", "write a picture of slices and bytes over time to this `file`")
	words, err := commandline.Parse(flags, args, usage, stdout)
	switch {
	case err != nil:
		return c, err
	case len(words) > 0:
		return c, fmt.Errorf("unexpected argument %q (-h lists the flags)", words[0])
	case c.endpoints < 1 || c.endpoints > 1_000_000:
		return c, fmt.Errorf("-endpoints %d: want 1 to 1000000", c.endpoints)
	case c.max < 1 || c.max > 1000:
		return c, fmt.Errorf("-max %d: want 1 to 1000", c.max)
	case c.period < 0 || c.period > 24*time.Hour:
		return c, fmt.Errorf("-batch-period %s: want 0s to 24h", c.period)
	case c.watchers < 1 || c.watchers > 1_000_000:
		return c, fmt.Errorf("-watchers %d: want 1 to 1000000", c.watchers)
	}
	return c, nil
}

// run plays the histories and prints the table.
func run(args []string, stdout io.Writer) error {
	c, err := parseFlags(args, stdout)
	if err != nil {
		return err
	}
	var svg *os.File
	if c.svg != "" { // opened first, because playing takes long
		if svg, err = os.Create(c.svg); err != nil {
			return err
		}
		defer svg.Close()
	}
	all, err := c.compare()
	if err != nil {
		return err
	}
	out := commandline.NewOutput(stdout)
	if header, rows := c.table(all); slices.ContainsFunc(all, comparison.differ) {
		fmt.Fprintln(out, header+rows)
	} else {
		fmt.Fprintf(out, "With %d Pods the packings write the same in all histories: give more with -endpoints, or a "+
			"smaller -max.\n", c.endpoints)
	}
	if err := out.Close(); err != nil || svg == nil {
		return err
	}
	_, err = svg.WriteString(picture(c.watchers, all))
	return errors.Join(err, svg.Close())
}

// comparison is what the packings did in one history.
type comparison struct {
	trace.Trace
	results []result
}

// differ reports whether the packings write different numbers of slices.
func (c comparison) differ() bool {
	return c.results[0].writes != c.results[len(c.results)-1].writes
}

// compare plays all histories with all packings.
func (c config) compare() ([]comparison, error) {
	var all []comparison
	for _, m := range trace.Makers {
		compared := comparison{Trace: m.Make(c.endpoints, c.seed)}
		compared.Rounds = batched(compared.Rounds, c.period)
		for _, p := range packings {
			r, err := simulate(compared.Trace, p, c.max)
			if err != nil {
				return nil, err
			}
			compared.results = append(compared.results, r)
		}
		all = append(all, compared)
	}
	return all, nil
}

// table has a row for each packing, and a column for each history in which the packings differ.
func (c config) table(all []comparison) (header, rest string) {
	header = fmt.Sprintf("| %d Pods, %d watchers |", c.endpoints, c.watchers)
	rule, rows := "\n| --- |", make([]string, len(packings))
	for _, compared := range all {
		if !compared.differ() {
			continue
		}
		rest += " " + compared.Name + " |"
		rule += " --- |"
		for i, r := range compared.results {
			rows[i] += fmt.Sprintf(" %d writes, %d.%02dx slices, %s |", r.writes, r.multiple/100, r.multiple%100,
				commandline.Bytes(r.sent*int64(c.watchers)))
		}
	}
	rest += rule
	for i, p := range packings {
		rest += fmt.Sprintf("\n| %s |", p) + rows[i]
	}
	return header, rest
}
