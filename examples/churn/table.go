package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// table compares the packings of each trace with the first.
func (c config) table(stdout io.Writer, all []comparison) error {
	out := commandline.NewOutput(stdout)
	rows := &commandline.Table{}
	rows.Row(commandline.Bold, "TRACE", "PLANS", "PACKING", "WRITES", "", "SLICES", "MOVED", fmt.Sprintf("SENT TO %d", c.watchers))
	for _, compared := range all {
		first := compared.results[0]
		name, plans := compared.Name, fmt.Sprintf("%5d", len(compared.Rounds))
		for i, r := range compared.results {
			sent := fmt.Sprintf("%9s  %s", commandline.Bytes(r.sent*int64(c.watchers)), change(i, r.sent, first.sent))
			rows.Row("", name, plans, r.packing.String(), fmt.Sprintf("%6d", r.writes), change(i, int64(r.writes), int64(first.writes)),
				r.slices(), fmt.Sprintf("%5d", r.moves), strings.TrimRight(sent, " "))
			name, plans = "", ""
		}
	}
	rows.Print(out)
	fmt.Fprint(out, `
SLICES is a multiple of the fewest that could hold the endpoints, the mean over all plans; MOVED counts endpoints that
change their slice, SENT the bytes of watch events.
`)
	return out.Close()
}

func (r result) slices() string { return fmt.Sprintf("%3d.%02dx", r.multiple/100, r.multiple%100) }

// change is the difference from the first row in whole percent, rounded.
func change(i int, now, first int64) string {
	if i == 0 || first == 0 {
		return ""
	}
	percent := int(math.Round(100 * float64(now-first) / float64(first)))
	if percent == 0 {
		return "  0%"
	}
	return fmt.Sprintf("%+3d%%", percent)
}
