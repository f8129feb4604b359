package mirror

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Reasons of Skips in the plans of this package. Plans also have the reasons of package slicer and
// the [Reason] SkipMirror. No Skip asks for a retry. All are warnings, with three exceptions that
// are routine: Terminating, OtherAddressType for endpoints of the IP family that ToEndpoints does
// not show, and SkipMirror if the plan removes no mirrors.
const (
	// Duplicate: the address is already listed for these ports. If it is listed as ready and as not
	// ready, the ready one is used.
	Duplicate slicer.SkipReason = "Duplicate"
	// OverLimit: there are more addresses with these ports than the options allow, or more
	// endpoints than a slice can hold.
	OverLimit slicer.SkipReason = "OverLimit"
	// InvalidPort: the API server would refuse the port, or its number is not 1 to 65535. Endpoints
	// whose ports are all invalid get this Skip as well.
	InvalidPort slicer.SkipReason = "InvalidPort"
	// AllPorts: the port has no number, which Endpoints cannot express. discovery/v1 does not
	// define such a port; in v1beta1 it meant all ports.
	AllPorts slicer.SkipReason = "AllPorts"
	// NoServicePort: Skip.Port is published, but the Service has no port of this name and protocol,
	// so its clients do not reach it.
	NoServicePort slicer.SkipReason = "NoServicePort"
	// NoPorts: the slice has no ports, but the Service has some, so the endpoints serve none of
	// them.
	NoPorts slicer.SkipReason = "NoPorts"
	// PortsFiltered: CopyOptions.Port, or the ports of an import (package mcs), left none of the
	// slice's ports. A slice that has no ports never gets this Skip.
	PortsFiltered slicer.SkipReason = "PortsFiltered"
	// Dropped: CopyOptions.Transform returned an error, which Skip.Err wraps.
	Dropped slicer.SkipReason = "Dropped"
	// OwnOutput: the slice was written by the manager of the copy itself (set.ManagedBy).
	OwnOutput slicer.SkipReason = "OwnOutput"
	// OtherAddressType: the address type of the slice or the endpoint is unknown, or differs from
	// that of the Endpoints that ToEndpoints returns, or from that of the copy.
	OtherAddressType slicer.SkipReason = "OtherAddressType"
	// Terminating: the endpoint is being deleted and is not published as ready.
	Terminating slicer.SkipReason = "Terminating"
)

// skips lists what a conversion leaves out.
type skips []slicer.Skip

// add records a Skip for the part of the input at the error's path.
func (s *skips) add(skip slicer.Skip, err *field.Error) {
	skip.Path, skip.Err = err.Field, err
	*s = append(*s, skip)
}
