package kit

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Log is what happens in one history: a line for everything that happens, and the breaches. Its
// methods may be called by any goroutine.
type Log struct {
	// Silent has nothing kept and nothing judged, because another history is compared with this
	// one.
	Silent bool

	claims   *Claims
	loud     *Log // the log of the history that a silent one is a part of; nil: none
	began    time.Time
	beats    atomic.Int64
	closed   atomic.Bool // the history was given up, and its goroutines are to end
	mu       sync.Mutex
	lines    []line
	dropped  int // lines beyond maxLines
	breaches []breach
	end      ending
	stop     error
	mistake  bool // stop is an error in the options
}

// ending is why a history has ended before its last step.
type ending int

const (
	lasted ending = iota // it has not
	limited
	overdue // it takes so long that the run ends, too
)

// breach is how a guarantee was broken.
type breach struct {
	guarantee string
	cause     string          // what all breaches of the same kind have in common, with the guarantee
	line      int             // the last line that is printed of it
	beat      int64           // when it was
	foot      func() []string // what is printed below it; nil: nothing
}

// line is one line of a history, which is formatted when it is printed. A line that reports a
// breach has its cause.
type line struct {
	cause, format string
	args          []any
}

// Text is an argument of Line that is formatted when the line is printed. It must not change until
// then.
type Text func() string

func (t Text) String() string { return t() }

// NewLog is an empty log.
func (c *Claims) NewLog() *Log { return &Log{claims: c, began: now()} }

// Silenced is a log for what another writer or reader does meanwhile. Its calls count as those of
// the history.
func (l *Log) Silenced() *Log { return &Log{Silent: true, loud: l} }

// Causes are those of the breaches so far, in their order.
func (l *Log) Causes() (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.breaches {
		list = append(list, b.cause)
	}
	return list
}

// Breaks reports whether a guarantee was broken so far.
func (l *Log) Breaks(guarantee string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.breaches, func(b breach) bool { return b.guarantee == guarantee })
}

// Line adds a line to what is printed. Its arguments must not change afterwards.
func (l *Log) Line(format string, args ...any) {
	if l.Silent {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines)-len(l.breaches) >= maxLines {
		l.dropped++
		return
	}
	l.lines = append(l.lines, line{"", format, args})
}

// Word is an argument of Fail that is part of the cause. All others, such as names and numbers, are
// not.
type Word string

// dots stands in a cause for what differs from breach to breach.
type dots struct{}

func (dots) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "…") }

// Fail notes the first breach of each cause. The cause is what is left of the text without the
// arguments that are no Words. Of several breaches of one guarantee between two Beats the first
// counts, unless it is known.
func (l *Log) Fail(guarantee, format string, args ...any) {
	l.FailWith(nil, guarantee, format, args...)
}

// FailWith is Fail with lines to print below the breach; foot may be nil, and is called only if
// they are printed.
func (l *Log) FailWith(foot func() []string, guarantee, format string, args ...any) {
	if l.Silent || l.closed.Load() || !l.claims.Judges(guarantee) {
		return
	}
	general := make([]any, len(args))
	for i, a := range args {
		general[i] = dots{}
		if w, ok := a.(Word); ok {
			general[i] = Word(short(string(w)))
		}
	}
	b := breach{guarantee: guarantee, cause: guarantee + ": " + fmt.Sprintf(format, general...), beat: l.beats.Load(),
		foot: foot}
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
	l.lines = append(l.lines, line{b.cause, "      ! %s", []any{short(fmt.Sprintf(format, args...))}})
	b.line = len(l.lines)
	l.breaches = append(l.breaches, b)
}

// Stop ends the whole run with an error, where going on makes no sense. If a guarantee that
// explains it was broken or a limit was reached, the run ends with its findings instead, because
// these may be the reason.
func (l *Log) Stop(err error) { l.stop = err }

// Mistake ends the whole run with an error in the options, whatever was found because of it.
func (l *Log) Mistake(err error) { l.stop, l.mistake = err, true }

// Limit says that the code under test has reached a limit, which makes each of its histories long.
// The caller ends the history.
func (l *Log) Limit() { l.ends(limited) }

// End is Limit, and ends the goroutine: that of the history, or another one of the code under test.
// It does not return.
func (l *Log) End() {
	l.Limit()
	runtime.Goexit()
}

// GiveUp ends the history and the run, because going on takes too long. It does not return.
func (l *Log) GiveUp() {
	l.ends(overdue)
	runtime.Goexit()
}

func (l *Log) ends(how ending) {
	if l.loud != nil {
		l = l.loud
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = max(l.end, how)
}

func (l *Log) ending() ending {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// Beat says that the history goes on. It does not return if the history was given up or takes too
// long.
func (l *Log) Beat() {
	if l.loud != nil {
		l.loud.Beat()
		return
	}
	if l.Closed() {
		runtime.Goexit()
	}
	l.beats.Add(1)
	if l.claims != nil && l.claims.replay == nil && now().Sub(l.began) > historyLimit() {
		l.Fail(Returns, "the calls of one history take longer than %v", historyLimit())
		l.GiveUp()
	}
}

// Closed reports whether the history was given up, so that no goroutine of the code under test need
// go on.
func (l *Log) Closed() bool {
	if l.loud != nil {
		return l.loud.Closed()
	}
	return l.closed.Load()
}

// of returns the breach of a cause.
func (l *Log) of(cause string) (breach, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.breaches, func(b breach) bool { return b.cause == cause })
	if i < 0 {
		return breach{}, false
	}
	return l.breaches[i], true
}

// generated are names and versions that differ from line to line where nothing else does.
var generated = regexp.MustCompile(`-([bcdfghjklmnpqrstvwxz2456789]{5}|[0-9]+)\b`)

// upTo is the history up to a breach, without other breaches and without repetitions. It ends with
// the breach and its foot.
func (l *Log) upTo(b breach) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	for _, next := range l.lines[:b.line] {
		if next.cause == "" || next.cause == b.cause {
			lines = append(lines, short(fmt.Sprintf(next.format, next.args...)))
		}
	}
	last := len(lines) - 1
	before := elided(folded(lines[:last]))
	if l.dropped > 0 {
		before = append(before, fmt.Sprintf("      … %d lines were not kept", l.dropped))
	}
	lines = append(before, lines[last])
	if b.foot != nil {
		lines = append(lines, footed(b.foot())...)
	}
	return lines
}

// footed is the foot of a breach, with no more than maxRun lines.
func footed(foot []string) []string {
	if left := len(foot) - maxRun; left > 1 {
		note := fmt.Sprintf("%s … %d more", strings.Repeat(" ", 7), left)
		foot = append(slices.Clone(foot[:maxRun]), note)
	}
	for i := range foot {
		foot[i] = short(foot[i])
	}
	return foot
}
