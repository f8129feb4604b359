// Package kit is what the two public test kits, slicertest and deduptest, have in common: how
// histories are drawn, cut short, printed and repeated, and what becomes of the breaches that a
// history shows. It knows no slices.
package kit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Step is one thing that happens: the name of an event, and a number that chooses among its ways.
type Step struct {
	Event string
	N     int
}

// History is what the code under test lives through: how it begins, and what happens then. Every
// step can be left out of a history, which then still is one.
type History struct{ Setup, Steps []Step }

// String is the form that Parse reads: setup / steps, each step an event with =N unless N is 0.
func (h History) String() string {
	var words []string
	for _, s := range slices.Concat(h.Setup, []Step{{Event: "/"}}, h.Steps) {
		if s.N != 0 {
			s.Event += fmt.Sprintf("=%d", s.N)
		}
		words = append(words, s.Event)
	}
	return strings.Join(words, " ")
}

// Parse reads what String has written.
func Parse(text string) (History, error) {
	var h History
	setup, steps, found := strings.Cut(text, "/")
	if !found {
		return h, fmt.Errorf("history %q has no / between its setup and its steps", text)
	}
	for _, part := range []struct {
		text string
		to   *[]Step
	}{{setup, &h.Setup}, {steps, &h.Steps}} {
		for _, word := range strings.Fields(part.text) {
			name, number, _ := strings.Cut(word, "=")
			n, err := strconv.Atoi(number)
			if number != "" && (err != nil || n < 0) {
				return h, fmt.Errorf("history %q: %q is no number", text, number)
			}
			*part.to = append(*part.to, Step{name, n})
		}
	}
	return h, nil
}

// Menu is what histories are drawn from.
type Menu struct {
	// Setup draws how a history begins. alone: one event follows, and must find something to do.
	Setup func(r *rand.Rand, alone bool) []Step
	// Groups are the events of this run, and Arm those that only make ready for something in a
	// later step: no history ends with one. Pairs of two events of one group come before the other
	// pairs.
	Groups [][]string
	Arm    []string
	// Ways returns how many numbers an event is played with alone, from 0. If nil, it is played
	// once, with a number that is drawn.
	Ways func(event string) int
	// Alike says that both events of a pair have one number, which is 0 in half of the pairs.
	Alike bool
	// Random is how many random histories follow all pairs.
	Random int
}

// Event is an event of a kit, with a name and the features that it needs.
type Event interface {
	Event() (name string, needs []string)
}

// Named returns the event with a name, or nil if there is none.
func Named[E Event](name string, lists ...[]E) *E {
	for _, list := range lists {
		for i := range list {
			if is, _ := list[i].Event(); is == name {
				return &list[i]
			}
		}
	}
	return nil
}

// Needs returns a function that returns the features that an event needs, and false for an unknown
// one.
func Needs[E Event](lists ...[]E) func(name string) ([]string, bool) {
	return func(name string) ([]string, bool) {
		e := Named(name, lists...)
		if e == nil {
			return nil, false
		}
		_, needs := (*e).Event()
		return needs, true
	}
}

// Claimed returns the names of the events whose features are claimed.
func Claimed[E Event](c *Claims, list []E) (names []string) {
	for _, e := range list {
		if name, needs := e.Event(); c.Can(needs...) {
			names = append(names, name)
		}
	}
	return names
}

// draw returns n histories, or with 0 all single events, all pairs and Random random ones, in this
// order. The same seed draws the same ones. A pair finds what one event leaves behind for the next,
// which random histories alone have been seen to miss.
func (m *Menu) draw(n int, seed uint64) []History {
	random := rand.New(rand.NewPCG(seed, 16))
	var all, near, pairs []History
	happen := slices.Concat(m.Groups...)
	often := slices.Concat(happen, happen, m.Arm)
	for _, second := range happen {
		if m.Ways == nil {
			all = append(all, m.history(random, second))
		} else {
			for n := range m.Ways(second) {
				h := m.history(random, second)
				h.Steps[0].N = n
				all = append(all, h)
			}
		}
		for _, first := range m.Arm {
			near = append(near, m.history(random, first, second))
		}
	}
	for i, firsts := range m.Groups {
		for j, seconds := range m.Groups {
			for _, first := range firsts {
				for _, second := range seconds {
					if h := m.history(random, first, second); i == j {
						near = append(near, h)
					} else {
						pairs = append(pairs, h)
					}
				}
			}
		}
	}
	for _, list := range [][]History{near, pairs} {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	all = append(all, near...)
	all = append(all, pairs...)
	if n == 0 {
		n = len(all) + m.Random
	}
	for len(all) < n {
		events := make([]string, 3+random.IntN(6))
		for i := range events {
			events[i] = often[random.IntN(len(often))]
		}
		all = append(all, m.history(random, events...))
	}
	return all[:n]
}

// history draws how a history begins, and the numbers of its events.
func (m *Menu) history(random *rand.Rand, events ...string) History {
	h := History{Setup: m.Setup(random, len(events) == 1)}
	for _, e := range events {
		h.Steps = append(h.Steps, Step{e, random.IntN(36)})
	}
	if m.Alike && len(events) == 2 {
		h.Steps[0].N *= random.IntN(2)
		h.Steps[1].N = h.Steps[0].N
	}
	return h
}
