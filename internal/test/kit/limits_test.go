package kit

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is the time of a test, which passes only when the test says so.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	ticks chan time.Time
}

func newClock(t *testing.T) *clock {
	c := &clock{ticks: make(chan time.Time, 2)}
	wasNow, wasTicks := now, ticks
	t.Cleanup(func() { now, ticks = wasNow, wasTicks })
	now = func() time.Time { return c.pass(0) }
	ticks = func(time.Duration) (<-chan time.Time, func()) { return c.ticks, func() {} }
	return c
}

func (c *clock) pass(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	return c.at
}

// waitTooLong has a call take so long that its history is given up.
func (c *clock) waitTooLong() {
	c.ticks <- now()
	c.ticks <- now().Add(3 * TimeLimit)
}

// TestRunsEnd has plays that reach a limit in every history. Of each the run ends after a few, with
// its finding.
func TestRunsEnd(t *testing.T) {
	c := newClock(t)
	silent := func(l *Log) *Log { return l.Silenced() }
	for _, row := range []struct {
		why  string
		play Play
		want string
		most int // histories
	}{
		{"a limit of the kit", func(_ History, l *Log) {
			l.Fail("sum", "too much")
			l.End()
		}, "sum: too much", 30},
		{"a limit of the kit in what is not judged", func(_ History, l *Log) { silent(l).End() }, "returns: a call makes requests without end", 30},
		{"the time of a run that has reached a limit", func(_ History, l *Log) {
			c.pass(TimeLimit / 2)
			l.Fail("sum", "too much")
			l.End()
		}, "sum: too much", 5},
		{"the time of a history", func(_ History, l *Log) {
			for range 1000 {
				c.pass(TimeLimit / 4)
				silent(l).Beat()
			}
		}, "returns: the calls of one history take longer than …", 1},
		{"a call that does not return", func(History, *Log) {
			c.waitTooLong()
			select {}
		}, "returns: a call does not return: it is in kit/limits_test.go", 1},
	} {
		found, err := claims(t, Options{Histories: 1000}).Check(testMenu, row.play)
		if err != nil || len(found) != 1 || !strings.HasPrefix(found[0].Cause, row.want) ||
			found[0].Histories > row.most {
			t.Errorf("%s: %v, %v", row.why, found, err)
		}
	}
}

// TestInnermost has stacks whose innermost frames are the standard library's.
func TestInnermost(t *testing.T) {
	for _, function := range []string{"mine/ctl.(*Writer).sync(...)", "example.com/mine.sync(0x1)", "main.main()"} {
		frames := "sync.(*WaitGroup).Wait(0x1)\n\t" + library + "sync/waitgroup.go:118 +0x4\n" + function +
			"\n\t/home/me/ctl/sync.go:7 +0x1\n"
		if got := innermost(frames); got != "ctl/sync.go:7" {
			t.Errorf("%s: %s", function, got)
		}
	}
}

// TestARunEndsInAMinute adds the limits of time: after a limit is reached, a run draws or shortens
// for a while, and plays the history that it has begun.
func TestARunEndsInAMinute(t *testing.T) {
	if most := max(drawLimit(), shrinkLimit()) + historyLimit(); most > time.Minute {
		t.Errorf("a run can go on for %v after it has reached a limit", most)
	}
}

// TestShrinkingEnds: a history that reaches a limit, and fails for its cause only as a whole, is
// played again for a while, and then printed as it is.
func TestShrinkingEnds(t *testing.T) {
	c := newClock(t)
	plays, longest := 0, 0
	found, err := claims(t, Options{Histories: 30}).Check(testMenu, func(h History, l *Log) {
		plays++
		if longest = max(longest, len(h.Steps)); len(h.Steps) == longest && longest > 3 {
			c.pass(TimeLimit / 2)
			l.Fail("sum", "too much")
			l.Limit()
		} else {
			c.pass(TimeLimit / 4)
		}
	})
	if err != nil || len(found) != 1 || plays > 33 {
		t.Errorf("%d plays, %v, %v", plays, found, err)
	}
}

// TestGivenUpHistoriesEnd: a call that returns after its history was given up ends, and changes
// nothing any more.
func TestGivenUpHistoriesEnd(t *testing.T) {
	c := newClock(t)
	again, ended := make(chan bool), make(chan bool)
	found, err := claims(t, Options{Histories: 1}).Check(testMenu, func(_ History, l *Log) {
		defer close(ended)
		c.waitTooLong()
		<-again
		l.Fail("sum", "too late")
		l.Beat()
		t.Error("it goes on")
	})
	close(again)
	<-ended
	if err != nil || len(found) != 1 || found[0].Guarantee != Returns {
		t.Errorf("%v, %v", found, err)
	}
}
