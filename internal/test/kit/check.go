package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Finding is a cause for which a guarantee does not hold, or one of Options.Known that was not met. The kits have a type of
// their own with the same fields.
type Finding struct {
	Guarantee, Cause, Known string
	Failed, Histories       int
	Replay, History         string
}

// Text is what a failing test prints.
func (f Finding) Text() string {
	if f.Failed == 0 {
		return fmt.Sprintf("not met in %d histories: take %q off Options.Known, which says: %s", f.Histories, f.Cause, f.Known)
	}
	return f.History
}

// found is what is known of a cause: how many histories fail, and the one with the fewest steps.
type found struct {
	guarantee string
	failed    int
	first     History
}

// Check plays histories and returns a Finding for each cause, in the order of the guarantees and then of the causes.
func (c *Claims) Check(menu Menu, play Play) ([]Finding, error) {
	all := menu.draw(c.Histories, c.Seed)
	if c.replay != nil {
		all = []History{*c.replay}
	}
	causes := map[string]*found{}
	trace := c.newTrace()
	defer trace.remove()
	stuck, restless := "", 0
	for i, h := range all {
		trace.note(c, i, h)
		l, hangs := c.live(play, h, false)
		if l.stop != nil {
			return nil, l.stop
		}
		for _, b := range l.breaches {
			f := causes[b.cause]
			if f == nil {
				f = &found{guarantee: b.guarantee, first: h}
				causes[b.cause] = f
			}
			if f.failed++; len(h.Steps) < len(f.first.Steps) {
				f.first = h
			}
		}
		if hangs {
			all, stuck = all[:i+1], l.breaches[len(l.breaches)-1].cause
			break
		}
		if l.tired {
			if restless++; restless == enough {
				all = all[:i+1]
				break
			}
		}
	}
	return c.findings(causes, len(all), stuck, restless == enough, play), nil
}

func (c *Claims) findings(causes map[string]*found, histories int, stuck string, cut bool, play Play) []Finding {
	var findings []Finding
	for cause, f := range causes {
		finding := Finding{Guarantee: f.guarantee, Cause: cause, Known: c.Known[cause], Failed: f.failed, Histories: histories}
		shortest, last := f.first, (*Log)(nil)
		if cause == stuck {
			last, _ = c.live(play, f.first, true) // it takes the whole time limit, and a shorter one would, too
		} else {
			shortest, last = c.shrink(play, f.first, cause)
		}
		finding.Replay = shortest.String()
		finding.History = c.text(finding, last)
		findings = append(findings, finding)
	}
	for cause, reason := range c.Known {
		if causes[cause] == nil && c.replay == nil && !cut {
			guarantee, _, _ := strings.Cut(cause, ": ")
			findings = append(findings, Finding{Guarantee: guarantee, Cause: cause, Known: reason, Histories: histories})
		}
	}
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(c.rank(a.Guarantee), c.rank(b.Guarantee)), cmp.Compare(a.Cause, b.Cause))
	})
	return findings
}

// text is what is printed of a finding, whose history failed last with this log.
func (c *Claims) text(f Finding, last *Log) string {
	lines := []string{f.Guarantee + ": " + c.guarantee(f.Guarantee).Sentence}
	if b, failed := last.of(f.Cause); failed {
		lines = append(lines, last.upTo(b)...)
	} else {
		lines = append(lines, "  in a history that has not failed again: the same does not happen twice")
	}
	if _, cause, _ := strings.Cut(f.Cause, ": "); strings.Contains(cause, "…") {
		lines = append(lines, fmt.Sprintf("  cause: %q", f.Cause))
	}
	if c.replay == nil {
		lines = append(lines, fmt.Sprintf("  broken in %d of %d histories; this one alone: -%s.replay=%q", f.Failed, f.Histories, c.Kit.Name, f.Replay))
	}
	return strings.Join(lines, "\n")
}

// enough is how many histories without an end are played: each takes long, and says the same.
const enough = 30

const (
	stepTries  = 4  // for code that does not do the same twice: how often a shorter history is tried
	printTries = 20 // and how often the one is tried that is printed
)

// shrink leaves steps out of a history, the last ones first, and makes numbers smaller, as long as it fails for the same cause.
// It returns what is left, with the log of its last failure, or a log without the breach if it never failed again.
func (c *Claims) shrink(play Play, h History, cause string) (History, *Log) {
	best := &Log{}
	if c.replay != nil {
		best, _ = c.live(play, h, true)
		return h, best
	}
	fails := func(h History, tries int) bool {
		for range tries {
			l, _ := c.live(play, h, true)
			if _, failed := l.of(cause); failed {
				best = l
				return true
			}
		}
		return false
	}
	if !fails(h, printTries) {
		return h, best
	}
	tries := 1
	for range 2 {
		if !fails(h, 1) {
			tries = stepTries
		}
	}
	for shorter := true; shorter; {
		shorter = false
		for _, list := range []*[]Step{&h.Steps, &h.Setup} {
			for i := len(*list) - 1; i >= 0; i-- {
				all := *list
				*list = slices.Delete(slices.Clone(all), i, i+1)
				failed := fails(h, tries)
				if !failed && all[i].N > 1 {
					*list = slices.Clone(all)
					(*list)[i].N--
					failed = fails(h, tries)
				}
				if shorter = shorter || failed; !failed {
					*list = all
				}
			}
		}
	}
	return h, best
}

// Run is a test with a subtest for each guarantee, which fails with the histories of the findings that are not known.
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
