package services

import (
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// workloadAt returns the index, in the caller's list, of the Pod or Backend from which an endpoint
// was made. path is the path of the endpoint in the call of slicer.Compute.
func (d *derivation) workloadAt(path string) (index int, ok bool) {
	var groupAt, endpointAt int
	if n, _ := fmt.Sscanf(path, "groups[%d].endpoints[%d]", &groupAt, &endpointAt); n < 2 {
		return 0, false
	}
	return int(d.sources[groupAt][endpointAt]), true
}

// callerPath translates a path in the arguments of slicer.Compute to a path in the arguments of
// this package.
func (d *derivation) callerPath(path string) string {
	if i, ok := d.workloadAt(path); ok {
		return fmt.Sprintf("%s[%d]", d.from.list, i)
	}
	owner, ok := strings.CutPrefix(path, "set.owners")
	switch {
	case ok && d.selection == nil:
		return "service.metadata.uid"
	case ok:
		return "selection.owners" + owner
	}
	return optionPaths.path(path)
}

// toCaller translates the path of a Skip of slicer.Compute. If the Skip is about a Backend without
// a TargetRef, it adds the Backend's name.
func (d *derivation) toCaller(s *slicer.Skip) {
	i, ok := d.workloadAt(s.Path)
	if ok && s.Object == (corev1.ObjectReference{}) && d.backends != nil {
		s.Object.Name = d.backends[i].Name
	}
	s.Path, s.Err = d.callerPath(s.Path), withPaths(s.Err, d.callerPath)
}

// renames has pairs: the beginning of a path of slicer.Compute, and the beginning of the same path
// in the caller's arguments.
type renames [][2]string

// optionPaths translates paths in the arguments of slicer.Compute to paths in the arguments of this
// package.
var optionPaths = renames{
	{"options.", "options.slices."}, {"hints.", "options.hints."}, {"set.managedBy", "options.managedBy"},
	{"set.key", "options.keyLabel"},
	{"set.namePrefix", "options.namePrefix"}, {"set.annotations", "options.annotations"},
	{"set.name", "service.metadata.name"},
}

// path translates a path. A path that has none of the beginnings stays as it is.
func (r renames) path(of string) string {
	for _, path := range r {
		if rest, ok := strings.CutPrefix(of, path[0]); ok {
			return path[1] + rest
		}
	}
	return of
}

// withPaths returns the error with its paths translated by the function path. An error without a
// path stays as it is.
func withPaths(err error, path func(of string) string) error {
	switch e := err.(type) {
	case *field.Error:
		of := *e
		of.Field = path(e.Field)
		return &of
	case interface{ Unwrap() []error }:
		var all []error
		for _, err := range e.Unwrap() {
			all = append(all, withPaths(err, path))
		}
		return errors.Join(all...)
	default:
		return err
	}
}
