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

// judges has a verdict for each guarantee that looks at what is seen.
var judges = []struct {
	guarantee string
	judge     func(k *suite, m *moment, l ledger, s sight) complaint
}{
	{"all", judgeAll}, {"only", judgeOnly}, {"once", judgeOnce}, {"steady", judgeSteady}, {"order", judgeOrder}, {"same-list", judgeSameList},
}

func judgeAll(k *suite, _ *moment, l ledger, s sight) complaint {
	for _, place := range l.places {
		hidden := slices.ContainsFunc(l.claims[place], func(c claim) bool { return !k.stands(c.state) })
		if l.sure[place] && !hidden && !s.places[place] {
			return complaint{"not seen: %s", place}
		}
	}
	return complaint{}
}

func judgeOnly(k *suite, _ *moment, l ledger, s sight) complaint {
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
			return k.stands(c.state) || c.state == Draining && !ready[seen.port()]
		})
		if !said {
			return complaint{"seen, and no slice says so: %s", seen}
		}
	}
	return complaint{}
}

func judgeOnce(k *suite, _ *moment, _ ledger, s sight) complaint {
	seen := map[Seen]bool{}
	for _, one := range s.now {
		if seen[one.place()] {
			return complaint{"seen twice: %s", one.place()}
		}
		seen[one.place()] = true
	}
	return complaint{}
}

func judgeSteady(k *suite, m *moment, l ledger, s sight) complaint {
	if !slices.Equal(s.now, s.again) {
		if text := difference(sorted(s.now), sorted(s.again)); text != "" {
			return complaint{"asked again, the reader sees something else: %s", text}
		}
	}
	if slices.Equal(s.before, s.now) {
		return complaint{}
	}
	if m.resync {
		if text := difference(sorted(s.before), sorted(s.now)); text != "" {
			return complaint{"the event tells nothing new, and the reader sees something else: %s", text}
		}
	}
	if l.doubtful || s.was.doubtful {
		return complaint{}
	}
	before, now := byPlace(s.before), byPlace(s.now)
	for _, place := range l.places {
		claims := l.claims[place]
		if !slices.Equal(claims, s.was.claims[place]) || k.free(claims) {
			continue
		}
		if text := difference(sorted(before[place]), sorted(now[place])); text != "" {
			return complaint{"the event is about something else, and the reader changes its mind: %s", text}
		}
	}
	return complaint{}
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
func judgeOrder(k *suite, _ *moment, l ledger, s sight) complaint {
	if l.doubtful {
		return complaint{}
	}
	for _, one := range s.now {
		claims := l.claims[one.place()]
		if len(claims) == 0 || agree(claims) {
			continue
		}
		want := winner(claims)
		if one.State != "" && one.State != want || !k.stands(want) && want != Draining {
			return complaint{"seen in another state: %s", fmt.Sprintf("%s, want %s", one, want)}
		}
	}
	for _, place := range l.places {
		claims := l.claims[place]
		if l.sure[place] && !agree(claims) && k.stands(winner(claims)) && !s.places[place] {
			return complaint{"not seen: %s", fmt.Sprintf("%s %s", place, winner(claims))}
		}
	}
	return complaint{}
}

// judgeSameList takes lists to the letter. A slice that is reworded makes no difference, unless the rewording made it the
// newest of slices that disagree.
func judgeSameList(k *suite, m *moment, l ledger, s sight) complaint {
	if text := difference(s.now, s.again); text != "" {
		return complaint{"asked again, the reader gives another list: %s", text}
	}
	quarrel := l.doubtful
	for _, claims := range l.claims {
		quarrel = quarrel || !agree(claims)
	}
	if text := difference(s.before, s.now); (m.resync || m.reworded && !quarrel) && text != "" {
		return complaint{"nothing changed that shows, and the reader gives another list: %s", text}
	}
	return complaint{}
}

// judgeFresh holds a list to that of a new reader that is told the same slices.
func judgeFresh(old, fresh []Seen) complaint {
	if text := difference(fresh, old); text != "" {
		return complaint{"a new reader that is told the same slices gives another list: %s", text}
	}
	return complaint{}
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
