package deduptest

import "testing"

// TestSteady has a row for each reason to show something else than before, or not to.
func TestSteady(t *testing.T) {
	a, b := Seen{Address: "10.0.0.1", State: Ready}, Seen{Address: "10.0.0.2", State: Ready}
	says := func(doubtful bool, claims ...claim) ledger {
		l := ledger{doubtful: doubtful, claims: map[Seen][]claim{}}
		for _, c := range claims {
			c.place = a.place()
			l.places, l.claims[c.place] = []Seen{c.place}, append(l.claims[c.place], c)
		}
		return l
	}
	ready, unready, second := claim{state: Ready}, claim{state: Unready}, claim{state: Ready, optional: true}
	for _, row := range []struct {
		why                string
		before, now, again []Seen
		was, is            ledger
		resync, breach     bool
	}{
		{"nothing changes", []Seen{a}, []Seen{a}, []Seen{a}, says(false, ready), says(false, ready), true, false},
		{"another order", []Seen{a, b}, []Seen{b, a}, []Seen{a, b}, says(false, ready), says(false, ready), true, false},
		{"asked again", []Seen{a}, []Seen{a}, []Seen{b}, says(false, ready), says(false, ready), false, true},
		{"a resync", []Seen{a}, nil, nil, says(false, second), says(false, second), true, true},
		{"a resync of a slice with two versions", []Seen{a}, nil, nil, says(true, ready), says(true, ready), true, true},
		{"an event of another slice", []Seen{a}, nil, nil, says(false, ready), says(false, ready), false, true},
		{"the slice says something else", []Seen{a}, nil, nil, says(false, ready), says(false, unready), false, false},
		{"a slice with two versions", []Seen{a}, nil, nil, says(false, ready), says(true, ready), false, false},
		{"a slice that had two versions", []Seen{a}, nil, nil, says(true, ready), says(false, ready), false, false},
		{"a second address", []Seen{a}, nil, nil, says(false, second), says(false, second), false, false},
	} {
		s := sight{now: row.now, again: row.again, before: row.before, was: row.was}
		if text := judgeSteady(&moment{resync: row.resync}, row.is, s, ShowsReady); (text != "") != row.breach {
			t.Errorf("%s: %q", row.why, text)
		}
	}
}
