package kit

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The limits of a run. Whatever the code under test does, a run ends within a minute after one of
// them is reached, and its memory stays bounded. The kits have limits of their own for what the
// code under test sends and stores. TimeLimit is how long one call of the code under test may take.
// A replay has no limit of time, because of debuggers. Tests make it shorter.
var TimeLimit = 10 * time.Second

// now and ticks are the time. Tests set it by hand, so that they do not depend on how busy the
// machine is.
var (
	now   = time.Now
	ticks = func(every time.Duration) (c <-chan time.Time, stop func()) {
		t := time.NewTicker(every)
		return t.C, t.Stop
	}
)

// historyLimit is how long the calls of one history may take. drawLimit and shrinkLimit are how
// long a run draws and shortens histories after a limit was reached for the first time. What it has
// found until then is reported.
func historyLimit() time.Duration { return 3 * TimeLimit }
func drawLimit() time.Duration    { return TimeLimit }
func shrinkLimit() time.Duration  { return 5 * TimeLimit / 2 }

const (
	enough    = 30   // histories that reach a limit: more of them say the same
	maxCauses = 10   // causes of one guarantee that are reported, each with its history
	maxLines  = 5000 // lines that a history keeps, apart from breaches
	maxText   = 1000 // bytes of a line
	maxRun    = 12   // lines of one step that are printed, if they do not repeat themselves
	maxPeriod = 8    // lines that repeat themselves together
)

// short returns the first bytes of a text and how many are left out.
func short(text string) string {
	if len(text) <= maxText {
		return text
	}
	cut := maxText
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d more bytes)", text[:cut], len(text)-cut)
}

// folded returns lines without repetitions: a group of lines that follows itself is printed once,
// with the number of times. Two lines are equal if they differ in generated names only.
func folded(lines []string) []string {
	plain := make([]string, len(lines))
	for i, text := range lines {
		plain[i] = generated.ReplaceAllString(text, "-*")
	}
	var out []string
	for i := 0; i < len(lines); {
		period, times := repetition(plain[i:])
		out = append(out, lines[i:i+period]...)
		switch {
		case times > 1 && period == 1:
			out[len(out)-1] += fmt.Sprintf(" (%d times)", times)
		case times > 1:
			out = append(out, fmt.Sprintf("      these %d lines %d times", period, times))
		}
		i += period * times
	}
	return out
}

// repetition returns how many lines at the beginning follow themselves, and how often they are
// there. Of several answers it returns the one that covers the most lines, and of these the
// shortest group.
func repetition(lines []string) (period, times int) {
	period, times = 1, 1
	for p := 1; p <= min(maxPeriod, len(lines)/2); p++ {
		n := 1
		for (n+1)*p <= len(lines) && slices.Equal(lines[:p], lines[n*p:(n+1)*p]) {
			n++
		}
		if n > 1 && n*p > period*times {
			period, times = p, n
		}
	}
	return period, times
}

// elided returns lines with no more than maxRun of them between two that begin a step.
func elided(lines []string) []string {
	var out, run []string
	flush := func() {
		if left := len(run) - maxRun; left > 1 {
			half := maxRun / 2
			note := fmt.Sprintf("      … %d lines are left out", left)
			run = slices.Concat(run[:half], []string{note}, run[len(run)-half:])
		}
		out, run = append(out, run...), nil
	}
	for _, text := range lines {
		if !strings.HasPrefix(text, "      ") { // what happens, and not what answers it
			flush()
			out = append(out, text)
			continue
		}
		run = append(run, text)
	}
	flush()
	return out
}
