package slicertest

import (
	"math/rand/v2"
	"slices"
)

// histories draws the histories of a run: first every event alone, then every pair of an event or fault and an event, in any
// order, then random ones. A pair finds what one event leaves behind for the next, which random histories alone have been
// seen to miss.
func (k *kit) histories() []history {
	random := rand.New(rand.NewPCG(k.Seed, 16))
	happen := slices.Concat(k.possible(events, false), k.possible(byOthers, false))
	arm := k.possible(accidents, true)
	var all []history
	for _, second := range happen {
		all = append(all, k.draw(random, second))
	}
	alone := len(all)
	for _, first := range slices.Concat(happen, arm) {
		for _, second := range happen {
			all = append(all, k.draw(random, first, second))
		}
	}
	pairs := all[alone:]
	random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	mixed := slices.Concat(happen, happen, arm)
	for len(all) < k.Histories {
		steps := make([]step, 3+random.IntN(6))
		for i := range steps {
			steps[i] = mixed[random.IntN(len(mixed))]
		}
		all = append(all, k.draw(random, steps...))
	}
	return all[:k.Histories]
}

// possible are the events whose features the writer claims.
func (k *kit) possible(list []event, arms bool) []step {
	var out []step
	for i := range list {
		if k.can(list[i].needs) {
			out = append(out, step{event: &list[i], arms: arms})
		}
	}
	return out
}

// draw chooses how a history begins, and the numbers of its steps.
func (k *kit) draw(random *rand.Rand, steps ...step) history {
	var h history
	for i, s := range k.possible(setups, false) {
		if s.n = random.IntN(k.many() + 2); i == 0 || random.IntN(6) == 0 {
			h.setup = append(h.setup, s)
		}
	}
	for _, s := range steps {
		s.n = random.IntN(12)
		h.steps = append(h.steps, s)
	}
	return h
}
