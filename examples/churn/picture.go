package main

import (
	"fmt"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// The layout of the picture: a row for each trace, with slices on the left and bytes on the right.
const (
	panelWidth, panelHeight = 330, 110
	left, gap, right        = 60, 84, 16
	top, rowHeight, bottom  = 62, 166, 0
)

// colours are those of lines on a light page and on a dark one, for the colour-blind too; dashes
// tell them apart in grey.
var colours = []struct{ light, dark string }{{"#0969da", "#58a6ff"}, {"#bc4c00", "#f0883e"}, {"#1a7f37", "#3fb950"},
	{"#8250df", "#bc8cff"}}

// style is the style sheet of the picture.
func style() string {
	var light, dark strings.Builder
	for i, c := range colours {
		fmt.Fprintf(&light, ".v%d{stroke:%s}\n", i, c.light)
		fmt.Fprintf(&dark, ".v%d{stroke:%s}\n", i, c.dark)
	}
	return `
text{font:12px system-ui,sans-serif;fill:#57606a}
.label,.title{fill:#1f2328;font-size:13px}
.title{font-weight:600}
path{fill:none;stroke-width:1.5}
.v0{stroke-width:3}
.v1{stroke-width:2.2;stroke-dasharray:6 3}
.v3{stroke-dasharray:2 3}
.grid{stroke:#d0d7de;stroke-width:1}
.fewest{stroke:#57606a;stroke-dasharray:1 3}
` + light.String() + `@media (prefers-color-scheme:dark){
text{fill:#8b949e}
.label,.title{fill:#e6edf3}
.grid{stroke:#30363d}
.fewest{stroke:#8b949e}
` + dark.String() + "}\n"
}

func class(packing int) string { return fmt.Sprintf("v%d", packing%len(colours)) }

// picture draws the slices and the bytes over time.
func picture(watchers int, all []comparison) string {
	s := &drawing{width: left + panelWidth + gap + panelWidth + right, height: top + len(all)*rowHeight + bottom}
	x := left
	legend := func(class, label string) {
		s.steps(class, []int{x, 18, x + 28, 18})
		s.text(x+34, 22, "start", "label", label)
		x += 34 + 8*len(label) + 24
	}
	for i, r := range all[0].results {
		legend(class(i), r.packing.String())
	}
	legend("fewest", "fewest possible")
	for i, compared := range all {
		y := top + i*rowHeight
		s.slices(left, y, compared)
		s.bytes(left+panelWidth+gap, y, watchers, compared)
	}
	return s.document(fmt.Sprintf("Slices and bytes over time, by packing, sent to %d watchers", watchers), style())
}

func (s *drawing) slices(x, y int, compared comparison) {
	most := 1
	for _, r := range compared.results {
		for _, p := range r.history {
			most = max(most, p.slices)
		}
	}
	p := panel{x: x, y: y, most: round125(int64(most)), rounds: len(compared.Rounds)}
	s.frame(p, compared.Name+": slices", func(n int64) string { return fmt.Sprint(n) })
	s.steps("fewest", p.points(compared.results[0].history, func(q point) int64 { return int64(q.fewest) }))
	for i, r := range compared.results {
		s.steps(class(i), p.points(r.history, func(q point) int64 { return int64(q.slices) }))
	}
}

func (s *drawing) bytes(x, y, watchers int, compared comparison) {
	var most int64 = 1
	for _, r := range compared.results {
		most = max(most, r.sent*int64(watchers))
	}
	p := panel{x: x, y: y, most: round125(most), rounds: len(compared.Rounds)}
	s.frame(p, fmt.Sprintf("%s: bytes sent to %d watchers", compared.Name, watchers), commandline.Bytes)
	for i, r := range compared.results {
		s.slope(class(i), p.points(r.history, func(q point) int64 { return q.sent * int64(watchers) }))
	}
}

// round125 is the next number of the form 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten.
func round125(n int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, tenths := range []int64{10, 15, 20, 30, 40, 50, 60, 80} {
			if unit*tenths%10 == 0 && unit*tenths/10 >= n {
				return unit * tenths / 10
			}
		}
	}
}

// panel is a chart: rounds across, a quantity up.
type panel struct {
	x, y   int
	most   int64
	rounds int
}

// frame draws the axes with their ends, and a line half way up.
func (s *drawing) frame(p panel, title string, number func(int64) string) {
	s.text(p.x, p.y-8, "start", "title", title)
	for _, part := range []int64{0, 1, 2} {
		y := p.y + panelHeight - int(part)*panelHeight/2
		s.steps("grid", []int{p.x, y, p.x + panelWidth, y})
		if p.most%2 == 0 || part != 1 {
			s.text(p.x-6, y+4, "end", "tick", strings.Replace(number(p.most*part/2), ".0 ", " ", 1))
		}
	}
	s.text(p.x+panelWidth, p.y+panelHeight+15, "end", "tick", fmt.Sprintf("%d plans", p.rounds))
}

// points samples a history: as many points as there are pairs of pixels, each the last one of its
// part.
func (p panel) points(history []point, value func(point) int64) []int {
	var points []int
	for px := 0; px <= panelWidth; px += 2 {
		at := history[min(len(history)-1, px*len(history)/panelWidth)]
		y := p.y + panelHeight - int(value(at)*panelHeight/p.most)
		points = append(points, p.x+px, y)
	}
	return points
}
