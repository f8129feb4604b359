package kit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var testKit = Kit{
	Name: "test",
	Guarantees: []Guarantee{{Name: "sum", Sentence: "the numbers are small"},
		{Name: "late", Sentence: "nothing", Follows: []string{"sum"}}, {Name: Returns, Sentence: "it returns", Explains: true}},
	Features: []Feature{{Name: "A"}, {Name: "B", Needs: "A"}, {Name: "C", OnRequest: true}},
}

func claims(t *testing.T, o Options) *Claims {
	t.Helper()
	c, err := testKit.Claims(o, func(string) ([]string, bool) { return nil, true })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var testMenu = Menu{
	Setup:  func(r *rand.Rand, _ bool) []Step { return []Step{{"begin", r.IntN(9)}} },
	Groups: [][]string{{"a", "b"}, {"c"}}, Arm: []string{"x"}, Random: 50,
}

func TestHistoriesAreReadAsWritten(t *testing.T) {
	for _, h := range append(testMenu.draw(0, 1), History{}, History{Setup: []Step{{"a", 0}}},
		History{Steps: []Step{{"b", 12}}}) {
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

// TestDraw checks that a seed draws the same histories, another seed others, and that all pairs are
// there.
func TestDraw(t *testing.T) {
	all := testMenu.draw(0, 1)
	if !reflect.DeepEqual(all, testMenu.draw(0, 1)) || reflect.DeepEqual(all, testMenu.draw(0, 2)) ||
		len(all) != 3+12+50 {
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

// TestShrink has a play that fails where a is followed by b with a number of 3 or more, whatever
// else there is.
func TestShrink(t *testing.T) {
	play := func(h History, l *Log) {
		for i, s := range h.Steps {
			l.Line("%d. %s", i, s.Event)
			if s.Event == "b" && s.N >= 3 &&
				slices.ContainsFunc(h.Steps[:i], func(s Step) bool { return s.Event == "a" }) {
				l.Fail("sum", "%d is %s", s.N, Word("much"))
				l.Fail("late", "it follows")
			}
		}
	}
	found, err := claims(t, Options{}).Check(testMenu, play)
	if err != nil || len(found) != 1 || found[0].Cause != "sum: … is much" || found[0].Replay != "/ a=1 b=3" ||
		!strings.Contains(found[0].History, "      ! 3 is much") {
		t.Fatalf("%+v %v", found, err)
	}
	found, err = claims(t, Options{Flags: Flags{Replay: found[0].Replay},
		Known: map[string]string{"sum: … is much": "it is known"}}).Check(testMenu, play)
	if err != nil || len(found) != 1 || found[0].Known != "it is known" || found[0].Failed != 1 ||
		found[0].Histories != 1 {
		t.Errorf("%+v %v", found, err)
	}
	found, err = claims(t, Options{Known: map[string]string{"late: x": "it is known"}}).Check(testMenu,
		func(History, *Log) {})
	if err != nil || len(found) != 1 || found[0].Failed != 0 ||
		!strings.Contains(found[0].Text(), "not met in 65 histories") {
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

// TestUpToShortens checks that what is printed has only the breach that it is about, and no line
// twice but for generated names.
func TestUpToShortens(t *testing.T) {
	l := claims(t, Options{}).NewLog()
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

// TestFolded has a row for each way in which lines can repeat themselves.
func TestFolded(t *testing.T) {
	for _, row := range []struct{ lines, want string }{
		{"a b c", "a b c"},
		{"a a a b", "a (3 times) b"},
		{"a b a b a b c", "a b these 2 lines 3 times c"},
		{"a b b a b b c", "a b b these 3 lines 2 times c"},
		{"x a-1 b a-2 b a-3 b", "x a-1 b these 2 lines 3 times"},
		{"a b a", "a b a"},
		{"a", "a"},
		{"", ""},
	} {
		got := strings.Join(folded(strings.Fields(row.lines)), " ")
		if got = strings.Join(strings.Fields(got), " "); got != row.want {
			t.Errorf("%s: %s, want %s", row.lines, got, row.want)
		}
	}
}

// TestElided: of many lines that answer one step the first and the last are printed.
func TestElided(t *testing.T) {
	lines := []string{"  1. first"}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("      line %c%c", 'a'+i/26, 'a'+i%26))
	}
	lines = append(lines, "  2. second", "      last")
	want := "  1. first|      line aa|      line ab|      line ac|      line ad|      line ae|      line af|      … " +
		"28 lines are left out|" +
		"      line bi|      line bj|      line bk|      line bl|      line bm|      line bn|  2. second|      last"
	if got := strings.Join(elided(lines), "|"); got != want {
		t.Error(got)
	}
}

// TestLongTextsAreCut: neither a breach nor a line nor a foot makes a report longer than a person
// reads.
func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	found, err := claims(t, Options{Histories: 1}).Check(testMenu, func(_ History, l *Log) {
		for range 2 * maxLines {
			l.Line("%s", long)
		}
		l.FailWith(func() []string { return slices.Repeat([]string{long}, 100) }, "sum", "%s is %s", long, Word(long))
	})
	if err != nil || len(found) != 1 || len(found[0].History) > 30*maxText ||
		!strings.Contains(found[0].History, "… (9000 more bytes)") ||
		!strings.Contains(found[0].History, "… 88 more") ||
		!strings.Contains(found[0].History, "… 5000 lines were not kept") {
		t.Errorf("%d bytes: %v", len(found[0].History), err)
	}
}

// TestManyCauses: a guarantee that is broken in too many ways is reported with some of them, and
// with all that are known.
func TestManyCauses(t *testing.T) {
	n := 0
	o := Options{Histories: 50, Known: map[string]string{"sum: cause 40": "it is known"}}
	found, err := claims(t, o).Check(testMenu, func(_ History, l *Log) {
		l.Fail("sum", "cause %s", Word(fmt.Sprint(n%50)))
		n++
	})
	if err != nil || len(found) != maxCauses+1 ||
		!strings.Contains(found[0].History, "sum has more causes, which broke it 39 times and are not shown") {
		t.Errorf("%d findings, %v", len(found), err)
	}
}

// TestStop: a run that makes no sense ends with the error, and with its findings if these may be
// the reason.
func TestStop(t *testing.T) {
	for _, row := range []struct {
		guarantee string
		limited   bool
		findings  int
	}{{"", false, 0}, {"sum", false, 0}, {Returns, false, 1}, {"sum", true, 1}} {
		n := 0
		found, err := claims(t, Options{}).Check(testMenu, func(_ History, l *Log) {
			if n++; n == 3 {
				l.Stop(errors.New("nothing was written"))
				return
			}
			if row.guarantee != "" {
				l.Fail(row.guarantee, "it is broken")
			}
			if row.limited {
				l.Limit()
			}
		})
		if len(found) != row.findings || (err == nil) != (row.findings > 0) {
			t.Errorf("%v: %v, %v", row, found, err)
		}
	}
}
