package slicertest

import (
	"errors"
	"io"
	"net/http"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What a writer may send. These limits, with those of time in internal/test/kit, end a run in a
// minute and keep its memory bounded, whatever the writer does.
const (
	maxRequests = 2000     // in one sync; after twice as many, the goroutines that send more are ended
	maxWrites   = 2000     // in one history
	maxBytes    = 32 << 20 // in one history, as Go keeps them
	maxLate     = 3        // requests after a sync has returned that are kept
	maxName     = 1000     // bytes of a name that is kept
	maxBody     = 3 << 20  // bytes of a request, as the API server has it
	maxObject   = 3 << 19  // bytes of a stored object, as etcd has it
)

var (
	errLimit = errors.New("slicertest: the sync made more than 2000 requests, or sent more than 32 MiB")
	errLate  = errors.New("slicertest: no sync is under way")
)

// admit counts a request against the limits. It reports whether the request is to be carried out.
// The first one above a limit is, so that it fails and is judged; the others leave no trace.
func (a *API) admit(r *request) (ok bool) {
	if a.log.Closed() {
		a.log.End()
	}
	if len(r.name) > maxName {
		r.name = strings.Clone(r.name[:maxName])
	}
	a.bytes += len(r.patch) + footprint(r.sent)
	over := a.bytes > maxBytes
	if a.requests++; a.requests <= maxRequests && !over {
		return true
	}
	r.err = errLimit
	if first := !a.over; first {
		a.over = true
		return true
	}
	if a.requests > 2*maxRequests || a.bytes > 2*maxBytes {
		a.log.End()
	}
	return false
}

// footprint is about how many bytes a slice occupies.
func footprint(s *discoveryv1.EndpointSlice) int {
	if s == nil {
		return 0
	}
	const object, endpoint, port = 500, 400, 100 // without texts
	return object + endpoint*len(s.Endpoints) + port*len(s.Ports) + s.Size()
}

// tooLarge is how etcd refuses a slice; nil if it takes it.
func tooLarge(s *discoveryv1.EndpointSlice) error {
	if s.Size() <= maxObject {
		return nil
	}
	return apierrors.NewRequestEntityTooLargeError("etcdserver: request is too large")
}

// body reads the body of a request.
func body(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(data) > maxBody {
		err = apierrors.NewRequestEntityTooLargeError("limit is 3145728")
	}
	return data, err
}
