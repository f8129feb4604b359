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
	noise float64 // differences up to this part mean nothing
	why   string  // where Kubernetes has less: the reason, and what would change it
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

// Why Kubernetes may have less, and what would change it.
const (
	whySingle = "Which single write a sync makes, a create or an update of a slice with room, depends on when the sync ran; a plan " +
		"makes the sum of writes small."
	whySyncs = "The side whose syncs are shorter has more of them, with less in each, and publishes sooner: compare the time from " +
		"Ready to watcher. A batch period (-batch) makes syncs as frequent on both sides."
	whyDelete = "A slice that is left empty, or that Compact empties because it is written anyway, is deleted; in place with " +
		"a higher maximum deletes less."
	whyRefused = "Both sides wait until their caches show what they wrote, so the API server refuses only what somebody else's write " +
		"or delete crossed. Nothing is lost: the next plan is made from a newer cache."
	whyBytes = "Bytes follow the writes; besides, a slice of ours is 1% longer, because of its manager's name."
	whyMoved = "Compact moves endpoints out of slices that it dissolves; in place, or a lower DissolveUpTo, keeps them."
	whyRoom  = "In place fills only slices that it writes anyway, so that room in others stays; Compact would use it."
	whyGap   = "This is a mistake: no plan of ours may take away what is wanted."
	whyTime  = "A Service has one sync at a time, which takes as long as its writes, at 20 in a second or at what the machine can: " +
		"this depends on when each Pod's change met a running sync, and on the machine's other work. Repeat it on a quiet one."
	whyCPU    = "More syncs cost more: compare the time from Ready to watcher. A batch period (-batch) makes syncs as frequent on both sides."
	whyMemory = "controller-runtime keeps whole Pods in its cache; a transform that drops what is not read would change it."
)

// rows are the measures, in the order of the table.
var rows = []row{
	{"creates", func(o outcome) float64 { return float64(o.Creates) }, count, 0, whySingle},
	{"updates", func(o outcome) float64 { return float64(o.Updates) }, count, 0.05, whySyncs},
	{"deletes", func(o outcome) float64 { return float64(o.Deletes) }, count, 0, whyDelete},
	{"writes in all", func(o outcome) float64 { return float64(o.Creates + o.Updates + o.Deletes) }, count, 0.05, whySyncs},
	{"conflicts", func(o outcome) float64 { return float64(o.Conflicts) }, count, 0, whyRefused},
	{"refused otherwise", func(o outcome) float64 { return float64(o.Refused) }, count, 0, whyRefused},
	{"events sent", func(o outcome) float64 { return float64(o.Events) }, count, 0.05, whySyncs},
	{"bytes sent", func(o outcome) float64 { return float64(o.Bytes) }, amount, 0.02, whyBytes},
	{"endpoints moved", func(o outcome) float64 { return float64(o.Moved) }, count, 0, whyMoved},
	{"slices at the end", func(o outcome) float64 { return float64(o.Slices) }, count, 0, whyRoom},
	{"missing pairs", func(o outcome) float64 { return float64(o.Pairs.Count) }, count, 0, whyGap},
	{"missing pairs, longest", func(o outcome) float64 { return o.Pairs.Longest.Seconds() }, seconds, 0.05, whyGap},
	{"missing endpoints", func(o outcome) float64 { return float64(o.Endpoints.Count) }, count, 0, whyGap},
	{"missing endpoints, in all", func(o outcome) float64 { return o.Endpoints.Total.Seconds() }, seconds, 0.05, whyGap},
	{"missing endpoints, longest", func(o outcome) float64 { return o.Endpoints.Longest.Seconds() }, seconds, 0.05, whyGap},
	{"Ready to watcher, median", func(o outcome) float64 { return quantile(o.Latencies, 50).Seconds() }, seconds, 0.1, whyTime},
	{"Ready to watcher, 99%", func(o outcome) float64 { return quantile(o.Latencies, 99).Seconds() }, seconds, 0.1, whyTime},
	{"all published after", func(o outcome) float64 { return o.Took.Seconds() }, seconds, 0.1, whyTime},
	{"CPU of the controller", func(o outcome) float64 { return o.CPU.Seconds() }, seconds, 0.1, whyCPU},
	{"memory of the controller, peak", func(o outcome) float64 { return float64(o.Memory) }, amount, 0.05, whyMemory},
}

// quantile returns the percentile of the durations; 0 without any.
func quantile(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// write returns the tables as Markdown.
func write(o options, all []comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d watchers, %d runs from seed %d on, at most %g Pods changed in a second, batch period %v.\n", o.watchers, max(1, o.repeat), o.seed, o.pace, o.batch)
	for _, c := range all {
		fmt.Fprintf(&b, "\n### %s\n\n%d × %d Pods on %d Nodes.\n\n", c.title(), c.fleet.services, c.fleet.perService, c.fleet.nodes)
		b.WriteString("| |")
		for _, s := range c.sides {
			fmt.Fprintf(&b, " %s |", s.title)
		}
		b.WriteString("\n|---|" + strings.Repeat("---:|", len(c.sides)) + "\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s |", r.name)
			for _, o := range c.outcomes {
				fmt.Fprintf(&b, " %s |", r.show(r.value(o)))
			}
			b.WriteString("\n")
		}
		for _, text := range c.remarks() {
			b.WriteString("\n" + text + "\n")
		}
	}
	return b.String()
}

// remarks says why Kubernetes has less in some rows.
func (c comparison) remarks() (texts []string) {
	reference := slices.IndexFunc(c.sides, func(s side) bool { return s.name == "kubernetes" })
	if reference < 0 {
		return nil
	}
	for _, r := range rows {
		var worse []string
		theirs := r.value(c.outcomes[reference])
		for i, s := range c.sides {
			if i != reference && r.value(c.outcomes[i]) > theirs*(1+r.noise) {
				worse = append(worse, s.title)
			}
		}
		if len(worse) > 0 {
			texts = append(texts, fmt.Sprintf("Kubernetes has less in %q than %s. %s", r.name, strings.Join(worse, " and "), r.why))
		}
	}
	return texts
}
