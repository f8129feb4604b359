package main

import (
	"fmt"
)

// totals adds up what plans cost.
type totals struct {
	watchers int

	creates, updates, deletes int
	stored, sent              int64
}

func (t *totals) add(p planned) {
	stats, cost := p.plan.Stats(), p.plan.Cost(t.watchers)
	t.creates += stats.Creates
	t.updates += stats.Updates
	t.deletes += stats.Deletes
	t.stored += cost.StoredBytes
	t.sent += cost.SentBytes
}

// String gives writes and bytes on one line.
func (t totals) String() string {
	writes := t.creates + t.updates + t.deletes
	if writes == 0 {
		return "0 writes"
	}
	return fmt.Sprintf("%s (%s, %s, %s), %s stored, %s sent to %s", count(writes, "write"),
		count(t.creates, "create"), count(t.updates, "update"), count(t.deletes, "delete"),
		size(t.stored), size(t.sent), count(t.watchers, "watcher"))
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// size gives bytes with three digits or more: 999 B, 45.2 kB, 1.3 GB.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	for _, unit := range []string{"kB", "MB", "GB"} {
		if n < 1_000_000 || unit == "GB" {
			return fmt.Sprintf("%d.%d %s", n/1000, n%1000/100, unit)
		}
		n /= 1000
	}
	panic("unreachable")
}
