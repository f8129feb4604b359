package deduptest

import (
	"fmt"
	"slices"
)

// sight is what a reader shows at a moment: asked, asked again, and at the moment before, when slices said was.
type sight struct {
	now, again, before []Seen
	places             map[Seen]bool // those of now
	was                ledger
}

// verdict says what is wrong with one guarantee; empty: nothing is.
type verdict func(m *moment, l ledger, s sight, shows Shows) string

// judges has a verdict for each guarantee that looks at what is seen.
var judges = map[Guarantee]verdict{
	All: judgeAll, Only: judgeOnly, Once: judgeOnce, Steady: judgeSteady, Order: judgeOrder, SameList: judgeSameList,
}

// stands reports whether an endpoint in this state has to be shown.
func (s Shows) stands(state State) bool { return s == ShowsAll || state == Ready }

func judgeAll(_ *moment, l ledger, s sight, shows Shows) string {
	for _, place := range l.places {
		hidden := slices.ContainsFunc(l.claims[place], func(c claim) bool { return !shows.stands(c.state) })
		if l.sure[place] && !hidden && !s.places[place] {
			return "not seen: " + place.String()
		}
	}
	return ""
}

func judgeOnly(_ *moment, l ledger, s sight, shows Shows) string {
	ready := map[Seen]bool{} // service ports with a ready endpoint that nobody doubts
	for place, claims := range l.claims {
		if l.sure[place] && agree(claims) && claims[0].state == Ready {
			ready[place.port()] = true
		}
	}
	for _, seen := range s.now {
		said := slices.ContainsFunc(l.claims[seen.place()], func(c claim) bool {
			if seen.State != "" && seen.State != c.state {
				return false
			}
			return shows.stands(c.state) || c.state == Draining && !ready[seen.port()]
		})
		if !said {
			return "seen, and no slice says so: " + seen.String()
		}
	}
	return ""
}

func judgeOnce(_ *moment, _ ledger, s sight, _ Shows) string {
	seen := map[Seen]bool{}
	for _, one := range s.now {
		if seen[one.place()] {
			return "seen twice: " + one.place().String()
		}
		seen[one.place()] = true
	}
	return ""
}

func judgeSteady(m *moment, l ledger, s sight, shows Shows) string {
	if !slices.Equal(s.now, s.again) {
		if text := difference(sorted(s.now), sorted(s.again)); text != "" {
			return "asked again, the reader sees something else: " + text
		}
	}
	if slices.Equal(s.before, s.now) {
		return ""
	}
	if m.resync {
		if text := difference(sorted(s.before), sorted(s.now)); text != "" {
			return "the event tells nothing new, and the reader sees something else: " + text
		}
	}
	if l.doubtful || s.was.doubtful {
		return ""
	}
	before, now := byPlace(s.before), byPlace(s.now)
	for _, place := range l.places {
		claims := l.claims[place]
		if !slices.Equal(claims, s.was.claims[place]) || shows.free(claims) {
			continue
		}
		if text := difference(sorted(before[place]), sorted(now[place])); text != "" {
			return "the event is about something else, and the reader changes its mind: " + text
		}
	}
	return ""
}

// free reports whether it may depend on other endpoints if these claims are shown.
func (s Shows) free(claims []claim) bool {
	return slices.ContainsFunc(claims, func(c claim) bool { return c.optional || s == ShowsReady && c.state == Draining })
}

// byPlace is what is seen at each place.
func byPlace(list []Seen) map[Seen][]Seen {
	all := map[Seen][]Seen{}
	for _, s := range list {
		all[s.place()] = append(all[s.place()], s)
	}
	return all
}

// judgeOrder looks at places about which slices disagree. While a slice has two versions nobody can say which counts.
func judgeOrder(_ *moment, l ledger, s sight, shows Shows) string {
	if l.doubtful {
		return ""
	}
	for _, one := range s.now {
		claims := l.claims[one.place()]
		if len(claims) == 0 || agree(claims) {
			continue
		}
		want := winner(claims)
		if one.State != "" && one.State != want || !shows.stands(want) && want != Draining {
			return fmt.Sprintf("seen %s, want %s", one, want)
		}
	}
	for _, place := range l.places {
		claims := l.claims[place]
		if l.sure[place] && !agree(claims) && shows.stands(winner(claims)) && !s.places[place] {
			return fmt.Sprintf("not seen: %s %s", place, winner(claims))
		}
	}
	return ""
}

// judgeSameList takes lists to the letter. A slice that is reworded makes no difference, unless the rewording made it the
// newest of slices that disagree.
func judgeSameList(m *moment, l ledger, s sight, _ Shows) string {
	if text := difference(s.now, s.again); text != "" {
		return "asked again, the reader gives another list: " + text
	}
	quarrel := l.doubtful
	for _, claims := range l.claims {
		quarrel = quarrel || !agree(claims)
	}
	if text := difference(s.before, s.now); (m.resync || m.reworded && !quarrel) && text != "" {
		return "nothing changed that shows, and the reader gives another list: " + text
	}
	return ""
}

// judgeFresh holds a list to that of a new reader that is told the same slices.
func judgeFresh(old, fresh []Seen) string {
	if text := difference(fresh, old); text != "" {
		return "a new reader that is told the same slices gives another list: " + text
	}
	return ""
}

func places(list []Seen) map[Seen]bool {
	all := map[Seen]bool{}
	for _, s := range list {
		all[s.place()] = true
	}
	return all
}

// sorted is a list in one spelling and order.
func sorted(list []Seen) []Seen {
	all := slices.Clone(list)
	for i := range all {
		all[i].Address = canonical(all[i].Address)
	}
	slices.SortFunc(all, Seen.compare)
	return all
}

// difference tells the first line in which two lists differ.
func difference(a, b []Seen) string {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return "+ " + b[i].String()
		case i >= len(b):
			return "- " + a[i].String()
		case a[i] != b[i]:
			return a[i].String() + ", then " + b[i].String()
		}
	}
	return ""
}
