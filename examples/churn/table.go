package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// table compares the variants of each trace with the first.
func (c config) table(stdout io.Writer, all []comparison) error {
	out := commandline.NewOutput(stdout)
	rows := &commandline.Table{}
	header := []string{"TRACE", "PLANS", "SIZE", "PACKING", "WRITES", "", "SLICES", "MOVED"}
	for _, n := range c.watchers {
		header = append(header, fmt.Sprintf("SENT TO %d", n))
	}
	rows.Row(commandline.Bold, header...)
	for _, compared := range all {
		first := compared.results[0]
		for i, r := range compared.results {
			cells := []string{"", ""}
			if i == 0 {
				cells = []string{compared.name, fmt.Sprintf("%5d", len(compared.rounds))}
			}
			cells = append(cells, fmt.Sprintf("%4d", r.size), r.packing.String(),
				fmt.Sprintf("%6d", r.writes), change(i, int64(r.writes), int64(first.writes)),
				fmt.Sprintf("%3d.%02dx", r.multiple/100, r.multiple%100), fmt.Sprintf("%5d", r.moves))
			for _, n := range c.watchers {
				cells = append(cells, strings.TrimRight(fmt.Sprintf("%9s  %s", amount(r.sent*int64(n)), change(i, r.sent, first.sent)), " "))
			}
			rows.Row("", cells...)
		}
	}
	rows.Print(out)
	fmt.Fprint(out, `
SLICES is a multiple of the fewest that could hold the endpoints, the mean over all plans; MOVED counts endpoints that
change their slice, SENT the bytes of watch events.
`)
	return out.Close()
}

// change is the difference from the first row in whole percent, cut off.
func change(i int, now, first int64) string {
	if i == 0 || first == 0 {
		return ""
	}
	percent := 100 * (now - first) / first
	if percent == 0 {
		return "  0%"
	}
	return fmt.Sprintf("%+3d%%", percent)
}

// amount gives a size with one decimal, cut off: 999 B, 45.2 kB, 1.3 TB.
func amount(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	const units = "kMGTPE"
	unit := 0
	for ; n >= 1_000_000 && unit < len(units)-1; unit++ {
		n /= 1000
	}
	return fmt.Sprintf("%d.%d %cB", n/1000, n%1000/100, units[unit])
}
