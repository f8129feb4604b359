package deduptest

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Finding is a guarantee that a reader breaks, with the shortest history that was found.
type Finding struct {
	Guarantee Guarantee
	// Story is for a person: what was told, and what was seen.
	Story string
	// Seed is the Options.Seed whose first random history is the one that failed. It means nothing where a pair of changes
	// failed, because all runs go through all pairs.
	Seed uint64
	// Failed is the number of histories that break the guarantee.
	Failed int
}

// String is the story, and how to repeat it.
func (f Finding) String() string { return f.Story }

// Check holds readers to the guarantees: start makes a new one for each history. It returns a Finding for each guarantee
// that a reader breaks, those of Options.Known included, in the order of the package comment; nil: the reader breaks none.
// Same options and same reader, same findings. The error joins a *field.Error for each mistake in the options, and for each
// function that a reader lacks.
func Check(o Options, start func() Reader) ([]Finding, error) {
	if err := o.mistakes(); err != nil {
		return nil, err
	}
	if start == nil {
		return nil, field.Required(field.NewPath("start"), "say how a reader is made")
	}
	if err := incomplete(start); err != nil {
		return nil, err
	}
	failed := map[Guarantee]*failure{}
	try := func(found failure) {
		for g := range play(found.history.moments(), start, &o) {
			f := failed[g]
			if f == nil {
				f = &found
				failed[g] = f
			} else if len(found.history) < len(f.history) {
				found.count = f.count
				*f = found
			}
			f.count++
		}
	}
	for _, h := range pairs(&o) {
		try(failure{history: h})
	}
	for i := range o.histories() {
		seed := o.Seed + uint64(i)
		try(failure{history: random(seed, &o), random: true, seed: seed})
	}
	var findings []Finding
	for _, g := range o.judged() {
		if f := failed[g]; f != nil {
			findings = append(findings, f.finding(g, start, &o))
		}
	}
	return findings, nil
}

// incomplete is the error of a Reader that lacks a function. One that cannot be made is a finding.
func incomplete(start func() Reader) error {
	var r Reader
	p := player{faults: map[Guarantee]fault{}}
	if !p.guard("start", func() { r = start() }) {
		return nil
	}
	var errs []error
	if r.Event == nil {
		errs = append(errs, field.Required(field.NewPath("reader", "event"), "say what the reader does with an event"))
	}
	if r.See == nil {
		errs = append(errs, field.Required(field.NewPath("reader", "see"), "say what the reader sees"))
	}
	return errors.Join(errs...)
}

func (o *Options) histories() int {
	if o.Histories == 0 {
		return defaultHistories
	}
	return max(o.Histories, 0)
}

// Run is Check as a test: one subtest for each guarantee, which prints the story when the guarantee fails.
func Run(t *testing.T, o Options, start func() Reader) {
	t.Helper()
	findings, err := Check(o, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range o.judged() {
		t.Run(string(g), func(t *testing.T) {
			t.Helper()
			text, ok := o.outcome(g, findings)
			if !ok {
				t.Error(text)
			} else if text != "" {
				t.Log(text)
			}
		})
	}
}

// outcome is what a subtest says, and whether it passes.
func (o *Options) outcome(g Guarantee, findings []Finding) (text string, ok bool) {
	reason, known := o.Known[g]
	for _, f := range findings {
		if f.Guarantee == g && known {
			return "known: " + reason + "\n" + f.Story, true
		} else if f.Guarantee == g {
			return f.Story, false
		}
	}
	if known {
		return string(g) + " holds now: take it out of Options.Known, which says: " + reason, false
	}
	return "", true
}
