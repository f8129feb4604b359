package hints_test

import (
	"testing"

	"github.com/slicewright/slicewright/hints"
)

// TestThresholdsThatAreZero: only all three together stand for the default. An aim of 0 is 0%: no overload at all.
func TestThresholdsThatAreZero(t *testing.T) {
	stop := hints.Thresholds{Start: 1, Stop: 30}
	for _, row := range []struct {
		why        string
		thresholds hints.Thresholds
		in, want   string
	}{
		{"all zero is 20/20/20: with six endpoints the zones that have one are 20% above their share", hints.Thresholds{}, "+a a b c d e", "2a>a b>b c>c d>d e>e"},
		{"a start of 1 puts no hints where a zone is above its share", stop, "+a a b c d e", "2a b c d e"},
		{"it puts them where none is", stop, "+a b c d e", "a>a b>b c>c d>d e>e"},
		{"and keeps those that are there up to stop", stop, "2a>a b>b c>c d>d e>e", "2a>a b>b c>c d>d e>e"},
		{"an aim of 0 lends endpoints until the zones are even", hints.Thresholds{Start: 20, Stop: 20}, "+3a 2b 2c 2d e", "a>e 2a>a 2b>b 2c>c 2d>d e>e"},
	} {
		in := mustSlices(row.in)
		c := proportional("1,1,1,1,1", "")
		c.Thresholds = row.thresholds
		changes, d, err := hints.Assign(c, in)
		if err != nil {
			t.Fatal(err)
		}
		if out, _ := after(in, changes); printSlices(out) != row.want {
			t.Errorf("%s: %s, want %s\n%v", row.why, printSlices(out), row.want, d)
		}
	}
}
