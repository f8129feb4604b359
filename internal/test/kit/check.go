package kit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// Finding is a cause for which a guarantee does not hold, or one of Options.Known that was not met.
// The kits have a type of their own with the same fields.
type Finding struct {
	Guarantee, Cause, Known string
	Failed, Histories       int
	Replay, History         string
}

// Text is what a failing test prints.
func (f Finding) Text() string {
	if f.Failed == 0 {
		return fmt.Sprintf("not met in %d histories: take %q off Options.Known, which says: %s", f.Histories, f.Cause,
			f.Known)
	}
	return f.History
}

// found is what is known of a cause: how many histories fail, and the shortest of them with what is
// printed of it.
type found struct {
	guarantee, cause string
	failed           int
	first            History
	lines            []string
}

// run is one run of the code under test through many histories.
type run struct {
	*Claims
	play     Play
	causes   map[string]*found
	reached  int       // histories that have reached a limit
	since    time.Time // when the first one did
	over     bool      // a call does not return, or takes so long that nothing is played any more
	withheld map[string]int
}

// Check plays histories and returns a Finding for each cause, in the order of the guarantees and
// then of the causes.
func (c *Claims) Check(menu Menu, play Play) ([]Finding, error) {
	all := menu.draw(c.Histories, c.Seed)
	if c.replay != nil {
		all = []History{*c.replay}
	}
	r := &run{Claims: c, play: play, causes: map[string]*found{}, withheld: map[string]int{}}
	trace := c.newTrace()
	defer trace.remove()
	for i, h := range all {
		trace.note(c, i, h)
		l := r.live(h)
		r.note(h, l)
		if l.stop != nil && (l.mistake || !r.explained()) {
			return nil, l.stop
		}
		if l.stop != nil || r.over || r.reached == enough || r.spent(drawLimit()) {
			return r.findings(i+1, i+1 < len(all)), nil
		}
	}
	return r.findings(len(all), false), nil
}

// Until plays histories until one breaks a guarantee, and returns its number, from 1, or 0 if none
// does.
func (c *Claims) Until(guarantee string, menu Menu, play Play) (broken int, err error) {
	played, found := 0, errors.New("it is found")
	_, err = c.Check(menu, func(h History, l *Log) {
		play(h, l)
		if played++; l.Breaks(guarantee) {
			broken = played
			l.Mistake(found)
		}
	})
	if err == found {
		err = nil
	}
	return broken, err
}

// live plays a history, and keeps account of the limits.
func (r *run) live(h History) *Log {
	l := r.Claims.live(r.play, h)
	end := l.ending()
	if r.over = r.over || end == overdue; end == lasted {
		return l
	}
	if r.reached++; r.reached == 1 {
		r.since = now()
	}
	return l
}

// spent reports whether a time has passed since a limit was reached first.
func (r *run) spent(limit time.Duration) bool {
	return r.replay == nil && r.reached > 0 && now().Sub(r.since) > limit
}

// note adds the breaches of a history to the causes.
func (r *run) note(h History, l *Log) {
	for _, cause := range l.Causes() {
		b, _ := l.of(cause)
		f := r.causes[cause]
		if _, known := r.Known[cause]; f == nil && !known && r.number(b.guarantee) == maxCauses {
			r.withheld[b.guarantee]++
			continue
		}
		if f == nil {
			f = &found{guarantee: b.guarantee, cause: cause}
			r.causes[cause] = f
		}
		if f.failed++; f.failed == 1 || len(h.Steps) < len(f.first.Steps) {
			f.first, f.lines = h, l.upTo(b)
		}
	}
}

// number is how many causes of a guarantee are found that are not known.
func (r *run) number(guarantee string) (n int) {
	for cause, f := range r.causes {
		if _, known := r.Known[cause]; f.guarantee == guarantee && !known {
			n++
		}
	}
	return n
}

// explained reports whether a breach is found that may be the reason why going on makes no sense.
func (r *run) explained() bool {
	for _, f := range r.causes {
		if r.guarantee(f.guarantee).Explains || r.reached > 0 {
			return true
		}
	}
	return false
}

// findings makes a Finding of each cause. A run that was cut says nothing about causes that it has
// not met.
func (r *run) findings(histories int, cut bool) []Finding {
	list := slices.SortedFunc(maps.Values(r.causes), func(a, b *found) int {
		return cmp.Or(cmp.Compare(r.rank(a.guarantee), r.rank(b.guarantee)), cmp.Compare(a.cause, b.cause))
	})
	var findings []Finding
	for _, f := range list {
		r.shrink(f)
		finding := Finding{
			Guarantee: f.guarantee, Cause: f.cause, Known: r.Known[f.cause], Failed: f.failed, Histories: histories,
			Replay: f.first.String(),
		}
		finding.History = r.text(finding, f.lines)
		findings = append(findings, finding)
	}
	for cause, reason := range r.Known {
		if r.causes[cause] == nil && r.replay == nil && !cut {
			guarantee, _, _ := strings.Cut(cause, ": ")
			findings = append(findings, Finding{Guarantee: guarantee, Cause: cause, Known: reason,
				Histories: histories})
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(r.rank(a.Guarantee), r.rank(b.Guarantee)), cmp.Compare(a.Cause, b.Cause))
	})
	return findings
}

// text is what is printed of a finding.
func (r *run) text(f Finding, history []string) string {
	lines := append([]string{f.Guarantee + ": " + r.guarantee(f.Guarantee).Sentence}, history...)
	if _, cause, _ := strings.Cut(f.Cause, ": "); strings.Contains(cause, "…") {
		lines = append(lines, fmt.Sprintf("  cause: %q", f.Cause))
	}
	if n := r.withheld[f.Guarantee]; n > 0 && f.Known == "" {
		lines = append(lines, fmt.Sprintf("  %s has more causes, which broke it %d times and are not shown",
			f.Guarantee, n))
	}
	if r.replay == nil {
		lines = append(lines, fmt.Sprintf("  broken in %d of %d histories; this one alone: -%s.replay=%q", f.Failed,
			f.Histories, r.Kit.Name, f.Replay))
	}
	return strings.Join(lines, "\n")
}

const (
	stepTries  = 4  // for code that does not do the same twice: how often a shorter history is tried
	printTries = 20 // and how often the one is tried that is printed
)

// shrink leaves steps out of the history of a cause, the last ones first, and makes numbers
// smaller, as long as it fails for the same cause. It stops early if the run has no time left. A
// history that does not fail again is printed as it failed, with a line that says so.
func (r *run) shrink(f *found) {
	if r.replay != nil || r.over {
		return
	}
	fails := func(h History, tries int) bool {
		for range tries {
			if r.over || r.spent(shrinkLimit()) {
				return false
			}
			l := r.live(h)
			if b, failed := l.of(f.cause); failed {
				f.first, f.lines = h, l.upTo(b)
				return true
			}
		}
		return false
	}
	if !fails(f.first, printTries) {
		if !r.over && !r.spent(shrinkLimit()) {
			f.lines = append(f.lines, "  this history has not failed again: the same does not happen twice")
		}
		return
	}
	tries := 1
	for range 2 {
		if !fails(f.first, 1) {
			tries = stepTries
		}
	}
	for f.shorten(func(h History) bool { return fails(h, tries) }) {
	}
}

// shorten tries once to leave out each step, or to make its number smaller. It reports whether one
// was.
func (f *found) shorten(fails func(History) bool) (shorter bool) {
	h := f.first
	for _, list := range []*[]Step{&h.Steps, &h.Setup} {
		for i := len(*list) - 1; i >= 0; i-- {
			all := *list
			*list = slices.Delete(slices.Clone(all), i, i+1)
			failed := fails(h)
			if !failed && all[i].N > 1 {
				*list = slices.Clone(all)
				(*list)[i].N--
				failed = fails(h)
			}
			if shorter = shorter || failed; !failed {
				*list = all
			}
		}
	}
	return shorter
}

// Run is a test with a subtest for each guarantee, which fails with the histories of the findings
// that are not known.
func (c *Claims) Run(t *testing.T, check func() ([]Finding, error)) {
	t.Helper()
	c.announced = true
	findings, err := check()
	if err != nil {
		t.Fatalf("%s: %v", c.Kit.Name, err)
	}
	for _, g := range c.judged {
		t.Run(g.Name, func(t *testing.T) {
			t.Helper()
			for _, f := range findings {
				switch {
				case f.Guarantee != g.Name:
				case f.Known != "" && f.Failed > 0:
					t.Logf("known: %s\n%s", f.Known, f.Text())
				default:
					t.Error(f.Text())
				}
			}
		})
	}
}
