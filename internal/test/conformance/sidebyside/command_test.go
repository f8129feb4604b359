package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be our side's process.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == oursCommand {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestMistakes shows that each mistake is one clear line, before anything is started.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-history nope", `there is no history "nope": want rolling, daynight, port, nodes, churn or all`},
		{"-hints maybe", `-hints is on, off or both, not "maybe"`},
		{"-pods 9", "want 10 to 20000 -pods"},
		{"-watchers 0", "at least one of -watchers"},
		{"-pace 0", "a -pace above 0"},
		{"-repeat 0", "and of -repeat"},
		{"-batch -1s", "a -batch of 0 or more"},
		{"-qps 20,x", `-qps: "x" is no number`},
		{"stray", `unexpected argument "stray"`},
	} {
		var stdout bytes.Buffer
		err := command(t.Context(), strings.Fields(c.args), &stdout, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") ||
			stdout.Len() > 0 {
			t.Errorf("%s: want one line with %q, got %v %s", c.args, c.want, err, stdout.String())
		}
	}
}

// TestEveryHistory runs every history with few Pods under both sides, and looks at what must be so
// whoever writes: everything is published, every write is an event to every watcher, and the files
// are there. It asks for SLICEWRIGHT_SIDEBYSIDE=1, because it takes some minutes; without it one
// history runs.
func TestEveryHistory(t *testing.T) {
	args := []string{"-pods", "30", "-pace", "100", "-watchers", "5", "-repeat", "1", "-qps", "20", "-history", "port",
		"-hints", "on"}
	if os.Getenv("SLICEWRIGHT_SIDEBYSIDE") != "" {
		args = []string{"-pods", "30", "-pace", "100", "-watchers", "5", "-repeat", "1", "-history", "all"}
	}
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var progress bytes.Buffer
	all, err := compare(t.Context(), o, &progress)
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, c := range all {
		for i, column := range o.columns() {
			o, title := c.outcomes[i][0], titleOf(c.history, c.hints)
			if o.writes() == 0 || o.Busiest == 0 || o.Events != int64(5*o.writes()) || o.Bytes == 0 || o.Slices == 0 ||
				o.Memory == 0 {
				t.Errorf("%s, %s: %+v", title, column.title(), o)
			}
			if column.ours && o.Pairs.Count+o.Endpoints.Count > 0 {
				t.Errorf("%s, %s: endpoints were missing: %+v %+v", title, column.title(), o.Pairs, o.Endpoints)
			}
			if len(o.Latencies) == 0 {
				t.Errorf("%s, %s: no latencies", title, column.title())
			}
		}
	}
	if !strings.Contains(progress.String(), "starting an API server") || !strings.Contains(progress.String(), "done") {
		t.Errorf("it does not say what it does:\n%s", progress.String())
	}
}

// TestCells checks that a cell has the median, and the spread where there is one.
func TestCells(t *testing.T) {
	runs := []outcome{{Slices: 3}, {Slices: 1}, {Slices: 2}}
	for _, r := range rows {
		want := map[string]string{"slices at the end": "2 (1 to 3)", "missing pairs": "0"}[r.name]
		if got := r.cell(runs); want != "" && got != want {
			t.Errorf("%s: %s, want %s", r.name, got, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for n, want := range map[float64]string{0: "0 B", 999: "999 B", 1234: "1.23 kB", 5_600_000: "5.6 MB", 7e9: "7 GB"} {
		if got := amount(n); got != want {
			t.Errorf("amount(%g) = %s", n, got)
		}
	}
	list := []time.Duration{4, 1, 3, 2}
	if q := quantile(list, 50); q != 3 {
		t.Errorf("median %d", q)
	}
	if q := quantile(list, 99); q != 4 || quantile[float64](nil, 50) != 0 {
		t.Errorf("99%%: %d", q)
	}
}
