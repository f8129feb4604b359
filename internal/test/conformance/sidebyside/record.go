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
)

// point is one history under one side with one batch period.
type point struct {
	History, Side string
	Hints         bool
	Batch         time.Duration
	Seed          uint64
	Outcome       outcome
}

func (p point) median() time.Duration { return quantile(p.Outcome.Latencies, 50) }
func (p point) writes() int           { return p.Outcome.Creates + p.Outcome.Updates + p.Outcome.Deletes }

// record is what was measured, in a file that the next call goes on with.
type record struct {
	Flags  string // that all points have in common
	Points []point
}

// file is where something is kept of what was measured.
func (o options) file(extension string) string {
	name := "sidebyside"
	if o.freshness {
		name = "freshness"
	}
	return filepath.Join(o.out, name+extension)
}

// save writes a file into the directory of -out, if there is one.
func (o options) save(extension, text string) error {
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.file(extension), []byte(text), 0o644)
}

// load returns what an earlier call left in the directory of -out. Other flags are a mistake.
func load(o options) (r record, err error) {
	flags := fmt.Sprintf("-pods %d -watchers %d -workers %d -seed %d -pace %g", o.pods, o.watchers, o.workers, o.seed, o.pace)
	text, err := os.ReadFile(o.file(".json"))
	if o.out == "" || errors.Is(err, fs.ErrNotExist) {
		return record{Flags: flags}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && r.Flags != flags {
		err = fmt.Errorf("it was measured with %s: remove it, or choose another -out", r.Flags)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", o.file(".json"), err)
	}
	return r, nil
}

// run measures one point, unless it is there, and writes the file.
func (r *record) run(ctx context.Context, o options, h history, s side, hints bool, batch time.Duration, stderr io.Writer) (point, error) {
	p := point{History: h.name, Side: s.name, Hints: hints, Batch: batch, Seed: o.seed}
	for _, known := range r.Points {
		if known.History == p.History && known.Side == p.Side && known.Hints == p.Hints && known.Batch == p.Batch && known.Seed == p.Seed {
			return known, nil
		}
	}
	began, what := time.Now(), fmt.Sprintf("%s, %s, batch %v, seed %d", comparison{history: h, hints: hints}.title(), s.title, batch, o.seed)
	say := func(format string, args ...any) {
		fmt.Fprintf(stderr, "%s, %4.0f s: %s\n", what, time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
	o.batch = batch
	outcome, err := job{options: o, history: h, side: s, hinted: hints, say: say}.run(ctx)
	if err != nil {
		return p, fmt.Errorf("%s: %w", what, err)
	}
	p.Outcome = outcome
	say("done: %d writes", p.writes())
	r.Points = append(r.Points, p)
	text, err := json.Marshal(r)
	if err != nil {
		return p, err
	}
	return p, o.save(".json", string(text))
}
