package main

import (
	"strings"
	"testing"
)

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
