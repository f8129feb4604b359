package main

import (
	"fmt"

	"github.com/slicewright/slicewright/examples/internal/commandline"
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
		commandline.Bytes(t.stored), commandline.Bytes(t.sent), count(t.watchers, "watcher"))
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
