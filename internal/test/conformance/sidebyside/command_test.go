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
	if len(os.Args) > 2 && os.Args[1] == controllerCommand {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestMistakes shows that each mistake is one clear line, before anything is started.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-history nope", `there is no history "nope": want rolling, daynight, port, nodes, churn or all`},
		{"-sides nope", `there is no side "nope": want kubernetes, in-place, compact, never-waits, writes, client or all`},
		{"-hints maybe", `-hints is on, off or both, not "maybe"`},
		{"-pods 9", "want 10 to 20000 -pods"},
		{"-watchers 0", "at least one of -watchers"},
		{"-pace 0", "a -pace above 0"},
		{"-batch -1s", "a -batch of 0 or more"},
		{"-workers 0", "at least one of -workers"},
		{"-repeat 0", "and of -repeat"},
		{"-freshness -periods 1s,x", `-periods: "x" is no time`},
		{"stray", `unexpected argument "stray"`},
	} {
		var stdout bytes.Buffer
		err := command(t.Context(), strings.Fields(c.args), &stdout, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || stdout.Len() > 0 {
			t.Errorf("%s: want one line with %q, got %v %s", c.args, c.want, err, stdout.String())
		}
	}
}

// TestEveryHistory runs every history with few Pods under both of our sides and Kubernetes', and looks at what must be so
// whoever writes: everything is published, every write is an event to every watcher, and the files are there. It asks for
// SLICEWRIGHT_SIDEBYSIDE=1, because it takes some minutes; without it one history runs.
func TestEveryHistory(t *testing.T) {
	args := []string{"-pods", "30", "-pace", "100", "-watchers", "5", "-history", "port", "-hints", "on"}
	if os.Getenv("SLICEWRIGHT_SIDEBYSIDE") != "" {
		args = []string{"-pods", "30", "-pace", "100", "-watchers", "5", "-history", "all"}
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
		for i, o := range c.outcomes {
			writes := o.Creates + o.Updates + o.Deletes
			if writes == 0 || o.Events != int64(5*writes) || o.Bytes == 0 || o.Slices == 0 || o.Memory == 0 {
				t.Errorf("%s, %s: %+v", c.title(), c.sides[i].title, o)
			}
			if c.sides[i].name != "kubernetes" && o.Pairs.Count+o.Endpoints.Count > 0 {
				t.Errorf("%s, %s: endpoints were missing: %+v %+v", c.title(), c.sides[i].title, o.Pairs, o.Endpoints)
			}
			if len(o.Latencies) == 0 {
				t.Errorf("%s, %s: no latencies", c.title(), c.sides[i].title)
			}
		}
	}
	if !strings.Contains(progress.String(), "starting an API server") || !strings.Contains(progress.String(), "done") {
		t.Errorf("it does not say what it does:\n%s", progress.String())
	}
}

// TestRemarks shows that every row in which Kubernetes has less than ours is explained, and no other.
func TestRemarks(t *testing.T) {
	all := examples()
	if texts := all[0].remarks(); len(texts) != 0 {
		t.Errorf("%q", texts)
	}
	texts := all[1].remarks()
	if len(texts) != 1 || !strings.Contains(texts[0], `"conflicts" than in place.`) {
		t.Errorf("%q", texts)
	}
	for _, r := range rows {
		if r.why == "" {
			t.Errorf("%s has no sentence", r.name)
		}
	}
}

// examples are two comparisons: one that Kubernetes wins nowhere, and one with conflicts of ours.
func examples() []comparison {
	kubernetes := outcome{requests: requests{Updates: 10}, Bytes: 1000, counts: counts{Latencies: []time.Duration{time.Second}}}
	ours := kubernetes
	ours.Updates = 5
	late := ours
	late.Conflicts = 1
	return []comparison{
		{history: histories[0], sides: sides[:3], outcomes: []outcome{kubernetes, ours, ours}},
		{history: histories[1], sides: sides[:3], outcomes: []outcome{kubernetes, late, ours}},
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
	if q := quantile(list, 99); q != 4 || quantile(nil, 50) != 0 {
		t.Errorf("99%%: %d", q)
	}
}
