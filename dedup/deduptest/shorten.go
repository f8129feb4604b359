package deduptest

// failure is what is known of a guarantee that failed: the shortest history so far, and how many fail.
type failure struct {
	history history
	random  bool // else a pair of changes
	seed    uint64
	count   int
}

// Readers that go by chance, as by the order of a map, fail now and then. A step is left out if the rest fails in one of a few
// tries; the story is told with more tries.
const (
	triesOfStep  = 4
	triesOfStory = 20
)

// finding shortens the history and tells it.
func (f *failure) finding(g Guarantee, start func() Reader, o *Options) Finding {
	short := shorten(f.history, func(h history) bool {
		_, fails := again(h, g, start, o, triesOfStep)
		return fails
	})
	fault, fails := again(short, g, start, o, triesOfStory)
	if !fails {
		fault.moment, fault.text = len(short.moments())-1, "failed once, and not again in as many tries as the kit makes"
	}
	return Finding{Guarantee: g, Seed: f.seed, Failed: f.count, Story: story(g, short, fault) + f.repeat()}
}

// again plays a history until a guarantee fails.
func again(h history, g Guarantee, start func() Reader, o *Options, tries int) (fault, bool) {
	for range tries {
		if found, fails := play(h.moments(), start, o)[g]; fails {
			return found, true
		}
	}
	return fault{}, false
}

// shorten leaves out steps while the rest still fails, the last ones first.
func shorten(h history, fails func(history) bool) history {
	for shorter := true; shorter; {
		shorter = false
		for i := len(h) - 1; i >= 0; i-- {
			rest := append(h[:i:i], h[i+1:]...)
			if fails(rest) {
				h, shorter = rest, true
			}
		}
	}
	return h
}
