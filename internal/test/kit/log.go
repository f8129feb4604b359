package kit

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Log is what happens in one history: a line for everything that happens, and the breaches. Its methods may be called by any
// goroutine.
type Log struct {
	// Printed has lines kept. Silent has nothing judged, because another history is compared with this one.
	Printed, Silent bool

	claims   *Claims
	mu       sync.Mutex
	lines    []line
	breaches []breach
	beats    atomic.Int64
	over     bool
	tired    bool
	stop     error
}

// breach is how a guarantee was broken.
type breach struct {
	guarantee string
	cause     string   // what all breaches of the same kind have in common, with the guarantee
	line      int      // the last line that is printed of it
	beat      int64    // when it was
	foot      []string // what is printed below it
}

// line is one line of a history. A line that reports a breach has its cause.
type line struct{ cause, text string }

// NewLog is an empty log.
func (c *Claims) NewLog(printed bool) *Log { return &Log{Printed: printed, claims: c} }

// Causes are those of the breaches so far, in their order.
func (l *Log) Causes() (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.breaches {
		list = append(list, b.cause)
	}
	return list
}

// Line adds a line to what is printed.
func (l *Log) Line(format string, args ...any) {
	if l.Printed {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines = append(l.lines, line{"", fmt.Sprintf(format, args...)})
	}
}

// Word is an argument of Fail that is part of the cause. All others, such as names and numbers, are not.
type Word string

// dots stands in a cause for what differs from breach to breach.
type dots struct{}

func (dots) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "…") }

// Fail notes the first breach of each cause. The cause is what is left of the text without the arguments that are no Words. Of
// several breaches of one guarantee between two Beats the first counts, unless it is known.
func (l *Log) Fail(guarantee, format string, args ...any) {
	l.FailWith(nil, guarantee, format, args...)
}

// FailWith is Fail with lines to print below the breach; foot may be nil, and is called only if they are printed.
func (l *Log) FailWith(foot func() []string, guarantee, format string, args ...any) {
	if l.Silent || !l.claims.Judges(guarantee) {
		return
	}
	general := make([]any, len(args))
	for i, a := range args {
		general[i] = dots{}
		if _, ok := a.(Word); ok {
			general[i] = a
		}
	}
	b := breach{guarantee: guarantee, cause: guarantee + ": " + fmt.Sprintf(format, general...), beat: l.beats.Load()}
	l.mu.Lock()
	defer l.mu.Unlock()
	follows := l.claims.guarantee(guarantee).Follows
	for _, earlier := range l.breaches {
		_, known := l.claims.Known[earlier.cause]
		together := earlier.guarantee == guarantee && earlier.beat == b.beat && !known
		if earlier.cause == b.cause || slices.Contains(follows, earlier.guarantee) || together {
			return
		}
	}
	if l.Printed {
		l.lines = append(l.lines, line{b.cause, "      ! " + fmt.Sprintf(format, args...)})
		if b.line = len(l.lines); foot != nil {
			b.foot = foot()
		}
	}
	l.breaches = append(l.breaches, b)
}

// Stop ends the whole run with an error, where going on makes no sense.
func (l *Log) Stop(err error) { l.stop = err }

// Tire says that the code under test does not come to rest, which makes each history long.
func (l *Log) Tire() { l.tired = true }

// GiveUp ends the history and the run, because going on takes too long. It does not return.
func (l *Log) GiveUp() {
	l.over = true
	runtime.Goexit()
}

// Beat says that the history goes on.
func (l *Log) Beat() { l.beats.Add(1) }

// of returns the breach of a cause.
func (l *Log) of(cause string) (breach, bool) {
	i := slices.IndexFunc(l.breaches, func(b breach) bool { return b.cause == cause })
	if i < 0 {
		return breach{}, false
	}
	return l.breaches[i], true
}

// generated are names and versions that differ from line to line where nothing else does.
var generated = regexp.MustCompile(`-([bcdfghjklmnpqrstvwxz2456789]{5}|[0-9]+)\b`)

// upTo is the history up to a breach, without other breaches. Of lines that repeat themselves there is one.
func (l *Log) upTo(b breach) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	first, last, times := "", "", 0
	for _, next := range l.lines[:b.line] {
		if next.cause != "" && next.cause != b.cause {
			continue
		}
		if text := generated.ReplaceAllString(next.text, "-*"); text == last {
			times++
			lines[len(lines)-1] = fmt.Sprintf("%s (%d times)", first, times)
		} else {
			lines, first, last, times = append(lines, next.text), next.text, text, 1
		}
	}
	return append(lines, b.foot...)
}
