package deduptest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Finding is one cause for which a guarantee does not hold, or a cause of Options.Known that did
// not occur.
type Finding struct {
	// Guarantee is the name of the guarantee in the package comment.
	Guarantee string
	// Cause is what the failures have in common, starting with the guarantee. Options.Known lists
	// such texts.
	Cause string
	// Known is the reason that Options.Known gives.
	Known string
	// Failed is the number of Histories that showed the cause. It is zero if Options.Known lists a
	// cause that did not occur.
	Failed, Histories int
	// Replay is a short form of History, for Options.Replay.
	Replay string
	// History is the shortest history found, in several lines.
	History string
}

// String returns what a failing test prints.
func (f Finding) String() string { return kit.Finding(f).Text() }

// Check runs readers through histories, and returns a Finding for each cause, in the order of the
// guarantees. It is nil if all guarantees hold. start returns a new reader for each history. The
// error joins a *field.Error for each mistake in the options, and for each required function that a
// reader does not have.
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

// Run runs Check as a test, with one subtest for each guarantee. A subtest fails with the history
// of each cause that Options.Known does not list.
func Run(t *testing.T, o Options, start func() Reader) {
	t.Helper()
	k, err := newSuite(o, start)
	if err != nil {
		t.Fatalf("deduptest: %v", err)
	}
	k.Claims.Run(t, k.check)
}

// check plays the histories. If the reader shows nothing in any of them, the function See of the
// caller is wrong, and check returns an error.
func (k *suite) check() ([]kit.Finding, error) {
	found, err := k.Claims.Check(k.menu(), k.play)
	silent := !k.shown && slices.ContainsFunc(found, func(f kit.Finding) bool {
		return f.Guarantee == "all" && f.Failed == f.Histories
	})
	if err == nil && silent && !slices.ContainsFunc(found,
		func(f kit.Finding) bool { return f.Guarantee == kit.NoPanic || f.Guarantee == kit.Returns }) {
		return nil, field.Required(field.NewPath("reader", "see"),
			"returned nothing in any history: return what the reader shows after an event")
	}
	return found, err
}

// menu returns the changes from which the histories for the reader are made. All histories begin
// with the same slices. The changes of a pair are about the same slice and address if possible.
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

// live plays a history to an informer. It returns the texts of the steps, and the moments.
func live(h kit.History) (texts []string, moments []moment) {
	w := world{slices: map[sliceName]*record{}}
	for i, s := range slices.Concat(h.Setup, h.Steps) {
		w.step = i
		texts = append(texts, kindOf(s.Event).do(&w, chosen(s.N)))
	}
	return texts, w.moments
}

// chosen returns a function that makes choices. n determines all of them.
func chosen(n int) choose {
	return func(of int) int {
		choice := n % of
		n /= of
		return choice
	}
}
