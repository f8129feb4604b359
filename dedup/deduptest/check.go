package deduptest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// Run plays histories to readers, as a test with a subtest for each guarantee. A subtest fails with
// the shortest history of each cause. start returns a new reader for each history.
func Run(t *testing.T, o Options, start func() Reader) {
	t.Helper()
	k, err := newSuite(o, *flags, start)
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
// with the same slices. Each change is played alone in each of its ways. The changes of a pair are
// about the same slice and address if possible.
func (k *suite) menu() kit.Menu {
	m := kit.Menu{Random: randomHistories, Group: groupOf, Ways: k.ways, Numbers: func(r *rand.Rand, steps int) []int {
		numbers := make([]int, steps)
		for i := range numbers {
			numbers[i] = r.IntN(36)
		}
		if steps == 2 {
			numbers[0] = numbers[1] * r.IntN(2)
			numbers[1] = numbers[0]
		}
		return numbers
	}}
	begins := k.begins()
	for i := range kinds {
		if e := &kinds[i]; k.Can(e.needs...) {
			m.Happen = append(m.Happen, e.name)
		}
	}
	m.Setup = func(*rand.Rand, bool) []kit.Step { return begins }
	return m
}

// groupOf returns the list of kinds that has a kind. The pairs of two kinds of one group come first.
func groupOf(name string) string {
	for i, list := range groups {
		if named(list, name) != nil {
			return string(rune('a' + i))
		}
	}
	return ""
}

// ways returns the number of ways in which a kind of change can happen at the beginning of a
// history, which is at most 36.
func (k *suite) ways(name string) int {
	w, all := world{slices: map[sliceName]*record{}}, 1
	for _, s := range k.begins() {
		kindOf(s.Event).do(&w, chosen(0))
	}
	kindOf(name).do(&w, func(of int) int {
		all *= of
		return 0
	})
	return min(all, 36)
}

func (k *suite) begins() (steps []kit.Step) {
	for i := range beginKinds {
		if e := &beginKinds[i]; k.Can(e.needs...) {
			steps = append(steps, kit.Step{Event: e.name})
		}
	}
	return steps
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
