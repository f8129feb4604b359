package mirror

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Reasons of Skips besides those of package slicer, such as slicer.InvalidAddress, and the [Reason]
// SkipMirror, which Plan gives. None has Retry. All are warnings, except Terminating, and
// OtherAddressType where a view shows the other IP family: these are routine.
const (
	// Duplicate: the address is listed for these ports before; of a ready and a not ready one the
	// ready one stays.
	Duplicate slicer.SkipReason = "Duplicate"
	// OverLimit: there are more addresses with these ports, or endpoints, than the options or a
	// slice allow.
	OverLimit slicer.SkipReason = "OverLimit"
	// InvalidPort: the API server would refuse the port, or its number is not 1 to 65535; or no
	// port is left for what has ports.
	InvalidPort slicer.SkipReason = "InvalidPort"
	// AllPorts: a port without number means all ports, which Endpoints cannot say.
	AllPorts slicer.SkipReason = "AllPorts"
	// NoServicePort: Skip.Port is published, but the Service has no port of this name and protocol,
	// so its clients do not reach it.
	NoServicePort slicer.SkipReason = "NoServicePort"
	// NoPorts: the slice declares no ports, but the Service has some: its endpoints serve none of
	// them.
	NoPorts slicer.SkipReason = "NoPorts"
	// PortsFiltered: CopyOptions.Port, or the ports of an import (package mcs), left none of the
	// slice's ports. A slice that declares none is no such case.
	PortsFiltered slicer.SkipReason = "PortsFiltered"
	// Dropped: CopyOptions.Transform returned an error, which Skip.Err wraps.
	Dropped slicer.SkipReason = "Dropped"
	// OwnOutput: the slice is managed by the copy's own manager.
	OwnOutput slicer.SkipReason = "OwnOutput"
	// OtherAddressType: the slice or the endpoint is of another address type than the view or the
	// copy, or of an unknown one.
	OtherAddressType slicer.SkipReason = "OtherAddressType"
	// Terminating: the endpoint is being deleted and not published as ready.
	Terminating slicer.SkipReason = "Terminating"
)

// skips are what a conversion leaves out.
type skips []slicer.Skip

// add leaves out a part of the input: the one at the error's path.
func (s *skips) add(skip slicer.Skip, err *field.Error) {
	skip.Path, skip.Err = err.Field, err
	*s = append(*s, skip)
}
