package deduptest

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// blamed are the breaches that a judge reports.
type blamed []string

func (b *blamed) add(format string, arg any) { *b = append(*b, fmt.Sprintf(format, arg)) }

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
		var blamed blamed
		if judgeSteady(&suite{}, &moment{resync: row.resync}, row.is, s, blamed.add); (blamed != nil) != row.breach {
			t.Errorf("%s: %v", row.why, blamed)
		}
	}
}

// TestOrder has a row for each way to show a place whose newer copy says something else than the
// older one.
func TestOrder(t *testing.T) {
	old, other := Seen{Address: "10.0.0.1"}, Seen{Address: "10.0.0.2"}
	ready, pod := old, corev1.ObjectReference{Name: "p"}
	ready.State = Ready
	for _, row := range []struct {
		why      string
		newer    State
		useful   int
		beside   State // of another endpoint of the port
		now      []Seen
		showsAll bool
		breach   bool
	}{
		{"shown as ready, and drains", Draining, 1, Unready, []Seen{ready}, false, true},
		{"shown, and drains beside a ready endpoint", Draining, 1, Ready, []Seen{old, other}, false, true},
		{"shown, and drains where none is ready", Draining, 1, Unready, []Seen{old}, false, false},
		{"shown by a reader that shows all", Draining, 1, Ready, []Seen{old, other}, true, false},
		{"shown, and is not ready", Unready, 0, Unready, []Seen{old}, false, true},
		{"not shown, and is not ready", Unready, 0, Ready, []Seen{other}, false, false},
		{"not shown by a reader that shows all", Unready, 0, Ready, []Seen{other}, true, true},
	} {
		l := ledger{claims: map[Seen][]claim{
			old: {{place: old, state: Ready, usefulness: 7, target: pod, version: 1},
				{place: old, state: row.newer, usefulness: row.useful, target: pod, version: 2}},
			other: {{place: other, state: row.beside}},
		}, places: []Seen{old, other}, sure: map[Seen]bool{old: true, other: true}}
		var blamed blamed
		if judgeOrder(&suite{Options: Options{ShowsAll: row.showsAll}}, nil, l,
			sight{now: row.now, places: places(row.now)}, blamed.add); (blamed != nil) != row.breach {
			t.Errorf("%s: %v", row.why, blamed)
		}
	}
}

// TestHints has a row for each service port about which a reader is judged, or is not. Nothing of
// it is used in zone-a.
func TestHints(t *testing.T) {
	at := func(address, zone string, state State) claim {
		return claim{place: Seen{Address: address}, zones: zone, state: state}
	}
	second := at("10.0.0.2", "zone-b", Ready)
	second.optional = true
	for _, row := range []struct {
		why    string
		claims []claim
		breach bool
	}{
		{"nothing to use", nil, false},
		{"no hints", []claim{at("10.0.0.1", "", Ready), at("10.0.0.2", "", Ready)}, true},
		{"a hint for the zone", []claim{at("10.0.0.1", "zone-a", Ready), at("10.0.0.2", "zone-b", Ready)}, true},
		{"hints for several zones", []claim{at("10.0.0.1", "zone-b", Ready), at("10.0.0.2", "zone-b,zone-a", Ready)}, true},
		{"hints for another zone only", []claim{at("10.0.0.1", "zone-b", Ready)}, true},
		{"one is not ready", []claim{at("10.0.0.1", "zone-a", Ready), at("10.0.0.2", "zone-b", Unready)}, false},
		{"one is optional", []claim{at("10.0.0.1", "zone-a", Ready), second}, false},
		{"two families, each for itself", []claim{at("10.0.0.1", "", Ready), at("fd00::2", "zone-a", Ready)}, true},
		{"slices disagree", []claim{at("10.0.0.1", "zone-a", Ready), at("10.0.0.1", "zone-b", Ready)}, false},
	} {
		l, seen := ledger{claims: map[Seen][]claim{}}, map[Seen]bool{}
		for _, c := range row.claims {
			if seen[c.place] = true; l.claims[c.place] == nil {
				l.places = append(l.places, c.place)
			}
			l.claims[c.place] = append(l.claims[c.place], c)
		}
		var blamed blamed
		if judgeHints(l, seen, nil, "zone-a", blamed.add); (blamed != nil) != row.breach {
			t.Errorf("%s: %v", row.why, blamed)
		}
	}
}
