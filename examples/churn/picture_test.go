package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/slicer"
)

func planned(t *testing.T, c *cluster) slicer.Plan {
	t.Helper()
	plan, err := slicer.Compute(c.input, c.slices)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestPicture: it is XML, says what it shows, has colours for both schemes, loads nothing, and has a line for each variant
// in both charts and in the legend, and one for the fewest slices in one chart and in the legend.
func TestPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.svg")
	args := []string{"-endpoints", "60", "-sizes", "10,20", "-packings", "InPlace,Compact", "-traces", "spot", "-svg", file}
	if out := answer(args, ""); !strings.HasSuffix(out, "exit 0\n") {
		t.Fatal(out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	classes, texts := map[string]int{}, ""
	for d := xml.NewDecoder(strings.NewReader(string(data))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			for _, a := range token.Attr {
				if a.Name.Local == "class" {
					classes[a.Value]++
				}
				if strings.Contains(a.Name.Local, "href") {
					t.Errorf("it refers to %s", a.Value)
				}
			}
		case xml.CharData:
			texts += string(token)
		}
	}
	for class, want := range map[string]int{"v0": 3, "v1": 3, "v2": 3, "v3": 3, "v4": 0, "fewest": 2} {
		if classes[class] != want {
			t.Errorf("%d lines of class %s, want %d", classes[class], class, want)
		}
	}
	for _, text := range []string{"spot: slices", "Compact, 20", "fewest possible", "bytes sent to 1000 watchers", "prefers-color-scheme:dark"} {
		if !strings.Contains(texts, text) {
			t.Errorf("it lacks %q", text)
		}
	}
}

func TestScaleEndsAboveTheMost(t *testing.T) {
	for n, want := range map[int64]int64{1: 1, 2: 2, 7: 8, 9: 10, 12: 15, 15: 15, 16: 20, 41_500: 50_000, 80: 80, 81: 100} {
		if have := round125(n); have != want {
			t.Errorf("a scale for %d ends at %d, want %d", n, have, want)
		}
	}
}
