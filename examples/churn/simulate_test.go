package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

// TestWhatIsThere checks that after every plan the slices have the Pods that are there, each once.
// Plans of a batch period change them to the same as a plan for each round.
func TestWhatIsThere(t *testing.T) {
	for _, m := range trace.Makers {
		rounds := m.Make(25, 1).Rounds
		checkRounds(t, m.Name, rounds)
		every, last := newCluster(slicer.Options{}), newCluster(slicer.Options{})
		batches := batched(rounds, 5*time.Second)
		checkRounds(t, m.Name+", batches", batches)
		for _, r := range rounds {
			every.change(r)
		}
		for _, r := range batches {
			last.change(r)
		}
		if !reflect.DeepEqual(batches[0], rounds[0]) {
			t.Errorf("%s: the state at the start is not a batch of its own", m.Name)
		}
		if !reflect.DeepEqual(every.pods, last.pods) || 3*len(batches) > len(rounds) {
			t.Errorf("%s: %d batches of %d rounds, after which other Pods are there", m.Name, len(batches), len(rounds))
		}
	}
}

func checkRounds(t *testing.T, name string, rounds []trace.Round) {
	t.Helper()
	c := newCluster(slicer.Options{MaxEndpointsPerSlice: 7, Packing: slicer.Compact})
	for i, r := range rounds {
		c.change(r)
		plan, err := slicer.Compute(c.input, c.slices)
		if err != nil {
			t.Fatal(err)
		}
		c.write(plan)
		has, count := map[string]bool{}, 0
		for _, s := range c.slices {
			for j := range s.Endpoints {
				has[s.Endpoints[j].Addresses[0]] = true
				count++
			}
		}
		for n := range c.pods {
			if !has[endpoint(n).Addresses[0]] {
				t.Fatalf("%s, round %d: Pod %d is missing", name, i, n)
			}
		}
		if count != len(c.pods) {
			t.Fatalf("%s, round %d: %d endpoints for %d Pods", name, i, count, len(c.pods))
		}
	}
}

// TestMistakes checks that a mistake in the flags is one clear error.
func TestMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"-endpoints 0": "-endpoints 0: want 1 to 1000000", "-max 1001": "-max 1001: want 1 to 1000",
		"-batch-period -1s": "-batch-period -1s: want 0s to 24h",
		"-watchers 0":       "-watchers 0: want 1 to 1000000", "web.json": `unexpected argument "web.json" (-h lists the flags)`,
	} {
		if err := run(strings.Fields(args), nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// TestWritesFail checks that a table or a picture that cannot be written is an error. The file of
// the picture is opened before the histories are played, so nothing is printed then.
func TestWritesFail(t *testing.T) {
	if err := run([]string{"-endpoints", "5"}, full{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a table on a full disk: %v", err)
	}
	var out strings.Builder
	err := run([]string{"-endpoints", "5", "-svg", "none/out.svg"}, &out)
	if !errors.Is(err, fs.ErrNotExist) || out.Len() > 0 {
		t.Errorf("a picture in a folder that does not exist: %v, after printing %q", err, out.String())
	}
	file := filepath.Join(t.TempDir(), "out.svg")
	if err := run([]string{"-endpoints", "5", "-svg", file}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "<svg") {
		t.Errorf("the picture is %.20q: %v", text, err)
	}
}

// TestNoDifference checks that a Service of one slice, whose table would be empty, has an answer.
func TestNoDifference(t *testing.T) {
	var out strings.Builder
	want := "With 5 Pods the packings write the same in all histories: give more with -endpoints, or a smaller -max.\n"
	if err := run([]string{"-endpoints", "5"}, &out); err != nil || out.String() != want {
		t.Errorf("got %q (%v), want %q", out.String(), err, want)
	}
}

// FuzzFlags checks that churn answers to any command line, and panics at none. The numbers that
// cost time are small.
func FuzzFlags(f *testing.F) {
	for _, line := range []string{
		"", "-h", "-endpoints 20 -max 3", "-endpoints 7 -max 1 -watchers 1000000 -batch-period 24h",
		"-endpoints -1", "-batch-period 1", "-seed -9223372036854775808 -endpoints 3", "web.json", "-- -h", "-max=",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		c, err := parseFlags(args, io.Discard)
		if err == nil && (c.svg != "" || c.endpoints > 20) {
			args = append(args, "-svg", "", "-endpoints", "20")
			if slices.Contains(args, "--") {
				return
			}
		}
		var out strings.Builder
		if err := run(args, &out); err == nil && out.Len() == 0 {
			t.Errorf("%q: no answer", line)
		} else if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: %q is not one line", line, err)
		}
	})
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
