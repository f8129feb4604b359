package accept

import (
	"strings"
	"testing"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
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

// TestPlainIsValid: what is plain is valid by apimachinery's rules, and what is usual is plain.
func TestPlainIsValid(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, s string) {
		if PlainValue(s) && len(validation.IsValidLabelValue(s)) > 0 {
			t.Fatalf("%q is a plain value and not valid", s)
		}
		if PlainKey(s) && len(validation.IsQualifiedName(s)) > 0 {
			t.Fatalf("%q is a plain key and not valid", s)
		}
		if PlainLabels(map[string]string{s: s}) &&
			len(metav1validation.ValidateLabels(map[string]string{s: s}, nil)) > 0 {
			t.Fatalf("%q is a plain label and not valid", s)
		}
	}
	for b := range 256 {
		for _, s := range []string{string([]byte{byte(b)}), "a" + string([]byte{byte(b)}) + "a",
			"a.b/" + string([]byte{byte(b)}), string([]byte{byte(b)}) + "/a"} {
			check(t, s)
		}
	}
	for n := range 70 {
		check(t, strings.Repeat("a", n))
		check(t, strings.Repeat("a", n)+"/"+strings.Repeat("b", 63))
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.StringMatching(`[a-cA-C0-2./_ -]{0,12}`).Draw(t, "text")) })
	for _, key := range []string{"app", "app.kubernetes.io/name", "kubernetes.io/service-name", "Team_1"} {
		if !PlainKey(key) {
			t.Errorf("%q is not plain", key)
		}
	}
	for _, value := range []string{"", "az", "AZ09", strings.Repeat("z", 63), "web", "slices.example.com",
		"endpointslice-controller.k8s.io", "Web_1.2-x"} {
		if !PlainValue(value) {
			t.Errorf("%q is not plain", value)
		}
	}
}
