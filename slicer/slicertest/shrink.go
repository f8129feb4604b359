package slicertest

import "slices"

const (
	stepTries  = 4  // for a writer that does not do the same twice: how often a shorter history is tried
	storyTries = 20 // and how often the story is tried that is printed
)

// shrink leaves steps out of a history as long as it breaks the guarantee, and returns its last replay, with the story.
// Every step can be left out, because events are possible at any time.
func (k *kit) shrink(h history, g Guarantee) *replay {
	tries := stepTries
	if k.steady(h, g) {
		tries = 1
	}
	var best *replay
	fails := func(h history, tries int) bool {
		for range tries {
			if r := k.play(h, true, false); r.failures[g].text != "" {
				best = r
				return true
			}
		}
		return false
	}
	if !fails(h, storyTries) {
		return nil
	}
	for shorter := true; shorter; {
		shorter = false
		for _, list := range []*[]step{&h.steps, &h.setup} {
			for i := len(*list) - 1; i >= 0; i-- {
				all := *list
				if *list = slices.Delete(slices.Clone(all), i, i+1); fails(h, tries) {
					shorter = true
				} else {
					*list = all
				}
			}
		}
		for i := range h.setup { // fewer Pods
			all := h.setup
			if h.setup = slices.Clone(all); all[i].n > 1 {
				h.setup[i].n--
				if fails(h, tries) {
					shorter = true
					continue
				}
			}
			h.setup = all
		}
	}
	return best
}

// steady reports whether a history breaks the guarantee every time.
func (k *kit) steady(h history, g Guarantee) bool {
	for range 3 {
		if k.play(h, false, false).failures[g].text == "" {
			return false
		}
	}
	return true
}
