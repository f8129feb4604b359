package derived

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Verdict is what became of a mutant.
type Verdict string

// The verdicts.
const (
	Killed   Verdict = "killed"
	TimedOut Verdict = "timed out" // counts as killed: it runs forever, or slower than anybody would overlook
	Survived Verdict = "survived"
)

// Suite is how a binary's tests are run.
type Suite struct {
	Binary  *Binary
	Skip    []string      // tests that fail without a mutant, because changed code allocates more
	took    time.Duration // the whole suite without a mutant
	fewSkip []string      // Skip and those that fail when properties draw little
	fewTook time.Duration // the suite without them, when properties draw little
	least   time.Duration // that a run may take, and four times what it takes without a mutant besides
}

// Took is how long the whole suite takes without a mutant.
func (s *Suite) Took() time.Duration { return s.took }

// NewSuite runs the tests without a mutant. Tests that fail then are skipped from there on.
func NewSuite(b *Binary) (_ *Suite, err error) {
	s := &Suite{Binary: b, least: 10 * time.Second}
	if s.Skip, s.took, err = s.healthy(); err != nil || !b.Properties {
		return s, err
	}
	// Some tests fail when little is drawn, because they count what was.
	s.fewSkip, s.fewTook, err = s.healthy(few)
	return s, err
}

// healthy runs the tests without a mutant, and once more without those that failed, which it returns.
func (s *Suite) healthy(args ...string) (skip []string, took time.Duration, err error) {
	const patience = 10 * time.Minute
	out, took, err := s.run(0, patience, s.Skip, args...)
	if err == nil {
		return s.Skip, took, nil
	}
	if skip = slices.Concat(s.Skip, failed(out)); len(skip) > len(s.Skip) {
		if out, took, err = s.run(0, patience, skip, args...); err == nil {
			return skip, took, nil
		}
	}
	return nil, 0, fmt.Errorf("the tests fail without a mutant: %w\n%s", err, tail(out))
}

var failLine = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

func failed(output string) (names []string) {
	for _, match := range failLine.FindAllStringSubmatch(output, -1) {
		names = append(names, match[1])
	}
	return names
}

// tries is how often a mutant must survive the whole suite, where that has properties. They draw new cases each time: one
// that meets the mutant in nine runs of ten would let it survive in one run of ten.
const tries = 4

// Judge runs the tests with the mutant: first with few draws, and where that shows nothing, wholly.
func (s *Suite) Judge(m Mutant) (v Verdict, by string) {
	if s.Binary.Properties {
		if v, by := s.judge(m, s.fewTook, s.fewSkip, few); v != Survived {
			return v, by
		}
	}
	v, by = s.judge(m, s.took, s.Skip)
	for try := 1; s.Binary.Properties && v == Survived && try < tries; try++ {
		v, by = s.judge(m, s.took, s.Skip)
	}
	return v, by
}

func (s *Suite) judge(m Mutant, usual time.Duration, skip []string, args ...string) (Verdict, string) {
	out, _, err := s.run(m.ID, s.least+4*usual, skip, append([]string{"-test.failfast"}, args...)...)
	switch names := failed(out); {
	case err == nil:
		return Survived, ""
	case errors.Is(err, context.DeadlineExceeded):
		return TimedOut, ""
	case len(names) > 0:
		return Killed, names[0]
	}
	return Killed, "the end of the process"
}

// Flags of pgregory.net/rapid: few draws, and no file for a case that fails, which later runs would take up.
const (
	few    = "-rapid.checks=10"
	noFile = "-rapid.nofailfile"
)

// memory bounds what a mutant may take, in KiB of address space.
const memory = 6 << 20

func (s *Suite) run(mutant int, patience time.Duration, skip []string, args ...string) (string, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if len(skip) > 0 {
		args = append(args, "-test.skip", "^("+strings.Join(skip, "|")+")$")
	}
	if s.Binary.Properties {
		args = append(args, noFile)
	}
	args = append(args, "-test.timeout", (2 * patience).String())
	shell := []string{"-c", fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, memory), s.Binary.Path}
	cmd := exec.CommandContext(ctx, "sh", append(shell, args...)...)
	cmd.Dir, cmd.WaitDelay = s.Binary.Dir, 5*time.Second
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", Variable, mutant))
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), time.Since(began), err
}

func tail(text string) string {
	const most = 3000
	return text[max(0, len(text)-most):]
}
