package main

import (
	"fmt"
	"io"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// progress says on a terminal how far a long run is.
type progress struct {
	line        *commandline.Progress
	done, total int // rounds
}

func newProgress(stderr io.Writer, traces []trace, variants int) *progress {
	p := &progress{line: commandline.NewProgress(stderr)}
	for _, t := range traces {
		p.total += len(t.rounds) * variants
	}
	return p
}

// show counts a round and now and then rewrites the line.
func (p *progress) show(trace string, v variant, round int) {
	p.done++
	if round%50 == 0 && p.line.Seen() {
		p.line.Show(fmt.Sprintf("%3d%% %s %s, at most %d in a slice, round %d", 100*p.done/p.total, trace, v.packing, v.size, round))
	}
}
