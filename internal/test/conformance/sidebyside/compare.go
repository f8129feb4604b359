package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

// column is a side with a limit of requests.
type column struct {
	ours  bool
	limit float64
	batch time.Duration
}

func (c column) title() string {
	name := "Kubernetes"
	if c.ours {
		name = "ours"
	}
	return fmt.Sprintf("%s, %g/s", name, c.limit)
}

// start starts the side's controller.
func (c column) start(ctx context.Context, server *apiserver.Server) (*apiserver.Process, error) {
	flags := []string{fmt.Sprintf("--%s=%g", qpsFlag, c.limit), fmt.Sprintf("--%s=%d", burstFlag, int(c.limit*1.5)),
		fmt.Sprintf("--%s=%v", batchFlag, c.batch)}
	if !c.ours {
		return server.StartControllerManager(ctx, append(flags, "--controllers=endpointslice-controller")...)
	}
	kubeconfig, err := server.Kubeconfig(apiserver.Admin)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return server.Run(self, append([]string{oursCommand, kubeconfig}, flags...)...)
}

// columns are both sides with each limit.
func (o options) columns() (all []column) {
	for _, limit := range o.limits {
		all = append(all, column{false, limit, o.batch}, column{true, limit, o.batch})
	}
	return all
}

// comparison is one history under all sides.
type comparison struct {
	history  history
	hints    bool
	fleet    fleet
	outcomes [][]outcome // of each run, by column
}

func titleOf(h history, hints bool) string {
	if hints {
		return h.title + ", with hints"
	}
	return h.title
}

// compare runs every history that was asked for under every side, in turn.
func compare(ctx context.Context, o options, stderr io.Writer) (all []comparison, err error) {
	r, err := load(o)
	if err != nil {
		return nil, err
	}
	columns := o.columns()
	for _, h := range o.histories {
		for _, hints := range o.hints {
			c := comparison{history: h, hints: hints, fleet: h.size(o.pods), outcomes: make([][]outcome, len(columns))}
			for i := range o.repeat * len(columns) {
				now, at := o, i%len(columns)
				now.seed += uint64(i / len(columns))
				p, err := r.run(ctx, job{options: now, history: h, column: columns[at], hinted: hints}, stderr)
				if err != nil {
					return nil, err
				}
				c.outcomes[at] = append(c.outcomes[at], p)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// record is what was measured, in a file that the next call goes on with.
type record struct {
	Flags string // that all runs have in common
	Runs  map[string]outcome
}

// save writes a file into the directory of -out, if there is one.
func (o options) save(extension, text string) error {
	if o.out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(o.out, "sidebyside"+extension), []byte(text), 0o644)
}

// load returns what an earlier call left in the directory of -out. Other flags are a mistake.
func load(o options) (r record, err error) {
	flags := fmt.Sprintf("-pods %d -watchers %d -pace %g -batch %v", o.pods, o.watchers, o.pace, o.batch)
	file := filepath.Join(o.out, "sidebyside.json")
	text, err := os.ReadFile(file)
	if o.out == "" || errors.Is(err, fs.ErrNotExist) {
		return record{flags, map[string]outcome{}}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && r.Flags != flags {
		err = fmt.Errorf("it was measured with %s: remove it, or choose another -out", r.Flags)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// run does a run, unless the record has it, and writes the file.
func (r record) run(ctx context.Context, j job, stderr io.Writer) (outcome, error) {
	what := fmt.Sprintf("%s, %s, seed %d", titleOf(j.history, j.hinted), j.column.title(), j.seed)
	if known, ok := r.Runs[what]; ok {
		return known, nil
	}
	began := time.Now()
	j.say = func(format string, args ...any) {
		fmt.Fprintf(stderr, "%s, %4.0f s: %s\n", what, time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
	o, err := j.run(ctx)
	if err != nil {
		return o, fmt.Errorf("%s: %w", what, err)
	}
	j.say("done: %d writes", o.writes())
	r.Runs[what] = o
	text, err := json.Marshal(r)
	if err != nil {
		return o, err
	}
	return o, j.save(".json", string(text))
}
