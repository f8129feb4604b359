package hints_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
)

// maxZone is a weight that fits into the sum beside as many others as tests draw.
const maxZone = 1 << 35

// drawWeights draws up to most zones with weights of every size there may be.
func drawWeights(t *rapid.T, most int) hints.Weights {
	w := hints.Weights{Zones: map[string]int64{}}
	zones := rapid.IntRange(2, most).Draw(t, "zones")
	limit := rapid.SampledFrom([]int64{3, 100, 1 << 31, maxZone}).Draw(t, "limit")
	for z := range zones {
		w.Zones[string(rune('a'+z))] = rapid.Int64Range(1, limit).Draw(t, "weight")
	}
	return w
}

// The quick checks of names say what apimachinery's say.
func TestNamesAreCheckedAsTheAPIServerDoes(t *testing.T) {
	letters := []rune("abzAZ09-_./ é@[`{:") // the first, the last, and what is beside them
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253), strings.Repeat("a", 254), "a.b", "a..b", "a-.b", "a.-b", "-a", "a-", "a.", ".a"}
	for range 20000 {
		var name []rune
		for range 1 + r.IntN(6) {
			name = append(name, letters[r.IntN(len(letters))])
		}
		names = append(names, string(name))
	}
	good := 0
	for _, name := range slices.Compact(names) {
		if got, want := hints.ValidZone(name), name != "" && len(validation.IsValidLabelValue(name)) == 0; got != want {
			t.Errorf("zone %q: %v, want %v", name, got, want)
		}
		got, want := hints.ValidNode(name), len(validation.IsDNS1123Subdomain(name)) == 0
		if got != want {
			t.Errorf("node %q: %v, want %v", name, got, want)
		}
		if want {
			good++
		}
	}
	if good < 100 {
		t.Errorf("only %d of the names are valid", good)
	}
}
