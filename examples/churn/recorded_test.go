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

// TestLines: a line keeps its corners and its ends, and leaves out what lies between on one height.
func TestLines(t *testing.T) {
	points := []int{0, 5, 2, 5, 4, 5, 6, 9, 8, 9}
	for want, draw := range map[string]func(*drawing, string, []int){
		`d="M0 5H4H6V9H8"`:     (*drawing).steps,
		`d="M0 5L4 5L6 9L8 9"`: (*drawing).slope,
	} {
		var d drawing
		if draw(&d, "v0", points); !strings.Contains(d.String(), want) {
			t.Errorf("%s, want %s", d.String(), want)
		}
	}
}

// TestDocument: texts cannot leave their place, and everything that was drawn is inside.
func TestDocument(t *testing.T) {
	d := drawing{width: 20, height: 10}
	d.text(1, 2, "end", "c", `<&"`)
	got := d.document("a<b", "p{}")
	for _, want := range []string{
		`viewBox="0 0 20 10"`, "<title>a&lt;b</title>", "<style>p{}</style>", "&lt;&amp;&#34;</text>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if !strings.HasPrefix(got, "<svg ") || !strings.HasSuffix(got, "</svg>\n") {
		t.Errorf("got %s", got)
	}
}
