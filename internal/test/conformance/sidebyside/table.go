package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// row is one measure. Less is better in all of them.
type row struct {
	name  string
	value func(o outcome) float64
	show  func(v float64) string
}

func count(v float64) string   { return fmt.Sprintf("%.0f", v) }
func seconds(v float64) string { return fmt.Sprintf("%.2f s", v) }

func amount(v float64) string {
	for _, unit := range []string{"B", "kB", "MB"} {
		if v < 1000 {
			return fmt.Sprintf("%.3g %s", v, unit)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.3g GB", v)
}

// rows are the measures, in the order of the table.
var rows = []row{
	{"creates", func(o outcome) float64 { return float64(o.Creates) }, count},
	{"updates", func(o outcome) float64 { return float64(o.Updates) }, count},
	{"deletes", func(o outcome) float64 { return float64(o.Deletes) }, count},
	{"writes in all", func(o outcome) float64 { return float64(o.writes()) }, count},
	{"writes in a second, most", func(o outcome) float64 { return float64(o.Busiest) }, count},
	{"conflicts", func(o outcome) float64 { return float64(o.Conflicts) }, count},
	{"refused otherwise", func(o outcome) float64 { return float64(o.Refused) }, count},
	{"bytes sent", func(o outcome) float64 { return float64(o.Bytes) }, amount},
	{"endpoints moved", func(o outcome) float64 { return float64(o.Moved) }, count},
	{"slices at the end", func(o outcome) float64 { return float64(o.Slices) }, count},
	{"missing pairs", func(o outcome) float64 { return float64(o.Pairs.Count) }, count},
	{"missing endpoints", func(o outcome) float64 { return float64(o.Endpoints.Count) }, count},
	{"missing endpoints, longest", func(o outcome) float64 { return o.Endpoints.Longest.Seconds() }, seconds},
	{"Ready to watcher, median", func(o outcome) float64 { return quantile(o.Latencies, 50).Seconds() }, seconds},
	{"Ready to watcher, 99%", func(o outcome) float64 { return quantile(o.Latencies, 99).Seconds() }, seconds},
	{"all published after", func(o outcome) float64 { return o.Took.Seconds() }, seconds},
	{"CPU of the controller", func(o outcome) float64 { return o.CPU.Seconds() }, seconds},
	{"memory of the controller, peak", func(o outcome) float64 { return float64(o.Memory) }, amount},
}

// quantile returns the percentile of the values; 0 without any.
func quantile[T float64 | time.Duration](all []T, percent int) T {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// cell is the median of some runs, with the least and the most where these look different.
func (r row) cell(runs []outcome) string {
	var all []float64
	for _, o := range runs {
		all = append(all, r.value(o))
	}
	median := r.show(quantile(all, 50))
	least := r.show(slices.Min(all))
	most := r.show(slices.Max(all))
	if least == most {
		return median
	}
	return fmt.Sprintf("%s (%s to %s)", median, least, most)
}

// write returns the tables as Markdown.
func write(o options, all []comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d watchers, at most %g Pods changed in a second, seeds %d to %d: medians of %d runs, with the "+
		"least and the most.\n",
		o.watchers, o.pace, o.seed, o.seed+uint64(o.repeat)-1, o.repeat)
	columns := o.columns()
	for _, c := range all {
		fmt.Fprintf(&b, "\n### %s\n\n%d × %d Pods on %d Nodes.\n\n| |", titleOf(c.history, c.hints), c.fleet.services,
			c.fleet.perService, c.fleet.nodes)
		for _, column := range columns {
			fmt.Fprintf(&b, " %s |", column.title())
		}
		b.WriteString("\n|---|" + strings.Repeat("---:|", len(columns)) + "\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s |", r.name)
			for _, runs := range c.outcomes {
				fmt.Fprintf(&b, " %s |", r.cell(runs))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
