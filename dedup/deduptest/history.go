package deduptest

import (
	"math/rand/v2"
)

// history is a list of steps. Any sub-list is a history, too.
type history []step

// moments plays the steps to an informer.
func (h history) moments() []moment {
	w := world{slices: map[sliceName]*record{}}
	for i := range h {
		w.step, w.quiet = i, h[i].quiet
		h[i].do(&w)
	}
	return w.moments
}

// pairs are the histories in which each kind of step follows each other one, after a look at each step that they begin with.
func pairs(o *Options) []history {
	slow := begin(o.Without)
	for i := range slow {
		slow[i].quiet = false
	}
	all := []history{slow}
	ks := kinds(o.Without)
	for _, a := range ks {
		for _, b := range ks {
			all = append(all, append(begin(o.Without), a.make(first), b.make(first)))
		}
	}
	return all
}

const maxSteps = 8

// random is the history of a seed.
func random(seed uint64, o *Options) history {
	source := rand.New(rand.NewPCG(seed, 0))
	h, ks := begin(o.Without), kinds(o.Without)
	for range 2 + source.IntN(maxSteps-1) {
		h = append(h, ks[source.IntN(len(ks))].make(source.IntN))
	}
	return h
}
