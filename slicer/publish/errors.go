package publish

import (
	"errors"

	"github.com/slicewright/slicewright/slicer"
)

// ErrRetry is the error of Sync if the cache is stale. Call again after 50 to 200 ms, without an
// alert. It is never joined with another error.
var ErrRetry = errors.New("publish: the cache is stale: call again after 50 to 200 ms")

// retry returns Input.Retry as the error of a call that has written everything. It is never
// ErrRetry, even if a function of the caller returned that.
func retry(err error) error {
	if errors.Is(err, ErrRetry) {
		return hidden{err}
	}
	return err
}

// hidden is an error in which errors.Is does not find ErrRetry.
type hidden struct{ err error }

func (h hidden) Error() string        { return h.err.Error() }
func (h hidden) Is(target error) bool { return target != ErrRetry && errors.Is(h.err, target) }
func (h hidden) As(target any) bool   { return errors.As(h.err, target) }

// check returns the mistakes in a Key.
func check(k slicer.Key) error {
	_, err := slicer.Compute(slicer.Input{Key: k, Unmanaged: true}, nil)
	return err
}
