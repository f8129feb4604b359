package answers

import (
	"bufio"
	_ "embed"
	"net/http"
	"strings"
	"testing"
)

//go:embed testdata/requests.txt
var requests string

// byHand is the session of testdata/requests.txt.
func byHand(t *testing.T) *session {
	t.Helper()
	s := &session{}
	long := strings.NewReplacer("MANY", "["+strings.Repeat(`{"addresses":["10.0.0.1"]},`, 1000)+`{"addresses":["10.0.0.1"]}]`, "LONG", strings.Repeat("x", 253))
	inMemory(t, func(to http.RoundTripper) {
		for lines := bufio.NewScanner(strings.NewReader(requests)); lines.Scan(); {
			line, listed := strings.CutPrefix(lines.Text(), "~")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			method, rest, _ := strings.Cut(line, " ")
			path, body, _ := strings.Cut(rest, " ")
			contentType := jsonType
			if method == http.MethodPatch {
				contentType = "application/merge-patch+json"
			}
			if strings.HasPrefix(body, "application/") || strings.HasPrefix(body, "text/") {
				contentType, body, _ = strings.Cut(body, " ")
			}
			e, err := send(t.Context(), to, kitURL, method, strings.TrimSuffix(slicesAPI+path, "/"), contentType, []byte(long.Replace(body)))
			if err != nil {
				t.Fatal(err)
			}
			e.listed = listed
			*s = append(*s, e)
		}
	})
	return s
}
