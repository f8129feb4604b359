package publish

import (
	"context"
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
)

// Writer has the functions that write slices, one for each verb. [ClientWriter] returns one for
// client-go. A function that a plan does not need may be nil.
type Writer struct {
	// Create and Update get Step.New, and decode the answer of the API server into it. An update
	// carries the resourceVersion of the slice that it replaces, so that the API server refuses it
	// if another client has written the slice.
	//
	// If Create does not decode the answer, the next sync waits until the cache shows a slice of
	// that name.
	Create, Update func(*discoveryv1.EndpointSlice) error
	// Delete gets Step.Old, which is read-only, and the result of Step.Preconditions: the
	// preconditions that the API server must check.
	Delete func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error
}

// ClientWriter returns a Writer that writes with a client of one namespace: client-go's
// clientset.DiscoveryV1().EndpointSlices(namespace), or any client with the same methods. If client
// is nil, each write fails.
func ClientWriter(ctx context.Context, client interface {
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(ctx context.Context, name string, o metav1.DeleteOptions) error
}) Writer {
	if client == nil {
		return noWriter()
	}
	keep := func(s, stored *discoveryv1.EndpointSlice, err error) error {
		if err == nil && stored != nil {
			*s = *stored
		}
		return err
	}
	return Writer{
		Create: func(s *discoveryv1.EndpointSlice) error {
			stored, err := client.Create(ctx, s, metav1.CreateOptions{})
			return keep(s, stored, err)
		},
		Update: func(s *discoveryv1.EndpointSlice) error {
			stored, err := client.Update(ctx, s, metav1.UpdateOptions{})
			return keep(s, stored, err)
		},
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return client.Delete(ctx, old.Name, metav1.DeleteOptions{Preconditions: p})
		},
	}
}

var errNoClient = errors.New("publish: the client of ClientWriter is nil: " +
	"give one such as clientset.DiscoveryV1().EndpointSlices(namespace)")

// noWriter returns a Writer whose functions fail, because there is no client.
func noWriter() Writer {
	put := func(*discoveryv1.EndpointSlice) error { return errNoClient }
	return Writer{
		Create: put, Update: put,
		Delete: func(*discoveryv1.EndpointSlice, *metav1.Preconditions) error { return errNoClient },
	}
}

// through returns a Writer that writes with w and reports each answer to the call. It has the same
// functions as w: if one of w is nil, it is nil in the result.
func through(call *tracker.Call, w Writer) Writer {
	told := w
	put := func(verb slicer.Verb, write func(*discoveryv1.EndpointSlice) error) func(*discoveryv1.EndpointSlice) error {
		return func(s *discoveryv1.EndpointSlice) error {
			sent := tracker.Send(verb, s) // before the answer replaces s
			err := write(s)
			call.Answered(sent, s, err)
			return err
		}
	}
	if w.Create != nil {
		told.Create = put(slicer.Create, w.Create)
	}
	if w.Update != nil {
		told.Update = put(slicer.Update, w.Update)
	}
	if w.Delete != nil {
		told.Delete = func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			sent := tracker.Send(slicer.Delete, old)
			err := w.Delete(old, p)
			call.Answered(sent, old, err)
			return err
		}
	}
	return told
}
