package scenario

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// New returns a new world for the stories of packages that make inputs: they have commands of their own and pass the
// others on.
func New() *World { return newWorld() }

// Handle carries out a command of World.
func (w *World) Handle(c Command) (string, error) { return w.handle(c) }

// Want sets what compute plans; what exists stays, and is shown against the set of this input from now on.
func (w *World) Want(in slicer.Input) { w.in = in }

// Exists returns what exists, read-only.
func (w *World) Exists() []*discoveryv1.EndpointSlice { return w.exists }
