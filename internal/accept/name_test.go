package accept

import (
	"strings"
	"testing"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
)

// TestPlainName holds PlainName against the API server's rules, on all short texts of bytes that
// lie at the edges of what is allowed, on the same behind texts that end near the eighth and
// sixteenth byte, and on texts with any one byte.
func TestPlainName(t *testing.T) {
	const edges = "az09-.`{/:,\x80\xadA"
	check := func(s string) {
		if got, want := PlainName(s, true), len(s) <= 63 &&
			len(apivalidation.NameIsDNSSubdomain(s, false)) == 0; got != want {
			t.Fatalf("as a subdomain %q: %v, want %v", s, got, want)
		}
		if got, want := PlainName(s, false), len(validation.IsDNS1123Label(s)) == 0; got != want {
			t.Fatalf("as a label %q: %v, want %v", s, got, want)
		}
	}
	var all func(prefix string, more int)
	all = func(prefix string, more int) {
		check(prefix)
		for i := 0; i < len(edges) && more > 0; i++ {
			all(prefix+edges[i:i+1], more-1)
		}
	}
	all("", 3)
	for n := range 18 { // every byte at every place
		for i := range n {
			for b := range 256 {
				text := []byte(strings.Repeat("a", n))
				text[i] = byte(b)
				check(string(text))
			}
		}
	}
	for _, n := range []int{5, 6, 7, 8, 13, 15, 61, 62} {
		for _, end := range []string{"", "-", "."} {
			all(strings.Repeat("a", n-len(end))+end, 2)
		}
	}
}
