package tracker

import (
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

// sent is a write that was sent.
type sent struct {
	verb    string
	name    string
	uid     types.UID
	version string
}

// Answered reports the outcome of a step. answer is the slice that the API server returned, which
// may be nil. After an error that is not a refusal, the write may have been executed, or may be
// executed later.
func (c *Call) Answered(step *slicer.Step, answer *discoveryv1.EndpointSlice, err error) {
	s := step.New
	if s == nil {
		s = step.Old
	}
	sent := sent{step.Verb, s.Name, s.UID, s.ResourceVersion}
	if answer == nil {
		answer = &discoveryv1.EndpointSlice{}
	}
	refused := refused(err)
	switch sent.verb {
	case slicer.Create:
		if apierrors.IsAlreadyExists(err) && sent.name != "" {
			c.tracker.take(sent.name)
		}
		if !refused {
			c.created(sent, answer, err)
		}
	case slicer.Update:
		e := Entry{UID: sent.uid, Version: sent.version, After: true}
		if err == nil && answer.ResourceVersion != sent.version && answer.ResourceVersion != "" {
			e.Version, e.After = answer.ResourceVersion, false
		}
		if !refused {
			c.changed(sent, e)
		}
	case slicer.Delete:
		if !refused || apierrors.IsNotFound(err) {
			c.changed(sent, Entry{UID: sent.uid, Version: sent.version, After: true})
		}
	}
}

// created remembers a create. If the answer was lost or has no version, the waiting ends only when
// the cache shows a slice that it did not have before. The entry of an earlier slice with the same
// name is kept.
func (c *Call) created(sent sent, answer *discoveryv1.EndpointSlice, err error) {
	if err != nil || answer.ResourceVersion == "" {
		e := c.tracker.Written[sent.name]
		e.Unknown = true
		put(&c.tracker.Written, sent.name, e)
		return
	}
	put(&c.tracker.Written, sent.name, Entry{UID: answer.UID, Version: answer.ResourceVersion, Unseen: true})
}

// changed remembers an update or a delete. Some APIs, such as client-go's fake clientset, give no
// versions. Then there is nothing to wait for.
func (c *Call) changed(sent sent, e Entry) {
	if sent.version == "" {
		return
	}
	if earlier := c.tracker.Written[sent.name]; earlier.UID == e.UID {
		e.Unseen = earlier.Unseen
	}
	e.Unseen = e.Unseen || c.unlisted[sent.name]
	put(&c.tracker.Written, sent.name, e)
}

// refused reports whether the API server refused a write: the error is an answer from which it is
// certain that nothing was written.
func refused(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	const requestTimeout, tooManyRequests = 408, 429
	code := status.Status().Code
	return code >= 400 && code < 500 && code != requestTimeout && code != tooManyRequests
}
