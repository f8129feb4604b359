package endpoint

import "testing"

func TestCompareVersions(t *testing.T) {
	for _, c := range []struct {
		why, older, newer string
	}{
		{"numbers, not texts", "9", "10"},
		{"digits decide between numbers of one length", "41", "42"},
		{"leading zeros do not count", "0009", "10"},
		{"longer than 64 bits", "99999999999999999999", "100000000000000000000"},
		{"no number is the oldest", "v99", "0"},
		{"a sign makes no number", "-5", "0"},
		{"a digit is not enough", "9x", "0"},
		{"empty is no number", "", "0"},
		{"zero is a number", "0", "1"},
		{"every digit is one", "8", "9"},
		{"what follows the digits is none", "1:", "0"},
		{"what precedes the digits is none", "1/", "0"},
	} {
		if CompareVersions(c.older, c.newer) >= 0 || CompareVersions(c.newer, c.older) <= 0 {
			t.Errorf("%s: %q is not older than %q", c.why, c.older, c.newer)
		}
	}
	for _, c := range [][2]string{{"x", ""}, {"010", "10"}, {"00", "0"}} { // no numbers, and two spellings of one
		if got := CompareVersions(c[0], c[1]); got != 0 {
			t.Errorf("%q and %q compare as %d", c[0], c[1], got)
		}
	}
}
