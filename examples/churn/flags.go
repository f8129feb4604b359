package main

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

// config is what the flags say.
type config struct {
	files     []string
	makers    []trace.Maker
	packings  []packing
	max       int // endpoints of a slice
	watchers  int
	svg       string
	endpoints int
	seed      int64
	period    time.Duration
	service   string // name or namespace/name; empty: the only one
	lenient   bool
}

const usage = `Usage: churn [flags] [FILE...]

Plays the coming and going of a Service's Pods with several packings, and counts what each costs. The traces are read
from the files (YAML or JSON, "-" is standard input), or made: see -traces. A file has what one of these printed,

  kubectl get endpointslices -l kubernetes.io/service-name=web -w --output-watch-events -o json
  kubectl get pods -l app=web -w --output-watch-events -o json
  kubectl get services,pods -o json

Files without events of a watch follow each other.

Flags:
`

// parseFlags reads the command line. flag.ErrHelp says that help was asked for and given.
func parseFlags(args []string, stdout io.Writer) (c config, err error) {
	flags := flag.NewFlagSet("churn", flag.ContinueOnError)
	flags.IntVar(&c.endpoints, "endpoints", 2000, "`number` of Pods that made traces begin with")
	flags.IntVar(&c.max, "max", 100, "`number` of endpoints per slice at most, 1 to 1000")
	flags.IntVar(&c.watchers, "watchers", 1000, "`number` of watchers to count the bytes for")
	flags.Int64Var(&c.seed, "seed", 1, "`number` that made traces are drawn from")
	flags.Func("traces", "made `traces` to play, separated by commas (default all)"+makerList(), func(text string) (err error) {
		c.makers, err = words(text, findMaker)
		return err
	})
	c.packings = []packing{{}, {slicer.Compact, 50}, {slicer.Compact, 0}}
	flags.Func("packings", "`packings` to compare, separated by commas: InPlace, Compact, Compact@50 (dissolve slices up to 50% full) (default InPlace,Compact@50,Compact)", func(text string) (err error) {
		c.packings, err = words(text, parsePacking)
		return err
	})
	flags.DurationVar(&c.period, "batch-period", 0, "`time` that a controller waits for further changes after the first, as in 500ms; made traces change once a second")
	flags.StringVar(&c.service, "service", "", "play the history of this Service: `name` or namespace/name (default the only one in the files)")
	flags.BoolVar(&c.lenient, "lenient", false, "skip unknown fields, as a newer API server may print, and objects of other APIs")
	flags.StringVar(&c.svg, "svg", "", "write a picture of slices and bytes over time to this `file`")
	if c.files, err = commandline.Parse(flags, args, usage, stdout); err != nil {
		return c, err
	}
	if len(c.files)+len(c.makers) == 0 {
		c.makers = trace.Makers
	}
	switch {
	case c.endpoints < 1 || c.endpoints > 1_000_000:
		return c, fmt.Errorf("-endpoints %d: want 1 to 1000000", c.endpoints)
	case c.max < 1 || c.max > 1000:
		return c, fmt.Errorf("-max %d: want 1 to 1000", c.max)
	case c.period < 0 || c.period > time.Hour:
		return c, fmt.Errorf("-batch-period %v: want 0 to 1h", c.period)
	case strings.Count(c.service, "/") > 1:
		return c, fmt.Errorf("-service %s: want name or namespace/name", c.service)
	case c.watchers < 1 || c.watchers > 1_000_000:
		return c, fmt.Errorf("-watchers %d: want 1 to 1000000", c.watchers)
	}
	return c, nil
}

// words parses what commas separate.
func words[T any](text string, parse func(string) (T, error)) (list []T, err error) {
	for word := range strings.SplitSeq(text, ",") {
		v, err := parse(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// packing is a packing with its option, written as in Compact@50.
type packing struct {
	slicer.Packing
	upTo int // percent of the maximum that a slice may hold to be dissolved; 0: 100
}

func parsePacking(text string) (p packing, err error) {
	name, percent, dissolves := strings.Cut(text, "@")
	if dissolves {
		p.upTo, err = strconv.Atoi(percent)
	}
	if p.Packing = slicer.Packing(name); text == "InPlace" {
		p.Packing = slicer.InPlace
	}
	if err != nil || p.upTo < 0 || p.upTo > 100 || text != p.String() {
		return p, fmt.Errorf("%q: want InPlace, Compact or Compact@50", text)
	}
	return p, nil
}

func (p packing) String() string {
	switch {
	case p.Packing != slicer.Compact:
		return "InPlace"
	case p.upTo > 0:
		return fmt.Sprintf("Compact@%d", p.upTo)
	}
	return "Compact"
}

// makerList shows the makers in the help.
func makerList() string {
	var text strings.Builder
	for _, m := range trace.Makers {
		fmt.Fprintf(&text, "\n%s: %s", m.Name, m.What)
	}
	return text.String()
}

func findMaker(name string) (trace.Maker, error) {
	var names []string
	for _, m := range trace.Makers {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return trace.Maker{}, fmt.Errorf("%q: want some of %s", name, strings.Join(names, ", "))
}
