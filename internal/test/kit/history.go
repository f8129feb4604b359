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
	// Happen are the events of this run, and Arm those that only make ready for something in a
	// later step: no history ends with one.
	Happen, Arm []string
	// Numbers draws the numbers of the steps of a history.
	Numbers func(r *rand.Rand, steps int) []int
	// Ways returns how many numbers an event is played with alone, from 0. If nil, it is played
	// once, with a number that is drawn.
	Ways func(event string) int
	// Group returns the group of an event. Pairs of two events of one group come before the other
	// pairs.
	Group func(event string) string
	// Random is how many random histories follow all pairs.
	Random int
}

// draw returns n histories, or with 0 all single events, all pairs and Random random ones, in this
// order. The same seed draws the same ones. A pair finds what one event leaves behind for the next,
// which random histories alone have been seen to miss.
func (m *Menu) draw(n int, seed uint64) []History {
	random := rand.New(rand.NewPCG(seed, 16))
	add := func(events ...string) History {
		h, numbers := History{Setup: m.Setup(random, len(events) == 1)}, m.Numbers(random, len(events))
		for i, e := range events {
			h.Steps = append(h.Steps, Step{e, numbers[i]})
		}
		return h
	}
	var all, near, pairs []History
	for _, second := range m.Happen {
		if m.Ways == nil {
			all = append(all, add(second))
		} else {
			for n := range m.Ways(second) {
				h := add(second)
				h.Steps[0].N = n
				all = append(all, h)
			}
		}
		for _, first := range m.Arm {
			near = append(near, add(first, second))
		}
		for _, first := range m.Happen {
			if h := add(first, second); m.Group(first) == m.Group(second) {
				near = append(near, h)
			} else {
				pairs = append(pairs, h)
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
			if k := random.IntN(2*len(m.Happen) + len(m.Arm)); k < 2*len(m.Happen) {
				events[i] = m.Happen[k/2]
			} else {
				events[i] = m.Arm[k-2*len(m.Happen)]
			}
		}
		all = append(all, add(events...))
	}
	return all[:n]
}
