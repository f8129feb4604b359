package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// config is what the flags say.
type config struct {
	files    []string
	makers   []maker
	print    bool
	packings []packing
	sizes    []int
	watchers []int
	svg      string

	endpoints, pace    int
	surge, unavailable share
	seed               int64
}

const usage = `Usage: churn [flags] [FILE...]

Plays the coming and going of a Service's Pods with several packings, and counts what each costs. The traces are read
from the files ("-" is standard input), or made: see -traces.

Flags:
`

// parseFlags reads the command line. flag.ErrHelp says that help was asked for and given.
func parseFlags(args []string, stdout io.Writer) (config, error) {
	c := config{
		packings: []packing{inPlace, {Packing: compact, upTo: 50}, {Packing: compact}},
		sizes:    []int{100}, watchers: []int{1000},
		surge: share{25, true}, unavailable: share{25, true},
	}
	flags := flag.NewFlagSet("churn", flag.ContinueOnError)
	flags.IntVar(&c.endpoints, "endpoints", 2000, "`number` of Pods that made traces begin with")
	flags.IntVar(&c.pace, "pace", 0, "`number` of Pods that come or go between two plans at most, in made traces (default one of a hundred)")
	flags.TextVar(&c.surge, "max-surge", c.surge, "Pods above their `number` in a rolling update, or percent")
	flags.TextVar(&c.unavailable, "max-unavailable", c.unavailable, "Pods below their `number` in a rolling update, or percent")
	flags.Int64Var(&c.seed, "seed", 1, "`number` that made traces are drawn from")
	flags.Func("traces", "made `traces` to play, separated by commas (default all)"+list(makers), func(text string) error {
		names, err := words(text, findMaker)
		c.makers = slices.DeleteFunc(slices.Clone(makers), func(m maker) bool { return !slices.Contains(names, m.name) })
		return err
	})
	flags.Func("packings", "`packings` to compare, separated by commas: InPlace, Compact, Compact@50 (dissolve slices up to 50% full) (default InPlace,Compact@50,Compact)", func(text string) (err error) {
		c.packings, err = words(text, parsePacking)
		return err
	})
	flags.Func("sizes", "`numbers` of endpoints per slice at most, separated by commas (default 100)", func(text string) (err error) {
		c.sizes, err = words(text, between(1, 1000))
		return err
	})
	flags.Func("watchers", "`numbers` of watchers to count the bytes for, separated by commas (default 1000)", func(text string) (err error) {
		c.watchers, err = words(text, between(1, 1_000_000))
		return err
	})
	flags.StringVar(&c.svg, "svg", "", "write a picture of slices and bytes over time to this `file`")
	flags.BoolVar(&c.print, "print", false, "print the traces instead of playing them")
	files, err := commandline.Parse(flags, args, usage, stdout)
	if err != nil {
		return c, err
	}
	c.files = files
	return c, c.complete()
}

// complete fills in defaults and checks what no single flag can.
func (c *config) complete() error {
	switch {
	case c.endpoints < 1 || c.endpoints > 1_000_000:
		return fmt.Errorf("-endpoints %d: want 1 to 1000000", c.endpoints)
	case c.pace < 0:
		return fmt.Errorf("-pace %d: want 1 or more", c.pace)
	case c.surge.up(c.endpoints)+c.unavailable.down(c.endpoints) == 0:
		return fmt.Errorf("-max-surge and -max-unavailable are both 0: nothing could be updated")
	}
	if c.pace == 0 {
		c.pace = max(1, c.endpoints/100)
	}
	if len(c.files)+len(c.makers) == 0 {
		c.makers = makers
	}
	return nil
}

// words parses what commas separate. Nothing may be there twice.
func words[T comparable](text string, parse func(string) (T, error)) ([]T, error) {
	var list []T
	for word := range strings.SplitSeq(text, ",") {
		v, err := parse(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, v) {
			return nil, fmt.Errorf("%s is there twice", word)
		}
		list = append(list, v)
	}
	return list, nil
}

func between(least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q: want a number from %d to %d", text, least, most)
		}
		return n, nil
	}
}

// share is a number of Pods, or a percentage of them.
type share struct {
	n       int
	percent bool
}

// up rounds up, as a Deployment does for maxSurge.
func (s share) up(of int) int {
	if s.percent {
		return (s.n*of + 99) / 100
	}
	return s.n
}

// down rounds down, as a Deployment does for maxUnavailable.
func (s share) down(of int) int {
	if s.percent {
		return s.n * of / 100
	}
	return s.n
}

// MarshalText gives 25% or 3.
func (s share) MarshalText() ([]byte, error) {
	if s.percent {
		return []byte(strconv.Itoa(s.n) + "%"), nil
	}
	return []byte(strconv.Itoa(s.n)), nil
}

// UnmarshalText takes 25% or 3.
func (s *share) UnmarshalText(text []byte) error {
	number, percent := strings.CutSuffix(string(text), "%")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || percent && n > 100 || n > 1_000_000 {
		return fmt.Errorf("want a number of Pods or a percentage from 0%% to 100%%")
	}
	s.n, s.percent = n, percent
	return nil
}
