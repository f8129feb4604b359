package deduptest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// sight is what a reader shows at a moment.
type sight struct {
	now    []Seen
	again  []Seen        // the answer to a second call of See
	before []Seen        // the answer at the moment before
	places map[Seen]bool // the places in now (see Seen.place)
	was    ledger        // what the slices said at the moment before (see ledger in claims.go)
	is     ledger        // what they say now
}

// blame reports what is wrong. format has one %s, for the text.
type blame func(format, text string)

// judges has a function for each guarantee about what is seen. The function calls fail if the
// guarantee does not hold.
var judges = []struct {
	guarantee string
	judge     func(k *suite, m *moment, l ledger, s sight, fail blame)
}{
	{"all", judgeAll}, {"only", judgeOnly}, {"once", judgeOnce}, {"steady", judgeSteady}, {"order", judgeOrder},
	{"same-list", judgeSameList},
}

func judgeAll(k *suite, _ *moment, l ledger, s sight, fail blame) {
	for _, place := range l.places {
		hidden := slices.ContainsFunc(l.claims[place], func(c claim) bool { return !k.mustShow(c.state) })
		if l.sure[place] && !hidden && !s.places[place] {
			fail("not seen: %s", place.text())
		}
	}
}

func judgeOnly(k *suite, _ *moment, l ledger, s sight, fail blame) {
	ready := l.ready()
	for _, seen := range s.now {
		said := slices.ContainsFunc(l.claims[seen.place()], func(c claim) bool {
			if seen.State != "" && seen.State != c.state {
				return false
			}
			return k.mustShow(c.state) || c.state == isDraining && !ready[seen.family()]
		})
		if !said {
			fail("seen, and no slice says so: %s", seen.text())
		}
	}
}

func judgeOnce(k *suite, _ *moment, _ ledger, s sight, fail blame) {
	seen := map[Seen]bool{}
	for _, one := range s.now {
		if seen[one.place()] {
			fail("seen twice: %s", one.place().text())
		}
		seen[one.place()] = true
	}
}

func judgeSteady(k *suite, m *moment, l ledger, s sight, fail blame) {
	if text := changed(s.now, s.again); text != "" {
		fail("asked again, the reader sees something else: %s", text)
		return
	}
	text := changed(s.before, s.now)
	if m.resync && text != "" {
		fail("the event shows nothing new, and the reader sees something else: %s", text)
	}
	if m.resync || text == "" || l.doubtful || s.was.doubtful {
		return
	}
	before, now := byPlace(s.before), byPlace(s.now)
	for _, place := range l.places {
		claims := l.claims[place]
		if !slices.Equal(claims, s.was.claims[place]) || k.mayVary(claims) {
			continue
		}
		if text := changed(before[place], now[place]); text != "" {
			fail("the event is about something else, and the reader changes its mind: %s", text)
		}
	}
}

// byPlace returns what is seen at each place.
func byPlace(list []Seen) map[Seen][]Seen {
	all := map[Seen][]Seen{}
	for _, s := range list {
		all[s.place()] = append(all[s.place()], s)
	}
	return all
}

// judgeOrder looks at places about which slices disagree. While a slice has two versions, it is not
// known which one counts, so nothing is judged.
func judgeOrder(k *suite, _ *moment, l ledger, s sight, fail blame) {
	if l.doubtful {
		return
	}
	ready := l.ready()
	for _, one := range s.now {
		claims := l.claims[one.place()]
		if len(claims) == 0 || agree(claims) {
			continue
		}
		want := winner(claims)
		if one.State != "" && one.State != want || !k.mustShow(want) && (want != isDraining || ready[one.family()]) {
			fail("seen as another copy says: %s", copies(one, claims))
			return
		}
	}
	for _, place := range l.places {
		claims := l.claims[place]
		if l.sure[place] && !agree(claims) && k.mustShow(winner(claims)) && !s.places[place] {
			fail("not seen: %s", copies(place, claims))
		}
	}
}

// judgeSameList compares lists exactly, including their order. If a slice changed only in a way
// that no reader shows (reworded), the list must stay the same, unless slices disagree: the changed
// slice is the newest one now, so another copy may win.
func judgeSameList(k *suite, m *moment, l ledger, s sight, fail blame) {
	if text := difference(s.now, s.again); text != "" {
		fail("asked again, the reader gives another list: %s", text)
		return
	}
	quarrel := l.doubtful
	for _, claims := range l.claims {
		quarrel = quarrel || !agree(claims)
	}
	if text := difference(s.before, s.now); (m.resync || m.reworded && !quarrel) && text != "" {
		fail("nothing changed that shows, and the reader gives another list: %s", text)
	}
}

// copies says which copy of an endpoint counts, and what each slice says.
func copies(s Seen, claims []claim) string {
	text := fmt.Sprintf("%s, and the copy that counts is %s:", s.text(), winner(claims))
	for _, c := range claims {
		text += fmt.Sprintf(" %s in slice %s (rv=%d),", c.state, c.slice, c.version)
	}
	return strings.TrimSuffix(text, ",")
}

// judgeHints checks what a client at a place uses, by the rule that all readers of hints follow. If
// every endpoint of a service port has a hint for nodes, and some endpoint has one for the client's
// node, the client uses the endpoints with a hint for its node. Otherwise the same holds for zones.
// Otherwise it uses all endpoints. Each address family is judged separately, because kube-proxy
// decides for each family. Readers treat endpoints that are not ready in different ways. So service
// ports with such endpoints are not judged, and neither are service ports about which slices
// disagree.
func judgeHints(l ledger, seen map[Seen]bool, use []Seen, at routing.Location, fail blame) {
	ports := map[Seen][]claim{}
	for _, place := range l.places {
		port := place.family()
		ports[port] = append(ports[port], l.claims[place]...)
	}
	used := places(use)
	for _, port := range slices.SortedFunc(maps.Keys(ports), Seen.compare) {
		list := ports[port]
		if !plain(list) || slices.ContainsFunc(list, func(c claim) bool { return !seen[c.place] }) {
			continue
		}
		by := obeyed(list, at)
		for _, c := range list {
			switch want := c.serves(by, at); {
			case want && !used[c.place]:
				fail("not used: %s", c.place.text()+whose(c))
				return
			case !want && used[c.place]:
				fail("used, though its hint is for another place: %s", c.place.text()+whose(c))
				return
			}
		}
	}
}

// obeyed returns the kind of hints that a client at a place obeys: an index of claim.hints, or -1
// if it obeys none.
func obeyed(list []claim, at routing.Location) int {
	return slices.IndexFunc([]int{forNodes, forZones}, func(by int) bool {
		return !slices.ContainsFunc(list, func(c claim) bool { return c.hints[by] == "" }) &&
			slices.ContainsFunc(list, func(c claim) bool { return c.serves(by, at) })
	})
}

// whose returns the hints of a claim as text.
func whose(c claim) string {
	text := ""
	for by, kind := range []string{" for nodes ", " for zones "} {
		if c.hints[by] != "" {
			text += kind + c.hints[by]
		}
	}
	return text
}

// plain reports whether all readers treat the claims of a service port in the same way.
func plain(list []claim) bool {
	known := map[Seen][2]string{}
	for _, c := range list {
		if before, twice := known[c.place]; twice && before != c.hints {
			return false
		}
		known[c.place] = c.hints
		if c.state != isReady || c.optional {
			return false
		}
	}
	return true
}

func places(list []Seen) map[Seen]bool {
	all := map[Seen]bool{}
	for _, s := range list {
		all[s.place()] = true
	}
	return all
}

// sorted returns a copy of the list, sorted and with addresses in canonical spelling.
func sorted(list []Seen) []Seen {
	all := slices.Clone(list)
	for i := range all {
		all[i].Address = sim.Canonical(all[i].Address)
	}
	slices.SortFunc(all, Seen.compare)
	return all
}

// changed returns the first difference between two lists, without regard to order and spelling. It
// is empty if there is none.
func changed(a, b []Seen) string {
	if slices.Equal(a, b) {
		return ""
	}
	return difference(sorted(a), sorted(b))
}

// difference returns the first element in which two lists differ.
func difference(a, b []Seen) string {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return "+ " + b[i].text()
		case i >= len(b):
			return "- " + a[i].text()
		case a[i] != b[i]:
			return a[i].text() + ", then " + b[i].text()
		}
	}
	return ""
}
