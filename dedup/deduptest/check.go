package deduptest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Finding is a cause for which a guarantee does not hold, or one of Options.Known that was not met.
type Finding struct {
	// Guarantee is its name in the package comment.
	Guarantee string
	// Cause is what the breaches have in common, beginning with the guarantee: what Options.Known lists.
	Cause string
	// Known is the reason that Options.Known gives.
	Known string
	// Failed of Histories have shown the cause. Zero: it is listed as known, and was not met.
	Failed, Histories int
	// Replay is the History in short, for Options.Replay.
	Replay string
	// History is the shortest history found, in several lines.
	History string
}

// String is what a failing test prints.
func (f Finding) String() string { return kit.Finding(f).Text() }

// Check lets readers live through histories: start makes a new one for each. It returns a Finding for each cause, in the order of
// the guarantees. nil: none is broken. The error joins a *field.Error for each mistake in the options, and for each function
// that a reader lacks.
func Check(o Options, start func() Reader) ([]Finding, error) {
	k, err := newSuite(o, start)
	if err != nil {
		return nil, err
	}
	var all []Finding
	found, err := k.check()
	for _, f := range found {
		all = append(all, Finding(f))
	}
	return all, err
}

// Run is Check as a test: one subtest for each guarantee, which fails with the history of each cause that is not known.
func Run(t *testing.T, o Options, start func() Reader) {
	t.Helper()
	k, err := newSuite(o, start)
	if err != nil {
		t.Fatalf("deduptest: %v", err)
	}
	k.Claims.Run(t, k.check)
}

// check plays the histories. A reader that shows nothing in any of them is a mistake of its driver.
func (k *suite) check() ([]kit.Finding, error) {
	found, err := k.Claims.Check(k.menu(), k.play)
	silent := !k.shown && slices.ContainsFunc(found, func(f kit.Finding) bool { return f.Guarantee == "all" && f.Failed == f.Histories })
	if err == nil && silent && !slices.ContainsFunc(found, func(f kit.Finding) bool { return f.Guarantee == kit.NoPanic || f.Guarantee == kit.Returns }) {
		return nil, field.Required(field.NewPath("reader", "see"), "returned nothing in any history: return what the reader shows after an event")
	}
	return found, err
}

// menu is what the reader claims to meet. All histories begin with the same slices. The changes of a pair are about the same slice
// and address wherever they can be.
func (k *suite) menu() kit.Menu {
	m := kit.Menu{Random: randomHistories, Number: func(r *rand.Rand, pair bool) int {
		if pair {
			return 0
		}
		return r.IntN(36)
	}}
	var begins []kit.Step
	for i := range beginKinds {
		if e := &beginKinds[i]; k.Can(e.needs...) {
			begins = append(begins, kit.Step{Event: e.name})
		}
	}
	for i := range kinds {
		if e := &kinds[i]; k.Can(e.needs...) {
			m.Happen = append(m.Happen, e.name)
		}
	}
	m.Setup = func(*rand.Rand, bool) []kit.Step { return begins }
	return m
}

// live plays a history to an informer. It returns what the steps say, and the moments.
func live(h kit.History) (texts []string, moments []moment) {
	w := world{slices: map[sliceName]*record{}}
	for i, s := range slices.Concat(h.Setup, h.Steps) {
		w.step = i
		texts = append(texts, kindOf(s.Event).do(&w, chosen(s.N)))
	}
	return texts, w.moments
}

// chosen turns a number into choices.
func chosen(n int) choose {
	return func(of int) int {
		choice := n % of
		n /= of
		return choice
	}
}
