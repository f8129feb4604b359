package main

import (
	"fmt"
	"io"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// progress is a line on a terminal that says how far a long run is. It says nothing to a file or a pipe.
type progress struct {
	out         io.Writer // nil: no terminal
	done, total int       // rounds
	width       int
}

func newProgress(stderr io.Writer, traces []trace, variants int) *progress {
	p := &progress{}
	for _, t := range traces {
		p.total += len(t.rounds) * variants
	}
	if commandline.IsTerminal(stderr) {
		p.out = stderr
	}
	return p
}

// show counts a round and now and then rewrites the line.
func (p *progress) show(trace string, v variant, round int) {
	p.done++
	if p.out == nil || round%50 > 0 {
		return
	}
	line := fmt.Sprintf("%3d%% %s %s, at most %d in a slice, round %d", 100*p.done/p.total, trace, v.packing, v.size, round)
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
	p.width = len(line)
}

// clear removes the line.
func (p *progress) clear() {
	if p.out != nil {
		fmt.Fprintf(p.out, "\r%*s\r", p.width, "")
	}
}
