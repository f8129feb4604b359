package mirror

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// notices lists what a conversion leaves out.
type notices struct{ warnings, normal slicer.Notices }

// warn adds a Warning about the part of the input at the error's path.
func (n *notices) warn(reason string, err *field.Error) {
	n.warnings = append(n.warnings, slicer.Notice{Reason: reason, Path: err.Field, Err: err})
}

// warnOf adds a Warning about an endpoint.
func (n *notices) warnOf(e *discoveryv1.Endpoint, reason, path string, err error) {
	n.warnings = append(n.warnings, noticeOf(e, reason, path, err))
}

func noticeOf(e *discoveryv1.Endpoint, reason, path string, err error) slicer.Notice {
	of := slicer.Notice{Reason: reason, Object: endpoint.TargetOf(e), Path: path, Err: err}
	if len(e.Addresses) > 0 {
		of.Address = e.Addresses[0]
	}
	return of
}
