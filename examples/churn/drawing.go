package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// drawing collects texts and lines of an SVG picture. Coordinates are whole pixels, from the top
// left.
type drawing struct {
	width, height int

	strings.Builder
}

// element writes one with attributes, in pairs, and text.
func (d *drawing) element(name, text string, attributes ...any) {
	d.open(name, attributes...)
	d.escape(text)
	fmt.Fprintf(d, "</%s>\n", name)
}

func (d *drawing) open(name string, attributes ...any) {
	fmt.Fprintf(d, "<%s", name)
	for i := 0; i < len(attributes); i += 2 {
		fmt.Fprintf(d, ` %s="`, attributes[i])
		d.escape(fmt.Sprint(attributes[i+1]))
		d.WriteString(`"`)
	}
	d.WriteString(">")
}

func (d *drawing) escape(text string) {
	if err := xml.EscapeText(d, []byte(text)); err != nil {
		panic(err) // a Builder takes all
	}
}

// text writes a text that starts, is centred or ends at x.
func (d *drawing) text(x, y int, anchor, class, text string) {
	d.element("text", text, "x", x, "y", y, "text-anchor", anchor, "class", class)
}

// slope joins points, in pairs of x and y.
func (d *drawing) slope(class string, points []int) {
	var path strings.Builder
	for i := 0; i+1 < len(points); i += 2 {
		if i == 0 || i+2 >= len(points) || points[i+1] != points[i-1] || points[i+1] != points[i+3] {
			fmt.Fprintf(&path, "%c%d %d", "ML"[min(i, 1)], points[i], points[i+1])
		}
	}
	d.element("path", "", "class", class, "d", path.String())
}

// steps joins points by lines across, then up or down.
func (d *drawing) steps(class string, points []int) {
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
	d.element("path", "", "class", class, "d", path.String())
}

// document returns all that was written, with a title and a style sheet.
func (d *drawing) document(title, style string) string {
	head := &drawing{}
	head.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 %d %d", d.width, d.height),
		"width", d.width, "height", d.height, "role", "img")
	head.WriteString("\n")
	head.element("title", title)
	head.element("style", style)
	return head.String() + d.String() + "</svg>\n"
}
