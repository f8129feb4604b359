package slicertest

import (
	"math/rand/v2"
	"testing"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Finding is a cause for which a guarantee does not hold, or one of Options.Known that was not met.
type Finding struct {
	Guarantee string
	// Cause is what the breaches have in common, beginning with the guarantee: what Options.Known lists.
	Cause string
	// Known is the reason that Options.Known gives.
	Known string
	// Failed of Histories have shown the cause. Zero: it is listed as known, and was not met.
	Failed, Histories int
	// Replay is the history of the Story, for Options.Replay.
	Replay string
	// Story is the shortest history found, in several lines.
	Story string
}

// String is what a failing test prints.
func (f Finding) String() string { return kit.Finding(f).Text() }

// Check lets writers live through histories and returns a Finding for each cause, in the order of the guarantees. nil: none is
// broken. The error joins a *field.Error for each mistake in the options, or says that the writer under test never wrote a slice
// of its own.
func Check(o Options, start Writer) ([]Finding, error) {
	k, err := newSuite(o, start)
	if err != nil {
		return nil, err
	}
	var all []Finding
	found, err := k.Claims.Check(k.menu(), k.play)
	for _, f := range found {
		all = append(all, Finding(f))
	}
	return all, err
}

// Run is Check as a test: one subtest for each guarantee, which fails with the story of each cause that is not known.
func Run(t *testing.T, o Options, start Writer) {
	t.Helper()
	k, err := newSuite(o, start)
	if err != nil {
		t.Fatalf("slicertest: %v", err)
	}
	k.Claims.Run(t, func() ([]kit.Finding, error) { return k.Claims.Check(k.menu(), k.play) })
}

// menu is what the writer claims to meet.
func (k *suite) menu() kit.Menu {
	m := kit.Menu{Random: randomHistories, Number: func(r *rand.Rand, _ bool) int { return r.IntN(12) }}
	var begins []string
	for i := range events {
		switch e := &events[i]; {
		case !k.Can(e.needs...):
		case e.kind == begin:
			begins = append(begins, e.name)
		case e.kind == arm:
			m.Arm = append(m.Arm, e.name)
		default:
			m.Happen = append(m.Happen, e.name)
		}
	}
	m.Setup = func(r *rand.Rand) (list []kit.Step) {
		for _, name := range begins {
			if n := r.IntN(k.many() + 2); name == "pods" || r.IntN(6) == 0 {
				list = append(list, kit.Step{Event: name, N: n})
			}
		}
		return list
	}
	return m
}
