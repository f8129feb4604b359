package deduptest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestUnrulyReaders: a run of a reader that shows too much ends
// with a short report.
func TestUnrulyReaders(t *testing.T) {
	nightly.Slow(t)
	for _, row := range []struct {
		does, cause string
		start       func() deduptest.Reader
	}{
		{"shows more in each call", "only: seen, and no slice says so: …", func() deduptest.Reader {
			r, shown := firstSliceWins(), []deduptest.Seen(nil)
			r.See = func() []deduptest.Seen {
				for range 100 {
					shown = append(shown, deduptest.Seen{Address: fmt.Sprint("10.0.0.1-", len(shown))})
				}
				return shown
			}
			return r
		}},
		{"panics with a long text", "no-panic: Event panics: …, in deduptest/unruly_test.go", func() deduptest.Reader {
			return deduptest.Reader{Event: func(deduptest.Event) {
				panic(strings.Repeat("a ", 5<<20))
			}, See: func() []deduptest.Seen { return nil }}
		}},
	} {
		told := false
		for _, f := range check(t, deduptest.Options{Histories: 100}, row.start) {
			told = told || strings.HasPrefix(f.Cause, row.cause)
			if lines := strings.Count(f.History, "\n"); lines > 60 || len(f.History) > 20_000 {
				t.Errorf("%s: a report of %d lines and %d bytes:\n%s", row.does, lines, len(f.History), f)
			}
		}
		if !told {
			t.Errorf("%s: not found", row.does)
		}
	}
}
