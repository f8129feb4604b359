// Package recovery plays histories of faults to a program that publishes the Pods of a Service, and
// says whether the program recovers from them. Package model visits every order of events in small
// cases and judges each write; this package runs whole programs as they are printed in README and
// in comments, and judges whether the slices become right.
//
// A history changes the Pods and the Service, loses answers of the API server (the write was
// executed, was not executed, or is executed later), cuts plans off, kills and restarts the
// program, and lets other clients update, delete and unlabel slices, and take their names. The
// cache is up to three events late, and may change between two reads of it.
//
// After each prefix of a history everything stays as it is and the API server answers. Then the
// program is called as a work queue calls it: again after an error, and when the cache shows
// something new. The slices must become right within some calls.
package recovery

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Program is a program under test.
type Program struct {
	// Start starts a process, and returns what its work queue calls for the Service.
	Start func(*Server) func(context.Context, State) error
	// Selector and ManagedBy are the labels of the slices that it publishes.
	Selector  map[string]string
	ManagedBy string

	mild bool // no name is hidden, and the cache is current when everything stays as it is
}

// play is a history under way.
type play struct {
	program *Program
	server  *Server
	world   world
	sync    func(context.Context, State) error
	killed  bool // the process is killed when a write is cut off
	calls   int
}

func start(program *Program, known, talk bool) *play {
	p := &play{program: program, server: NewServer(known), world: newWorld()}
	p.server.talk = talk
	p.sync = program.Start(p.server)
	return p
}

// call calls the program once, and starts it again if it was killed.
func (p *play) call() error {
	p.calls++
	err := p.sync(context.Background(), p.world.state())
	p.server.say("    sync: %v", err)
	if p.server.dead = false; p.killed {
		p.killed = false
		p.restart(false)
	}
	return err
}

// restart starts the program again, with a cache that is current or as it was.
func (p *play) restart(current bool) {
	if current {
		p.server.shown = len(p.server.log) - 1
	}
	p.server.faults = nil
	p.sync = p.program.Start(p.server)
}

// right reports whether the slices hold what is wanted, and each endpoint once.
func (p *play) right() bool {
	return slices.Equal(p.published(), p.world.wanted())
}

func (p *play) published() []string {
	of := labels.Set{discoveryv1.LabelManagedBy: p.program.ManagedBy}
	for name, value := range p.program.Selector {
		of[name] = value
	}
	return published(selected(p.server.sim.Originals(), Namespace, of.AsSelector()))
}

// most is how many calls a program may need until the slices are right.
const most = 40

// settle lets everything stay as it is, and calls the program as a work queue does until the slices
// are right. It returns how many calls that took, and what is wrong if they do not become right.
// The cache stays as late as it is for some calls.
func (p *play) settle(r *rand.Rand) (calls int, wrong string) {
	p.server.faults, p.killed = nil, false
	p.server.land(r.IntN(2) == 0)
	frozen := []int{0, 0, 1, 3, most}[r.IntN(5)] // calls until the cache is current
	if p.world.lost || p.program.mild {
		frozen = 0 // a program that waits for a Node does not wait for the cache
	}
	p.server.say("  everything stays as it is; the cache is current after %d calls", frozen)
	for calls = 0; ; calls++ {
		if frozen <= calls {
			p.server.Show()
		}
		if p.right() {
			return calls, ""
		}
		if calls == most {
			return calls, fmt.Sprintf("after %d calls", calls)
		}
		if err := p.call(); err == nil && !p.right() {
			if p.server.current() {
				return calls, "and the last call returned no error"
			}
			frozen = 0 // nothing calls the program before the cache shows something
		}
	}
}

// run plays a history, and settles it. It returns what settle does.
func (h *history) run(program *Program, talk bool) (p *play, calls int, wrong string) {
	p = start(program, h.known, talk)
	for _, s := range h.steps {
		p.server.say("  %v", s)
		events[slices.IndexFunc(events, func(e event) bool { return e.name == s.name })].do(p, s.n)
	}
	calls, wrong = p.settle(rand.New(rand.NewPCG(uint64(len(h.steps)), uint64(p.server.sim.Writes()))))
	return p, calls, wrong
}

// print is a history that goes wrong, line by line.
func (h *history) print(program *Program) string {
	p, _, wrong := h.run(program, true)
	return fmt.Sprintf("the version of the cache is known: %t\n%s\n  the slices have %v, %s, and %v is wanted",
		h.known, strings.Join(folded(p.server.said), "\n"), p.published(), wrong, p.world.wanted())
}

// folded has a line that follows itself once, with the number.
func folded(lines []string) (out []string) {
	for i := 0; i < len(lines); {
		n := i
		for n < len(lines) && lines[n] == lines[i] {
			n++
		}
		line := lines[i]
		if n-i > 1 {
			line += fmt.Sprintf(" (%d times)", n-i)
		}
		out, i = append(out, line), n
	}
	return out
}
