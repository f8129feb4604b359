package hints_test

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// shorter is usual, or short with -short.
func shorter(usual, short int) int {
	if testing.Short() {
		return short
	}
	return usual
}

// H3 and H4 in every case of up to SLICEWRIGHT_ENDPOINTS ready endpoints, three without it, in three zones and one to
// three slices. Each endpoint has its home in zone a, b, c or one without weight, and a hint for a, b, c or none; each
// slice is written or not; weights are 1 to 3, in ascending order; thresholds are 20/60/110, so that hints are on with
// few endpoints. Cases that differ only in the order of slices, or of endpoints in a slice, are one, for order does not
// count (H5). The number of cases, over all weights:
//
//	endpoints  1..2   1..3     1..4       1..5        1..6         1..7
//	cases      6656   137 216  2 062 976  24 245 120  234 092 032  1 929 922 816
//
// Four endpoints take a minute or two, five half an hour. Seven would take weeks, for each case is tried with every
// allocation there is: those are drawn (TestOracleOnDrawnCases, with other thresholds too). Endpoints that are not ready
// and hints that no run of Proportional leaves are in the stories and properties.
func TestOracleOnAllCases(t *testing.T) {
	most := int(nightly.Number(t, "SLICEWRIGHT_ENDPOINTS", int64(shorter(3, 2))))
	for _, cores := range []string{"1,1,1", "1,1,2", "1,1,3", "1,2,2", "1,2,3", "1,3,3", "2,2,3", "2,3,3"} {
		t.Run(cores, func(t *testing.T) {
			t.Parallel()
			config, total := proportional(cores, "20/60/110"), misses{}
			for n := 1; n <= most; n++ {
				eachCase(n, func(in []hints.Slice) {
					total.add(compareWithOracle(t, config, in))
				})
			}
			t.Log(&total)
		})
	}
}

// eachCase calls f with every case of n endpoints in up to three slices, each once. f must not keep the slices.
func eachCase(n int, f func([]hints.Slice)) {
	const parts = 3
	words := allWords(n)
	var names [parts]string
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	// A pick is a number below parts*len(words[0]) for each endpoint: its slice and its word. In a non-decreasing list of
	// picks the endpoints of a slice are side by side and in order.
	each(parts*len(words[0]), n, func(picks []int) {
		var contents [parts][]int
		for _, p := range picks {
			s := p / len(words[0])
			contents[s] = append(contents[s], p%len(words[0]))
		}
		if len(contents[0]) == 0 {
			return // empty slices come last
		}
		for marks := range 1 << parts {
			written := func(s int) bool { return marks>>s&1 == 1 }
			in := make([]hints.Slice, 0, parts)
			for s, content := range contents {
				if len(content) == 0 && written(s) {
					in = nil // not a case of its own
					break
				}
				if s > 0 && before(contents[s-1], content, written(s-1), written(s)) > 0 {
					in = nil
					break
				}
				if len(content) == 0 {
					continue
				}
				slice := hints.Slice{Name: names[s], Written: written(s)}
				for k, w := range content {
					slice.Endpoints = append(slice.Endpoints, words[s*n+k][w])
				}
				in = append(in, slice)
			}
			if in != nil {
				f(in)
			}
		}
	})
}

// before puts slices in an order of their own: the longest first, then by words, then those not written.
func before(a, b []int, aWritten, bWritten bool) int {
	switch {
	case len(a) != len(b):
		return len(b) - len(a)
	case slices.Compare(a, b) != 0:
		return slices.Compare(a, b)
	case aWritten == bWritten:
		return 0
	case aWritten:
		return 1
	default:
		return -1
	}
}

// allWords are all that an endpoint can be, for each of n places in three slices, since addresses differ.
func allWords(n int) [][]discoveryv1.Endpoint {
	places := make([][]discoveryv1.Endpoint, 3*n)
	for i := range places {
		for _, home := range []string{"a", "b", "c", "x"} {
			for _, hint := range []string{"", ">a", ">b", ">c"} {
				e := mustSlices(home + hint)[0].Endpoints[0]
				e.Addresses = []string{fmt.Sprint("10.1.0.", i)}
				places[i] = append(places[i], e)
			}
		}
	}
	return places
}
