// Command churn shows what a packing costs over time: it plays the coming and going of a Service's Pods, plans after each
// change as a controller would, and counts writes, slices, bytes and endpoints that move.
//
//	go run ./examples/churn
//	go run ./examples/churn -endpoints 10000 -max 500 -watchers 5000 -traces day-and-night
//	go run ./examples/churn -svg out.svg web.json
//
// The traces are made by rule and seed, or read from files that kubectl printed. README.md shows how to record one's own.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/internal/trace"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process. It returns the exit code: 1 for mistakes in the flags or the input.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseFlags(args, stdout)
	if err == nil {
		err = c.run(stdin, stdout)
	}
	return commandline.Exit("churn", err, stderr)
}

// run makes or reads the traces, plays them and prints.
func (c config) run(stdin io.Reader, stdout io.Writer) error {
	traces, err := c.load(stdin)
	if err != nil {
		return err
	}
	var svg *os.File // opened first: playing takes long
	if c.svg != "" {
		if svg, err = os.OpenFile(c.svg, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644); err != nil {
			return err
		}
		defer svg.Close()
	}
	all, err := c.compare(traces)
	if err != nil {
		return err
	}
	if err := c.table(stdout, all); err != nil || svg == nil {
		return err
	}
	_, err = svg.WriteString(picture(c.watchers, all))
	return errors.Join(err, svg.Close())
}

// load reads the files, or makes the built-in traces if there are none.
func (c config) load(stdin io.Reader) ([]trace.Trace, error) {
	traces, err := c.readTraces(stdin)
	if err != nil {
		return nil, err
	}
	for _, m := range c.makers {
		traces = append(traces, m.Make(c.endpoints, c.seed))
	}
	for i := range traces {
		traces[i].Rounds = batched(traces[i].Rounds, c.period)
	}
	return traces, nil
}

// readTraces reads the files, "-" being standard input. Files with lists alone are states that follow
// each other, one trace together.
func (c config) readTraces(stdin io.Reader) (traces []trace.Trace, err error) {
	files := make([][]manifest.Entry, len(c.files))
	for i, name := range c.files {
		if err := (manifest.Reader{Lenient: c.lenient}).Entries(stdin, name, func(e manifest.Entry) error {
			files[i] = append(files[i], e)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	chosen, err := c.choose(slices.Concat(files...))
	if err != nil {
		return nil, err
	}
	var r *recording
	for i, name := range c.files {
		follows := r != nil && r.events == 0
		if !follows {
			r = newRecording(traceName(name), chosen)
		}
		if err := r.play(files[i]); err != nil {
			return nil, err
		}
		switch {
		case len(r.numbers) == 0:
			return nil, fmt.Errorf("%s: no endpoint in the recording; record EndpointSlices, or Pods that have addresses", traceName(name))
		case c.period > 0 && r.clock.IsZero():
			return nil, fmt.Errorf("%s: -batch-period needs times, and no object has one; leave the flag out", traceName(name))
		}
		if follows {
			traces = traces[:len(traces)-1]
		}
		traces = append(traces, r.trace)
	}
	return traces, nil
}

// traceName is a file's name without its directory and suffix.
func traceName(file string) string {
	if file == manifest.Stdin {
		return "standard input"
	}
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// comparison is what several packings did in one trace.
type comparison struct {
	trace.Trace
	results []result
}

// compare plays the traces with all packings.
func (c config) compare(traces []trace.Trace) ([]comparison, error) {
	var all []comparison
	for _, t := range traces {
		compared := comparison{Trace: t}
		for _, p := range c.packings {
			r, err := simulate(t, p, c.max)
			if err != nil {
				return nil, err
			}
			compared.results = append(compared.results, r)
		}
		all = append(all, compared)
	}
	return all, nil
}
