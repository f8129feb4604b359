package tracker

import (
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

// Sent is a write that is about to be sent. It is a copy, because the answer of the API server
// replaces the slice.
type Sent struct {
	verb    slicer.Verb
	name    string
	uid     types.UID
	version string
}

// Send returns the Sent of a write. s is Step.New for a create and an update, and Step.Old for a
// delete.
func Send(verb slicer.Verb, s *discoveryv1.EndpointSlice) Sent {
	return Sent{verb, s.Name, s.UID, s.ResourceVersion}
}

// Answered reports the outcome of a write. s is the slice into which the answer was decoded. After
// an error that is not a refusal, the write may have been executed, or may be executed later.
func (c *Call) Answered(sent Sent, s *discoveryv1.EndpointSlice, err error) {
	refused := refused(err)
	switch sent.verb {
	case slicer.Create:
		if apierrors.IsAlreadyExists(err) && sent.name != "" {
			c.tracker.take(sent.name)
		}
		if !refused {
			c.created(sent, s, err)
		}
	case slicer.Update:
		e := Entry{UID: sent.uid, Version: sent.version, After: true}
		if err == nil && s.ResourceVersion != sent.version && s.ResourceVersion != "" {
			e.Version, e.After = s.ResourceVersion, false
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
func (c *Call) created(sent Sent, s *discoveryv1.EndpointSlice, err error) {
	if err != nil || s.ResourceVersion == "" {
		name := sent.name
		if err == nil {
			name = s.Name
		}
		e := c.tracker.Written[name]
		e.Unknown = true
		c.tracker.keep(name, e)
		return
	}
	c.tracker.keep(s.Name, Entry{UID: s.UID, Version: s.ResourceVersion, Unseen: true})
}

// changed remembers an update or a delete. Some APIs, such as client-go's fake clientset, give no
// versions. Then there is nothing to wait for.
func (c *Call) changed(sent Sent, e Entry) {
	if sent.version == "" {
		return
	}
	if earlier := c.tracker.Written[sent.name]; earlier.UID == e.UID {
		e.Unseen = earlier.Unseen
	}
	e.Unseen = e.Unseen || c.isHidden(sent.name)
	c.tracker.keep(sent.name, e)
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
