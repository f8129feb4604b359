package slicertest

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRequestsAreBounded: what a request leaves behind is bounded: its name, its body, and how many
// writes are kept that come after their sync has returned.
func TestRequestsAreBounded(t *testing.T) {
	api := serving(t)
	_, _ = api.Get(t.Context(), strings.Repeat("a", 10*maxNameKept), metav1.GetOptions{})
	if got := len(api.journal[len(api.journal)-1].name); got != maxNameKept {
		t.Errorf("a name of %d bytes is kept, want %d", got, maxNameKept)
	}

	const pod = `"kind":"Pod","apiVersion":"v1"}`
	for size, want := range map[int]int{largestBody: http.StatusBadRequest,
		largestBody + 1: http.StatusRequestEntityTooLarge} {
		body := "{" + strings.Repeat(" ", size-len(pod)-1) + pod
		if code := send(t, api, "POST", slicesURL, jsonType, jsonType, []byte(body), &metav1.Status{}); code != want {
			t.Errorf("a request of %d bytes is answered with %d, want %d", len(body), code, want)
		}
	}

	api.activate(false)
	for range 10 * lateKept {
		_, _ = api.Create(t.Context(), newSlice("web-2"), metav1.CreateOptions{})
	}
	if len(api.late) != lateKept {
		t.Errorf("%d writes after a sync are kept, want %d", len(api.late), lateKept)
	}
}

// The bounds of TestRequestsAreBounded, as numbers: a bound that is removed must not remove them.
const (
	maxNameKept = 1000
	largestBody = 3 << 20
	lateKept    = 3
)
