package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/slicewright/slicewright/internal/svg"
)

// panels are the measures that the picture shows, from the left.
var panels = []string{"writes in all", "bytes sent", "endpoints moved", "Ready to watcher, median", "Ready to watcher, 99%"}

// The layout of the picture: a row for each history, with a bar for each side in each panel.
const (
	labelWidth, panelWidth, panelGap = 250, 150, 70
	barHeight, rowGap, top           = 12, 14, 50
)

// colours tell sides apart, in light and in dark, for the colour-blind too.
var colours = []struct{ light, dark string }{{"#57606a", "#8b949e"}, {"#0969da", "#58a6ff"}, {"#bc4c00", "#f0883e"}}

// draw returns the picture of all comparisons.
func draw(all []comparison) string {
	sides := all[0].sides
	rowHeight := len(sides)*barHeight + rowGap
	d := &svg.Drawing{
		Width: labelWidth + len(panels)*(panelWidth+panelGap), Height: top + len(all)*rowHeight,
	}
	x := 0
	for i, s := range sides {
		d.Bar(class(i), x, 8, barHeight, barHeight)
		d.Text(x+barHeight+6, 18, "start", "label", s.title)
		x += barHeight + 6 + 8*len(s.title) + 20
	}
	for i, name := range panels {
		r := rows[slices.IndexFunc(rows, func(r row) bool { return r.name == name })]
		x := labelWidth + i*(panelWidth+panelGap)
		d.Text(x, top-10, "start", "title", name)
		for j, c := range all {
			bars(d, r, c, x, top+j*rowHeight)
		}
	}
	for j, c := range all {
		d.Text(labelWidth-10, top+j*rowHeight+len(sides)*barHeight/2+4, "end", "label", c.title())
	}
	return d.Document("What controllers did to an API server and to those who watch", style())
}

// bars draws one measure of one history: the longest bar is the greatest value.
func bars(d *svg.Drawing, r row, c comparison, x, y int) {
	most := 0.0
	for _, o := range c.outcomes {
		most = max(most, r.value(o))
	}
	for i, o := range c.outcomes {
		v, width := r.value(o), 0
		if most > 0 {
			width = int(math.Round(v / most * panelWidth))
		}
		d.Bar(class(i), x, y+i*barHeight, max(1, width), barHeight-2)
		d.Text(x+width+4, y+i*barHeight+barHeight-3, "start", "value", r.show(v))
	}
}

func class(side int) string { return fmt.Sprintf("s%d", side%len(colours)) }

func style() string {
	var light, dark strings.Builder
	for i, c := range colours {
		fmt.Fprintf(&light, ".s%d{fill:%s}\n", i, c.light)
		fmt.Fprintf(&dark, ".s%d{fill:%s}\n", i, c.dark)
	}
	return `
text{font:12px system-ui,sans-serif;fill:#57606a}
.label,.title{fill:#1f2328;font-size:13px}
.title{font-weight:600}
.value{font-size:10px}
` + light.String() + `@media (prefers-color-scheme:dark){
text{fill:#8b949e}
.label,.title{fill:#e6edf3}
` + dark.String() + "}\n"
}
