package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// svg writes the few shapes that a chart needs: texts and lines. Coordinates are whole pixels.
type svg struct {
	strings.Builder
	width, height int
}

// element writes one with attributes, in pairs, and text.
func (s *svg) element(name, text string, attributes ...any) {
	s.open(name, attributes...)
	s.escape(text)
	fmt.Fprintf(s, "</%s>\n", name)
}

func (s *svg) open(name string, attributes ...any) {
	fmt.Fprintf(s, "<%s", name)
	for i := 0; i < len(attributes); i += 2 {
		fmt.Fprintf(s, ` %s="`, attributes[i])
		s.escape(fmt.Sprint(attributes[i+1]))
		s.WriteString(`"`)
	}
	s.WriteString(">")
}

func (s *svg) escape(text string) {
	if err := xml.EscapeText(s, []byte(text)); err != nil {
		panic(err) // a Builder takes all
	}
}

// text writes a text that starts, is centred or ends at x.
func (s *svg) text(x, y int, anchor, class, text string) {
	s.element("text", text, "x", x, "y", y, "text-anchor", anchor, "class", class)
}

// slope joins points, in pairs of x and y.
func (s *svg) slope(class string, points []int) {
	var path strings.Builder
	for i := 0; i+1 < len(points); i += 2 {
		if i == 0 || i+2 >= len(points) || points[i+1] != points[i-1] || points[i+1] != points[i+3] {
			fmt.Fprintf(&path, "%c%d %d", "ML"[min(i, 1)], points[i], points[i+1])
		}
	}
	s.element("path", "", "class", class, "d", path.String())
}

// steps joins points by lines across, then up or down.
func (s *svg) steps(class string, points []int) {
	var path strings.Builder
	for i := 0; i+1 < len(points); i += 2 {
		x, y := points[i], points[i+1]
		switch {
		case i == 0:
			fmt.Fprintf(&path, "M%d %d", x, y)
		case y == points[i-1] && i+3 < len(points) && points[i+3] == y: // the line goes on
		default:
			fmt.Fprintf(&path, "H%d", x)
			if y != points[i-1] {
				fmt.Fprintf(&path, "V%d", y)
			}
		}
	}
	s.element("path", "", "class", class, "d", path.String())
}

// document is all that was written, with a title and a style sheet.
func (s *svg) document(title, style string) string {
	head := &svg{}
	head.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 %d %d", s.width, s.height),
		"width", s.width, "height", s.height, "role", "img")
	head.WriteString("\n")
	head.element("title", title)
	head.element("style", style)
	return head.String() + s.String() + "</svg>\n"
}
