// Package svg writes the few shapes that a chart needs.
package svg

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Drawing collects texts and lines. Coordinates are whole pixels, from the top left. The zero value with a width and
// a height is an empty drawing.
type Drawing struct {
	Width, Height int

	strings.Builder
}

// Element writes one with attributes, in pairs, and text.
func (d *Drawing) Element(name, text string, attributes ...any) {
	d.open(name, attributes...)
	d.escape(text)
	fmt.Fprintf(d, "</%s>\n", name)
}

func (d *Drawing) open(name string, attributes ...any) {
	fmt.Fprintf(d, "<%s", name)
	for i := 0; i < len(attributes); i += 2 {
		fmt.Fprintf(d, ` %s="`, attributes[i])
		d.escape(fmt.Sprint(attributes[i+1]))
		d.WriteString(`"`)
	}
	d.WriteString(">")
}

func (d *Drawing) escape(text string) {
	if err := xml.EscapeText(d, []byte(text)); err != nil {
		panic(err) // a Builder takes all
	}
}

// Text writes a text that starts, is centred or ends at x.
func (d *Drawing) Text(x, y int, anchor, class, text string) {
	d.Element("text", text, "x", x, "y", y, "text-anchor", anchor, "class", class)
}

// Slope joins points, in pairs of x and y.
func (d *Drawing) Slope(class string, points []int) {
	var path strings.Builder
	for i := 0; i+1 < len(points); i += 2 {
		if i == 0 || i+2 >= len(points) || points[i+1] != points[i-1] || points[i+1] != points[i+3] {
			fmt.Fprintf(&path, "%c%d %d", "ML"[min(i, 1)], points[i], points[i+1])
		}
	}
	d.Element("path", "", "class", class, "d", path.String())
}

// Steps joins points by lines across, then up or down.
func (d *Drawing) Steps(class string, points []int) {
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
	d.Element("path", "", "class", class, "d", path.String())
}

// Document returns all that was written, with a title and a style sheet.
func (d *Drawing) Document(title, style string) string {
	head := &Drawing{}
	head.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", fmt.Sprintf("0 0 %d %d", d.Width, d.Height),
		"width", d.Width, "height", d.Height, "role", "img")
	head.WriteString("\n")
	head.Element("title", title)
	head.Element("style", style)
	return head.String() + d.String() + "</svg>\n"
}

// Colour is that of lines, on a light page and on a dark one.
type Colour struct{ Light, Dark string }

// Style returns a style sheet with light and dark pages: for texts, whose classes are label, title and others, and for classes of
// a prefix and the number of a colour, which is that of their property, such as stroke. light and dark are added to it.
func Style(prefix, property string, colours []Colour, light, dark string) string {
	for i, c := range colours {
		light += fmt.Sprintf(".%s%d{%s:%s}\n", prefix, i, property, c.Light)
		dark += fmt.Sprintf(".%s%d{%s:%s}\n", prefix, i, property, c.Dark)
	}
	return `
text{font:12px system-ui,sans-serif;fill:#57606a}
.label,.title{fill:#1f2328;font-size:13px}
.title{font-weight:600}
` + light + `@media (prefers-color-scheme:dark){
text{fill:#8b949e}
.label,.title{fill:#e6edf3}
` + dark + "}\n"
}
