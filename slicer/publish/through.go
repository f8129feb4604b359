package publish

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
)

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
