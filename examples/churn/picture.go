package main

import (
	"fmt"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/internal/svg"
)

// The layout of the picture: a row for each trace, with slices on the left and bytes on the right.
const (
	panelWidth, panelHeight = 330, 110
	left, gap, right        = 60, 84, 16
	top, rowHeight, bottom  = 62, 166, 0
)

// colours tell packings apart, for the colour-blind too; their dashes tell them apart in grey.
var colours = []svg.Colour{{Light: "#0969da", Dark: "#58a6ff"}, {Light: "#bc4c00", Dark: "#f0883e"}, {Light: "#1a7f37", Dark: "#3fb950"}, {Light: "#8250df", Dark: "#bc8cff"}}

const light = `path{fill:none;stroke-width:1.5}
.v0{stroke-width:3}
.v1{stroke-width:2.2;stroke-dasharray:6 3}
.v3{stroke-dasharray:2 3}
.grid{stroke:#d0d7de;stroke-width:1}
.fewest{stroke:#57606a;stroke-dasharray:1 3}
`

const dark = ".grid{stroke:#30363d}\n.fewest{stroke:#8b949e}\n"

func class(packing int) string { return fmt.Sprintf("v%d", packing%len(colours)) }

// chart is a drawing with panels.
type chart struct{ svg.Drawing }

// picture draws the slices and the bytes over time.
func picture(watchers int, all []comparison) string {
	s := &chart{svg.Drawing{Width: left + panelWidth + gap + panelWidth + right, Height: top + len(all)*rowHeight + bottom}}
	x := left
	legend := func(class, label string) {
		s.Steps(class, []int{x, 18, x + 28, 18})
		s.Text(x+34, 22, "start", "label", label)
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
	return s.Document(fmt.Sprintf("Slices and bytes over time, by packing, sent to %d watchers", watchers), svg.Style("v", "stroke", colours, light, dark))
}

func (s *chart) slices(x, y int, compared comparison) {
	most := 1
	for _, r := range compared.results {
		for _, p := range r.history {
			most = max(most, p.slices)
		}
	}
	p := panel{x: x, y: y, most: round125(int64(most)), rounds: len(compared.Rounds)}
	s.frame(p, compared.Name+": slices", func(n int64) string { return fmt.Sprint(n) })
	s.Steps("fewest", p.points(compared.results[0].history, func(q point) int64 { return int64(q.fewest) }))
	for i, r := range compared.results {
		s.Steps(class(i), p.points(r.history, func(q point) int64 { return int64(q.slices) }))
	}
}

func (s *chart) bytes(x, y, watchers int, compared comparison) {
	var most int64 = 1
	for _, r := range compared.results {
		most = max(most, r.sent*int64(watchers))
	}
	p := panel{x: x, y: y, most: round125(most), rounds: len(compared.Rounds)}
	s.frame(p, fmt.Sprintf("%s: bytes sent to %d watchers", compared.Name, watchers), commandline.Bytes)
	for i, r := range compared.results {
		s.Slope(class(i), p.points(r.history, func(q point) int64 { return q.sent * int64(watchers) }))
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
func (s *chart) frame(p panel, title string, number func(int64) string) {
	s.Text(p.x, p.y-8, "start", "title", title)
	for _, part := range []int64{0, 1, 2} {
		y := p.y + panelHeight - int(part)*panelHeight/2
		s.Steps("grid", []int{p.x, y, p.x + panelWidth, y})
		if p.most%2 == 0 || part != 1 {
			s.Text(p.x-6, y+4, "end", "tick", strings.Replace(number(p.most*part/2), ".0 ", " ", 1))
		}
	}
	s.Text(p.x+panelWidth, p.y+panelHeight+15, "end", "tick", fmt.Sprintf("%d plans", p.rounds))
}

// points samples a history: as many points as there are pairs of pixels, each the last of its part.
func (p panel) points(history []point, value func(point) int64) []int {
	var points []int
	for px := 0; px <= panelWidth; px += 2 {
		at := history[min(len(history)-1, px*len(history)/panelWidth)]
		y := p.y + panelHeight - int(value(at)*panelHeight/p.most)
		points = append(points, p.x+px, y)
	}
	return points
}
