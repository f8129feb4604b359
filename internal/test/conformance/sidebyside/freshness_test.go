package main

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// pointOf is a run with a median, writes, bytes and CPU time.
func pointOf(s side, batch, median time.Duration, writes int, bytes int64, cpu time.Duration) point {
	return point{History: histories[0].name, Side: s.name, Batch: batch, Outcome: outcome{
		requests: requests{Updates: writes}, Bytes: bytes, CPU: cpu, counts: counts{Latencies: []time.Duration{median}},
	}}
}

// TestFreshness shows that the command goes on with what is there, compares each of Kubernetes' runs with the one of ours that is as
// fresh, and says which of them miss the bar.
func TestFreshness(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-freshness", "-history", "rolling", "-hints", "off", "-periods", "0s,1s", "-out", dir}
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	f, err := load(o)
	if err != nil {
		t.Fatal(err)
	}
	f.Points = []point{
		pointOf(theirSide, 0, 300*time.Millisecond, 100, 1000, time.Second),
		pointOf(ourSide, 0, 100*time.Millisecond, 110, 1100, time.Second/2), // fresher, so that it writes more
		pointOf(ourSide, 200*time.Millisecond, 310*time.Millisecond, 90, 900, time.Second/4),
		pointOf(theirSide, time.Second, time.Second, 50, 500, time.Second/4),
		pointOf(ourSide, time.Second, 900*time.Millisecond, 50, 500, time.Second/4),
	}
	for i := range f.Points {
		f.Points[i].Seed = o.seed
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.file(".json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout strings.Builder
	if err := command(t.Context(), args, &stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| 0s, 200ms | 0.30 s, 0.31 s | 100, 90 | 1 kB, 900 B | 1.00 s, 0.25 s | 0.25 |",
		"| 1s, 1s | 1.00 s, 0.90 s | 50, 50 | 500 B, 500 B | 0.25 s, 0.25 s | 1.00 |",
		"0.7 of its CPU: rolling update, 25% surge, batch period 1s: writes +0.0%, bytes +0.0%, CPU 1.00 times.",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
	if strings.Count(stdout.String(), "More writes") != 1 {
		t.Errorf("got\n%s", stdout.String())
	}
	theirs := pointOf(theirSide, time.Second, time.Second, 50, 500, 0)
	for _, row := range []struct {
		median time.Duration
		writes int
		want   time.Duration
	}{
		{400 * time.Millisecond, 60, 1600 * time.Millisecond}, // fresher, and writes more: later
		{400 * time.Millisecond, 50, time.Second},             // fresher, and no more writes
		{950 * time.Millisecond, 60, 1100 * time.Millisecond}, // as fresh, and writes more
		{1050 * time.Millisecond, 60, 1100 * time.Millisecond},
		{1050 * time.Millisecond, 50, time.Second},
		{1300 * time.Millisecond, 40, 700 * time.Millisecond}, // later: sooner
		{3 * time.Second, 40, 330 * time.Millisecond},
	} {
		if got := pointOf(ourSide, time.Second, row.median, row.writes, 500, 0).asFreshAs(theirs); got != row.want {
			t.Errorf("after a median of %v and %d writes: period %v, want %v", row.median, row.writes, got, row.want)
		}
	}
	if err := command(t.Context(), append(args, "-pods", "30"), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "measured with -pods 2000") {
		t.Errorf("with other flags: %v", err)
	}
}
