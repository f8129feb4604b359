package kit

import (
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Returns and NoPanic are the guarantees of both kits that calls come back.
const (
	Returns = "returns"
	NoPanic = "no-panic"
)

// Play lets the code under test live through a history, and keeps the log.
type Play func(h History, l *Log)

// live plays a history in a goroutine of its own, so that the end of the goroutine, as by t.Fatal,
// ends this history only. If a call does not return in time, the history is given up and its
// goroutine stays.
func (c *Claims) live(play Play, h History) *Log {
	l := c.NewLog()
	done := make(chan bool, 1)
	go alone(play, h, l, done)
	var tick <-chan time.Time
	if c.replay == nil {
		var stop func()
		tick, stop = ticks(TimeLimit / 4)
		defer stop()
	}
	last, since := int64(-1), now()
	for {
		select {
		case returned := <-done:
			switch end := l.ending(); {
			case !returned && end == lasted:
				l.Fail(Returns, "a call has ended its goroutine, as t.Fatal does")
				l.ends(overdue) // the test has printed it, and would print it again for each history
			case end == limited && len(l.Causes()) == 0:
				l.Fail(Returns, "a call makes requests without end")
			}
			return l
		case at := <-tick:
			beats := l.beats.Load()
			switch late := at.Sub(since) > 2*TimeLimit; { // the call knows its own limit, and may keep it
			case beats != last:
				last, since = beats, at
			case late:
				l.Fail(Returns, "a call does not return: it is in %s", Word(waiting()))
				l.ends(overdue)
				l.closed.Store(true)
				return l
			}
		}
	}
}

func alone(play Play, h History, l *Log, done chan<- bool) {
	returned := false
	defer func() { done <- returned }()
	play(h, l)
	returned = true
}

// waiting is where the history's goroutine is: the innermost place outside of the standard library.
func waiting() string {
	buffer := make([]byte, 1<<20)
	all := string(buffer[:runtime.Stack(buffer, true)])
	for _, stack := range strings.Split(all, "\n\n") {
		if strings.Contains(stack, "internal/test/kit.alone(") {
			_, frames, _ := strings.Cut(stack, "\n")
			return innermost(frames)
		}
	}
	return "an unknown place"
}

// Panicked is the place of the panic that a deferred function has just recovered from.
func Panicked() Word {
	_, below, _ := strings.Cut(string(debug.Stack()), "panic(")
	return Word(innermost(below))
}

// library is the directory of the standard library. It is empty if the files of the program were
// compiled without their directories.
var library = func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer()).FileLine(0)
	return strings.TrimSuffix(file, "strings/strings.go")
}()

// innermost is the first file and line, with its directory, of a stack that is not the standard
// library's.
func innermost(frames string) string {
	function := ""
	for line := range strings.Lines(frames) {
		file, isFile := strings.CutPrefix(line, "\t")
		if !isFile {
			function = line
			continue
		}
		if library != "" && strings.HasPrefix(file, library) || library == "" && isStandard(function) {
			continue // such as sync.(*WaitGroup).Wait and internal/poll.runtime_pollWait
		}
		file, _, _ = strings.Cut(strings.TrimSpace(file), " ")
		return path.Join(path.Base(path.Dir(file)), path.Base(file))
	}
	return "an unknown place"
}

// isStandard guesses from its import path whether a function is one of the standard library.
func isStandard(function string) bool {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(function, info.Main.Path) {
		return false
	}
	first, _, deep := strings.Cut(function, "/")
	return !deep && !strings.HasPrefix(function, "main.") || deep && !strings.Contains(first, ".")
}

// trace keeps the history under way in a file, for the case that a panic in a goroutine of the code
// under test ends the process.
type trace struct{ file *os.File }

func (c *Claims) newTrace() trace {
	f, err := os.CreateTemp("", fmt.Sprintf("%s-%d-*.txt", c.Kit.Name, os.Getpid()))
	if err == nil && c.announced {
		fmt.Fprintf(os.Stderr, "%s: if the process dies, %s says in which history\n", c.Kit.Name, f.Name())
	}
	return trace{f} // nil where there can be none: then a crash leaves nothing
}

func (t trace) note(c *Claims, i int, h History) {
	text := fmt.Sprintf("%s, Seed %d, history %d, Replay: %q\n", c.Kit.Name, c.Seed, i, h)
	_, _ = t.file.WriteAt([]byte(text), 0)
	_ = t.file.Truncate(int64(len(text)))
}

func (t trace) remove() {
	if t.file != nil {
		_ = t.file.Close()
		_ = os.Remove(t.file.Name())
	}
}
