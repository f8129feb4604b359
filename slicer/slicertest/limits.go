package slicertest

import (
	"errors"
	"io"
	"net/http"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// These constants limit the requests of a writer. With the limits of time in internal/test/kit,
// they end each run within a minute and bound its memory, even if the writer never stops.
const (
	maxRequests = 2000     // in one sync; goroutines that send more than twice this number are ended
	maxWrites   = 2000     // in one history
	maxBytes    = 32 << 20 // in one history, as Go values in memory
	maxLate     = 3        // requests to keep that came after a sync had returned
	maxName     = 1000     // bytes of a name to keep
	maxBody     = 3 << 20  // bytes of a request, as in the API server
	maxObject   = 3 << 19  // bytes of a stored object, as in etcd
)

var (
	errLimit = errors.New("slicertest: the sync made more than 2000 requests, or sent more than 32 MiB")
	errLate  = errors.New("slicertest: no sync is under way")
)

// admit counts a request against the limits. It reports whether do goes on with the request. The
// first request above a limit goes on, fails with errLimit and is judged. All further requests are
// ignored.
func (a *server) admit(r *request) (ok bool) {
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

// footprint returns the approximate size of a slice in memory, in bytes.
func footprint(s *discoveryv1.EndpointSlice) int {
	if s == nil {
		return 0
	}
	const object, endpoint, port = 500, 400, 100 // sizes without texts
	return object + endpoint*len(s.Endpoints) + port*len(s.Ports) + s.Size()
}

// tooLarge returns the error of etcd for a slice that is too large, and otherwise nil.
func tooLarge(s *discoveryv1.EndpointSlice) error {
	if s.Size() <= maxObject {
		return nil
	}
	return apierrors.NewRequestEntityTooLargeError("etcdserver: request is too large")
}

// body reads the body of a request, up to maxBody bytes.
func body(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(data) > maxBody {
		err = apierrors.NewRequestEntityTooLargeError("limit is 3145728")
	}
	return data, err
}
