package slicertest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Run has one subtest for each guarantee. One that the writer breaks fails with the shortest history that breaks it. A
// mistake in the Options fails the test at once.
func Run(t *testing.T, o Options, start Writer) {
	t.Helper()
	k, err := newKit(o, start)
	if err != nil {
		t.Fatalf("slicertest: %v", err)
	}
	findings := k.check()
	for _, g := range k.judged {
		t.Run(string(g), func(t *testing.T) {
			for _, f := range findings {
				if f.Guarantee == g && f.Known != "" && f.Failed > 0 {
					t.Logf("known: %s\n%s", f.Known, f)
				} else if f.Guarantee == g {
					t.Error(f)
				}
			}
		})
	}
}

// Finding is a guarantee that does not hold, or one of Options.Known that does.
type Finding struct {
	// Guarantee is empty where the Options have a mistake, which Story explains.
	Guarantee Guarantee
	// Known is the reason that Options.Known gives.
	Known string
	// Failed of Histories have broken the guarantee. Zero: it is listed as known, and holds.
	Failed, Histories int
	// Story is the shortest history found that breaks the guarantee, in several lines.
	Story string
}

// String is what a failing test prints.
func (f Finding) String() string {
	switch {
	case f.Guarantee == "":
		return "slicertest: " + f.Story
	case f.Failed == 0:
		return fmt.Sprintf("%s holds in %d histories: take it off Options.Known (%s)", f.Guarantee, f.Histories, f.Known)
	}
	return f.Story
}

// Check is Run without a test: it returns what Run reports, in the order of the guarantees. It is for tests that expect
// findings.
func Check(o Options, start Writer) []Finding {
	k, err := newKit(o, start)
	if err != nil {
		return []Finding{{Story: err.Error()}}
	}
	return k.check()
}

// steadyHistories is how many histories are lived through twice to see whether a writer is deterministic.
const steadyHistories = 50

func (k *kit) check() []Finding {
	failed, first := map[Guarantee]int{}, map[Guarantee]history{}
	note := func(h history, g Guarantee) {
		if failed[g]++; failed[g] == 1 {
			first[g] = h
		}
	}
	all := k.histories()
	for i, h := range all {
		r := k.play(h, false, false)
		for g := range r.failures {
			note(h, g)
		}
		if k.judges(Deterministic) && i < steadyHistories && !slices.EqualFunc(r.telling.writes, k.play(h, false, true).telling.writes, entry.same) {
			note(h, Deterministic)
		}
	}
	var findings []Finding
	for _, g := range k.judged {
		known, isKnown := k.Known[g]
		f := Finding{Guarantee: g, Known: known, Failed: failed[g], Histories: len(all)}
		if g == Deterministic {
			f.Histories = min(steadyHistories, len(all))
		}
		if f.Failed > 0 {
			f.Story = k.story(first[g], f)
		}
		if f.Failed > 0 || isKnown {
			findings = append(findings, f)
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(rank(a.Guarantee), rank(b.Guarantee)) })
	return findings
}

// story tells the shortest history that breaks a guarantee, up to there.
func (k *kit) story(h history, f Finding) string {
	head := fmt.Sprintf("%s: %s", f.Guarantee, f.Guarantee.Sentence())
	foot := fmt.Sprintf("  broken in %d of %d histories; Seed: %d draws them again", f.Failed, f.Histories, k.Seed)
	var lines []string
	if f.Guarantee == Deterministic {
		lines = difference(k.play(h, false, false).telling.writes, k.play(h, false, true).telling.writes)
	} else if r := k.shrink(h, f.Guarantee); r != nil {
		lines = r.upTo(f.Guarantee)
	} else {
		lines = []string{"  in a history that has not failed again: the writer does not do the same twice"}
	}
	return strings.Join(slices.Concat([]string{head}, lines, []string{foot}), "\n")
}
