package main

import (
	"fmt"
	"slices"

	"github.com/slicewright/slicewright/internal/svg"
)

// The layout of the picture: a row for each history, with a panel for each measure.
const (
	labelWidth, panelWidth, panelGap = 250, 150, 70
	top, mark                        = 50, 12
)

// colours tell sides apart, in light and in dark, for the colour-blind too.
var colours = []svg.Colour{{Light: "#57606a", Dark: "#8b949e"}, {Light: "#0969da", Dark: "#58a6ff"}}

// curves are the measures that the picture of -freshness shows over the median time from Ready to watcher.
var curves = []struct {
	name  string
	value func(point) float64
	show  func(float64) string
}{
	{"writes", func(p point) float64 { return float64(p.writes()) }, count},
	{"bytes sent", func(p point) float64 { return float64(p.Outcome.Bytes) }, amount},
	{"CPU of the controller", func(p point) float64 { return p.Outcome.CPU.Seconds() }, seconds},
}

const curveHeight, curveGap = 110, 50

// draw returns the picture: a row for each history, with a panel for each measure and a line through the points of each side.
func (f *freshness) draw(o options) string {
	type row struct {
		title string
		sides [2][]point
	}
	var rows []row
	for _, h := range o.histories {
		for _, hints := range o.hints {
			rows = append(rows, row{comparison{history: h, hints: hints}.title(), [2][]point{f.of(h, theirSide, hints), f.of(h, ourSide, hints)}})
		}
	}
	d := &svg.Drawing{Width: labelWidth + len(curves)*(panelWidth+panelGap), Height: top + len(rows)*(curveHeight+curveGap)}
	for i, s := range []side{theirSide, ourSide} {
		d.Bar(class(i), i*120, 8, mark, mark)
		d.Text(i*120+mark+6, 18, "start", "label", s.title)
	}
	for j, r := range rows {
		y := top + j*(curveHeight+curveGap)
		d.Text(labelWidth-10, y+curveHeight/2, "end", "label", r.title)
		for i, c := range curves {
			x := labelWidth + i*(panelWidth+panelGap)
			if j == 0 {
				d.Text(x, top-20, "start", "title", c.name+" over the median")
			}
			panel(d, r.sides, c.value, c.show, x, y)
		}
	}
	return d.Document("What freshness costs: from Ready to watcher", style()+".l0{stroke:#57606a;fill:none}.l1{stroke:#0969da;fill:none}.axis{stroke:#8b949e;fill:none}\n")
}

// panel draws one measure of one history; both axes begin at 0.
func panel(d *svg.Drawing, sides [2][]point, value func(point) float64, show func(float64) string, x, y int) {
	latest, most := 0.001, 0.001
	for _, p := range slices.Concat(sides[0], sides[1]) {
		latest, most = max(latest, p.median().Seconds()), max(most, value(p))
	}
	d.Slope("axis", []int{x, y, x, y + curveHeight, x + panelWidth, y + curveHeight})
	d.Text(x+4, y-2, "start", "value", show(most))
	d.Text(x+panelWidth, y+curveHeight+12, "end", "value", seconds(latest))
	for i, points := range sides {
		var line []int
		for _, p := range points {
			px, py := x+int(p.median().Seconds()/latest*panelWidth), y+curveHeight-int(value(p)/most*curveHeight)
			line = append(line, px, py)
			d.Bar(class(i), px-2, py-2, 5, 5)
		}
		d.Slope(fmt.Sprint("l", i), line)
	}
}

func class(side int) string { return fmt.Sprintf("s%d", side%len(colours)) }

func style() string { return svg.Style("s", "fill", colours, ".value{font-size:10px}\n", "") }
