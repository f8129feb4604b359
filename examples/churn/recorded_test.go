//go:build !race

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/scenarios"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestRecorded checks that the picture and the table of README.md are those of the command without flags, and that they keep
// what Compact promises. With the race detector it would take ten minutes.
func TestRecorded(t *testing.T) {
	nightly.Slow(t)
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Chdir("../..")
	c := configured(t)
	traces, err := c.load(nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.compare(traces)
	if err != nil {
		t.Fatal(err)
	}
	recorded(t, "testdata/churn/packings.svg", "", "\x00", picture(c.watchers, all))
	header, rows := markdown(c, all)
	recorded(t, "testdata/churn/packings.md", header, "\n\n", rows)
	promises(t, all)
}

// recorded compares what stands in a file between two marks, or writes it anew.
func recorded(t *testing.T, file, from, to, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(data), from)
	have, after, ended := strings.Cut(rest, to)
	switch {
	case have == want:
	case !*scenarios.Rewrite:
		t.Errorf("%s is out of date (-rewrite writes it anew): %s", file, firstDifference(have, want))
	default:
		if ended {
			after = to + after
		}
		if err := os.WriteFile(file, []byte(before+from+want+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// firstDifference returns the first line in which two texts differ, in both of them. A picture is not printed whole.
func firstDifference(have, want string) string {
	a, b := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := 0; i < max(len(a), len(b)); i++ {
		was, is := "no line", "no line"
		if i < len(a) {
			was = fmt.Sprintf("%.200q", a[i])
		}
		if i < len(b) {
			is = fmt.Sprintf("%.200q", b[i])
		}
		if was != is {
			return fmt.Sprintf("line %d is %s, and churn gives %s", i+1, was, is)
		}
	}
	return "they differ in the middle of a long line"
}

// TestFirstDifference: what fails names one line, however long the texts are.
func TestFirstDifference(t *testing.T) {
	for _, row := range [][3]string{
		{"a\nb", "a\nc", `line 2 is "b", and churn gives "c"`},
		{"a", "a\n", `line 2 is no line, and churn gives ""`},
		{strings.Repeat("x", 900), "", `line 1 is "` + strings.Repeat("x", 200) + `", and churn gives ""`},
	} {
		if got := firstDifference(row[0], row[1]); got != row[2] {
			t.Errorf("%s, want %s", got, row[2])
		}
	}
}

// markdown is the table of packings.md: a row for each packing, without the traces in which they do not differ.
func markdown(c config, all []comparison) (header, rest string) {
	header = fmt.Sprintf("| %d Pods, %d watchers |", c.endpoints, c.watchers)
	rule, rows := "\n| --- |", make([]string, len(c.packings))
	for _, compared := range all {
		if compared.results[0].writes == compared.results[len(rows)-1].writes {
			continue
		}
		rest += " " + compared.Name + " |"
		rule += " --- |"
		for i, r := range compared.results {
			rows[i] += fmt.Sprintf(" %d writes, %s slices, %s |", r.writes, strings.TrimSpace(r.slices()), commandline.Bytes(r.sent*int64(c.watchers)))
		}
	}
	rest += rule
	for i, p := range c.packings {
		rest += fmt.Sprintf("\n| %s |", p) + rows[i]
	}
	return header, rest
}

// promises: Compact never writes more than InPlace here, and next to the fewest slices are left; where InPlace leaves
// many, Compact saves a quarter of the writes or more. Up to 50 percent it costs 2% more writes than InPlace at most.
func promises(t *testing.T, all []comparison) {
	saves := map[string]int{"rolling-update": 0, "day-and-night": 25, "spot": 55, "crash": 48, "flapping": 0} // percent
	for _, compared := range all {
		inPlace, half, full := compared.results[0], compared.results[1], compared.results[2]
		if full.writes*100 > inPlace.writes*(100-saves[compared.Name]) {
			t.Errorf("%s: %d writes in place, %d compact", compared.Name, inPlace.writes, full.writes)
		}
		if full.multiple > 104 || half.multiple > 150 {
			t.Errorf("%s: slices are %d%% of the fewest, %d%% up to 50", compared.Name, full.multiple, half.multiple)
		}
		if half.sent > full.sent || half.writes*100 > inPlace.writes*102 || half.writes < full.writes {
			t.Errorf("%s: up to 50 is not between in place and compact", compared.Name)
		}
	}
}
