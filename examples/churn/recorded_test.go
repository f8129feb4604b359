//go:build !race

package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the table and the picture")

// TestRecorded checks that the picture and the table of README.md are those of the command without
// flags, and that they keep what Compact promises. With the race detector it would take ten
// minutes.
func TestRecorded(t *testing.T) {
	nightly.Slow(t)
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Chdir("../..")
	c, err := parseFlags(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.compare()
	if err != nil {
		t.Fatal(err)
	}
	recorded(t, "testdata/churn/packings.svg", "", "\x00", picture(c.watchers, all))
	header, rows := c.table(all)
	recorded(t, "testdata/churn/packings.md", header, "\n\n", rows)
	promises(t, all)
}

// recorded compares what stands in a file between two marks, or rewrites it.
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
	case !*rewrite:
		t.Errorf("%s is out of date (-rewrite writes it again): %s", file, firstDifference(have, want))
	default:
		if ended {
			after = to + after
		}
		if err := os.WriteFile(file, []byte(before+from+want+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// firstDifference returns the first line in which two texts differ, in both of them. A picture is
// not printed whole.
func firstDifference(have, want string) string {
	a, b := strings.Split(have+"\n", "\n"), strings.Split(want+"\n", "\n")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("line %d is %.200q, and churn gives %.200q", i+1, a[i], b[i])
}

// promises: Compact never writes more than InPlace here, and next to the fewest slices are left;
// where InPlace leaves many, Compact saves a quarter of the writes or more. Up to 50 percent it
// costs 2% more writes than InPlace at most.
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
