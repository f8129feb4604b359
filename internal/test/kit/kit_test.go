package kit

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var testKit = Kit{
	Name:       "test",
	Guarantees: []Guarantee{{Name: "sum", Sentence: "the numbers are small"}, {Name: "late", Sentence: "nothing", Follows: []string{"sum"}}, {Name: Returns, Sentence: "it returns"}},
	Features:   []Feature{{Name: "A"}, {Name: "B", Needs: "A"}, {Name: "C", OnRequest: true}},
}

func claims(t *testing.T, o Options) *Claims {
	t.Helper()
	c, err := testKit.Claims(o, func(name string) bool { return name != "unknown" })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var testMenu = Menu{
	Setup:  func(r *rand.Rand) []Step { return []Step{{"begin", r.IntN(9)}} },
	Happen: []string{"a", "b", "c"}, Arm: []string{"x"}, Random: 50,
	Number: func(r *rand.Rand, pair bool) int { return r.IntN(9) },
}

func TestHistoriesAreReadAsWritten(t *testing.T) {
	for _, h := range append(testMenu.draw(0, 1), History{}, History{Setup: []Step{{"a", 0}}}, History{Steps: []Step{{"b", 12}}}) {
		again, err := Parse(h.String())
		if err != nil || again.String() != h.String() {
			t.Errorf("%q: %q, %v", h, again, err)
		}
	}
	for _, text := range []string{"", "a b", "a=x /", "/ b=-1"} {
		if h, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, h)
		}
	}
}

// TestDraw checks that a seed draws the same histories, another seed others, and that all pairs are there.
func TestDraw(t *testing.T) {
	all := testMenu.draw(0, 1)
	if !reflect.DeepEqual(all, testMenu.draw(0, 1)) || reflect.DeepEqual(all, testMenu.draw(0, 2)) || len(all) != 3+12+50 {
		t.Errorf("%d histories", len(all))
	}
	pairs := map[[2]string]bool{}
	for _, h := range all {
		if len(h.Steps) == 2 {
			pairs[[2]string{h.Steps[0].Event, h.Steps[1].Event}] = true
		}
	}
	if len(pairs) != 12 || pairs[[2]string{"a", "x"}] || !pairs[[2]string{"x", "a"}] {
		t.Errorf("pairs %v", pairs)
	}
	if some := testMenu.draw(5, 1); !reflect.DeepEqual(some, all[:5]) {
		t.Errorf("some are %v", some)
	}
}

// TestShrink has a play that fails where a is followed by b with a number of 3 or more, whatever else there is.
func TestShrink(t *testing.T) {
	play := func(h History, l *Log) {
		for i, s := range h.Steps {
			l.Line("%d. %s", i, s.Event)
			if s.Event == "b" && s.N >= 3 && slices.ContainsFunc(h.Steps[:i], func(s Step) bool { return s.Event == "a" }) {
				l.Fail("sum", "%d is %s", s.N, Word("much"))
				l.Fail("late", "it follows")
			}
		}
	}
	found, err := claims(t, Options{}).Check(testMenu, play)
	if err != nil || len(found) != 1 || found[0].Cause != "sum: … is much" || found[0].Replay != "/ a=1 b=3" || !strings.Contains(found[0].History, "      ! 3 is much") {
		t.Fatalf("%+v %v", found, err)
	}
	found, err = claims(t, Options{Replay: found[0].Replay, Known: map[string]string{"sum: … is much": "it is known"}}).Check(testMenu, play)
	if err != nil || len(found) != 1 || found[0].Known != "it is known" || found[0].Failed != 1 || found[0].Histories != 1 {
		t.Errorf("%+v %v", found, err)
	}
	found, err = claims(t, Options{Known: map[string]string{"late: x": "it is known"}}).Check(testMenu, func(History, *Log) {})
	if err != nil || len(found) != 1 || found[0].Failed != 0 || !strings.Contains(found[0].Text(), "not met in 65 histories") {
		t.Errorf("%+v %v", found, err)
	}
}

// TestFeaturesNeedOthers checks which features are claimed.
func TestFeaturesNeedOthers(t *testing.T) {
	c := claims(t, Options{Without: []string{"A"}})
	if c.Can("A") || c.Can("B") || c.Can("C") || !claims(t, Options{Also: []string{"C"}}).Can("A", "B", "C") {
		t.Error("A feature is claimed, or is not")
	}
}

// TestUpToShortens checks that what is printed has only the breach that it is about, and no line twice but for generated names.
func TestUpToShortens(t *testing.T) {
	l := claims(t, Options{}).NewLog(true)
	l.Line("create web-zzzzz")
	l.Line("create web-xxxxx")
	l.Fail("late", "too late")
	l.Line("delete web")
	l.Fail("sum", "too much")
	l.Line("more")
	b, _ := l.of("sum: too much")
	if got := strings.Join(l.upTo(b), ","); got != "create web-zzzzz (2 times),delete web,      ! too much" {
		t.Error(got)
	}
}
