package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// freshness is what -freshness measured.
type freshness struct{ record }

// The two sides whose freshness is compared.
var theirSide, ourSide = sides[0], sides[1]

// measureFreshness runs every history under both sides with every period. Where ours is later or writes more it runs once
// more with a period that makes up for that.
func measureFreshness(ctx context.Context, o options, stderr io.Writer) (f freshness, err error) {
	if f.record, err = load(o); err != nil {
		return f, err
	}
	for _, h := range o.histories {
		for _, hints := range o.hints {
			for _, batch := range o.periods {
				theirs, err := f.run(ctx, o, h, theirSide, hints, batch, stderr)
				if err != nil {
					return f, err
				}
				ours, err := f.run(ctx, o, h, ourSide, hints, batch, stderr)
				if err != nil {
					return f, err
				}
				if again := ours.asFreshAs(theirs); again != batch {
					if _, err := f.run(ctx, o, h, ourSide, hints, again, stderr); err != nil {
						return f, err
					}
				}
			}
		}
	}
	return f, nil
}

// spares reports whether p has no more writes and bytes than another.
func (p point) spares(other point) bool {
	return p.writes() <= other.writes() && p.Outcome.Bytes <= other.Outcome.Bytes
}

// latest is the greatest median that counts as no later than p's: a tenth or 20 ms more.
func (p point) latest() time.Duration {
	return max(p.median()+p.median()/10, p.median()+20*time.Millisecond)
}

// asFreshAs returns the batch period with which our run p would be as fresh as theirs; p's own where p is, and spares as much.
func (p point) asFreshAs(theirs point) time.Duration {
	later, third := theirs.median()-p.median(), theirs.median()/3
	switch late := p.median() > theirs.latest(); {
	case late && p.Batch+later > 0:
	case late: // writes wait for the limit of requests: fewer are sooner
		later = third - p.Batch
	case p.spares(theirs):
		return p.Batch
	default:
		later = max(later, theirs.latest()-theirs.median())
	}
	return (p.Batch + later).Round(10 * time.Millisecond)
}

// of returns the points of a side in a history, the freshest first.
func (f *freshness) of(h history, s side, hints bool) (points []point) {
	for _, p := range f.Points {
		if p.History == h.name && p.Side == s.name && p.Hints == hints {
			points = append(points, p)
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.median(), b.median()) })
	return points
}

// beside returns, of our points, the one with the fewest bytes that is as fresh as one of theirs; the closest where none is.
func beside(theirs point, ours []point) point {
	fresh := slices.DeleteFunc(slices.Clone(ours), func(p point) bool { return p.median() > theirs.latest() })
	if len(fresh) > 0 {
		return slices.MinFunc(fresh, func(a, b point) int { return cmp.Compare(a.Outcome.Bytes, b.Outcome.Bytes) })
	}
	return ours[0] // they are sorted, and all later
}

// table returns the comparison at equal freshness as Markdown: a row for each of Kubernetes' points.
func (f *freshness) table(o options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d Pods, %d watchers, seed %d, at most %g Pods changed in a second. Each row has a run of Kubernetes and the run of ours, in place, "+
		"that is as fresh and sends the fewest bytes.\n\n", o.pods, o.watchers, o.seed, o.pace)
	b.WriteString("| history | batch period | median Ready to watcher | writes | bytes sent | CPU | CPU, ours / Kubernetes |\n|---|---|---|---|---|---|---:|\n")
	var missed []string
	for _, h := range o.histories {
		for _, hints := range o.hints {
			ours, title := f.of(h, ourSide, hints), comparison{history: h, hints: hints}.title()
			for _, t := range f.of(h, theirSide, hints) {
				p := beside(t, ours)
				ratio := p.Outcome.CPU.Seconds() / max(t.Outcome.CPU.Seconds(), 0.01)
				fmt.Fprintf(&b, "| %s | %v, %v | %s, %s | %d, %d | %s, %s | %s, %s | %.2f |\n", title, t.Batch, p.Batch,
					seconds(t.median().Seconds()), seconds(p.median().Seconds()), t.writes(), p.writes(),
					amount(float64(t.Outcome.Bytes)), amount(float64(p.Outcome.Bytes)),
					seconds(t.Outcome.CPU.Seconds()), seconds(p.Outcome.CPU.Seconds()), ratio)
				if !p.spares(t) || ratio > 0.7 {
					missed = append(missed, fmt.Sprintf("%s, batch period %v: writes %+.1f%%, bytes %+.1f%%, CPU %.2f times",
						title, t.Batch, percent(p.writes(), t.writes()), percent(p.Outcome.Bytes, t.Outcome.Bytes), ratio))
				}
			}
		}
	}
	b.WriteString("\nIn each cell: Kubernetes, ours.\n")
	for _, m := range missed {
		b.WriteString("\nMore writes or bytes than Kubernetes, or more than 0.7 of its CPU: " + m + ".\n")
	}
	return b.String()
}

// percent says by how much a is more than b.
func percent[N int | int64](a, b N) float64 { return 100 * (float64(a)/max(float64(b), 1) - 1) }
