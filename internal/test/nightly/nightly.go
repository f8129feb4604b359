// Package nightly lets tests that draw their cases draw others, and more of them, when the
// environment says so. Without it each run draws the same. Properties of a test that imports it say
// soon that they fail.
package nightly

import (
	"flag"
	"os"
	"strconv"
	"testing"

	_ "pgregory.net/rapid" // its flags
)

// Half a minute of making a case smaller, rapid's usual, for each of a test's properties is minutes
// of silence. A test that is given -rapid.shrinktime=30s finds the smallest case. Of rapid's 100
// cases for each property, 50 find nearly as much: the others are for SLICEWRIGHT_FULL. The cache of
// go test does not know what is read here, before a test begins: give it -count=1.
func init() {
	usual := map[string]string{"rapid.shrinktime": "1s", "rapid.checks": strconv.Itoa(times() * Usual(50, 100))}
	for name, value := range usual {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// times is how many times the usual number of cases is drawn: SLICEWRIGHT_TIMES, or 1 without it.
func times() int {
	if n, err := strconv.Atoi(os.Getenv("SLICEWRIGHT_TIMES")); err == nil {
		return n
	}
	return 1
}

// Cases is how many cases a test draws: SLICEWRIGHT_CASES, or usual without it, times
// SLICEWRIGHT_TIMES.
func Cases(t testing.TB, usual int) int {
	t.Helper()
	return int(Number(t, "SLICEWRIGHT_CASES", int64(times()*usual)))
}

// Seed is where a test begins to draw: SLICEWRIGHT_SEED, or usual without it. It is in the test's
// log, which a failure prints.
func Seed(t testing.TB, usual int64) int64 {
	t.Helper()
	seed := Number(t, "SLICEWRIGHT_SEED", usual)
	t.Logf("SLICEWRIGHT_SEED=%d", seed)
	return seed
}

// Number is the number in an environment variable, 0 or more, or usual without it.
func Number(t testing.TB, name string, usual int64) int64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		t.Fatalf("%s=%s: give a number, 0 or more", name, text)
	}
	return n
}

// Usual is how many cases a test draws without SLICEWRIGHT_CASES: few, or all that .ci/run draws if
// SLICEWRIGHT_FULL is 1.
func Usual(few, all int) int {
	if os.Getenv("SLICEWRIGHT_FULL") == "1" {
		return all
	}
	return few
}

// Slow skips a test that takes more than half a second of processor time, unless SLICEWRIGHT_FULL
// is 1. `.ci/run` sets it. What is left fails for nearly every change for which the full set fails.
func Slow(t testing.TB) {
	t.Helper()
	if os.Getenv("SLICEWRIGHT_FULL") != "1" {
		t.Skip("slow: set SLICEWRIGHT_FULL=1 to run it")
	}
}
