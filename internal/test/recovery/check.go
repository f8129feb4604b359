package recovery

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Report is what [Check] found.
type Report struct {
	Histories, States int      // states are prefixes of histories
	Stuck             int      // histories in which the slices do not become right after some prefix
	First             int      // the first of these, counted from 1; 0 if there is none
	Calls             [2][]int // how many states needed this many calls: without and with hidden names
	Example           string   // of a history in which they do not become right, as short as possible
}

// Most is the largest number of calls that was needed.
func (r *Report) Most(hidden bool) int {
	if hidden {
		return len(r.Calls[1]) - 1
	}
	return len(r.Calls[0]) - 1
}

func (r *Report) String() string {
	return fmt.Sprintf("%d histories, %d states; stuck: %d histories; calls until the slices are right: at most %d, "+
		"and %d with hidden names; %v %v",
		r.Histories, r.States, r.Stuck, r.Most(false), r.Most(true), r.Calls[0], r.Calls[1])
}

// Check plays histories to a program, and settles each prefix.
func Check(program Program, histories int, seed uint64) *Report {
	r := &Report{}
	for i := range histories {
		h := drawHistory(rand.New(rand.NewPCG(seed, uint64(i))), program.mild)
		r.Histories++
		if stuck := r.prefixes(&program, h); stuck != nil {
			if r.Stuck++; r.Stuck == 1 {
				r.First = i + 1
				r.Example = shorten(&program, *stuck).print(&program)
			}
		}
	}
	return r
}

// prefixes settles each prefix of a history, and returns the first one after which the slices do
// not become right.
func (r *Report) prefixes(program *Program, h history) *history {
	for n := range len(h.steps) + 1 {
		prefix := h
		prefix.steps = h.steps[:n]
		if n > 0 && n < len(h.steps) && h.steps[n-1].name == h.steps[n].name && h.steps[n].name == "pod" {
			continue // the input changes again before anything else happens
		}
		_, calls, wrong := prefix.run(program, false)
		r.States++
		if wrong != "" {
			return &prefix
		}
		hidden := 0
		if h.hides {
			hidden = 1
		}
		for len(r.Calls[hidden]) <= calls {
			r.Calls[hidden] = append(r.Calls[hidden], 0)
		}
		r.Calls[hidden][calls]++
	}
	return nil
}

// shorten leaves out steps as long as the slices do not become right.
func shorten(program *Program, h history) *history {
	for again := true; again; {
		again = false
		for i := 0; i < len(h.steps); i++ {
			less := h
			less.steps = slices.Delete(slices.Clone(h.steps), i, i+1)
			if _, _, wrong := less.run(program, false); wrong != "" {
				h, again = less, true
				i--
			}
		}
	}
	return &h
}
