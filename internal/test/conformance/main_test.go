package conformance

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// cases is how many random cases each differential test tries. The environment variable SLICEWRIGHT_CASES has another
// number, for the night.
var cases = 5000

func TestMain(m *testing.M) {
	flag.Parse()
	if s := os.Getenv("SLICEWRIGHT_CASES"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "SLICEWRIGHT_CASES=%s: give a number of random cases, 1 or more\n", s)
			os.Exit(2)
		}
		cases = n
	}
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "rapid.checks" })
	if !set {
		if err := flag.Set("rapid.checks", strconv.Itoa(cases)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
