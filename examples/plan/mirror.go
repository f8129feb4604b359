package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// mirror is what a mirroring controller does for a Service without selector whose Endpoints are in
// the input; false for any other Service.
func (w world) mirror(svc *corev1.Service, c config) (planned, bool, error) {
	out := planned{service: svc, mirrors: true}
	endpoints := w.endpoints[svc.Namespace+"/"+svc.Name]
	if endpoints == nil || len(svc.Spec.Selector) > 0 {
		return out, false, nil
	}
	o := mirror.Options{ManagedBy: c.from.ManagedBy}
	if o.ManagedBy == services.KubernetesManager { // the flag's default
		o.ManagedBy = mirror.KubernetesManager
	}
	in, err := mirror.FromEndpoints(endpoints, svc, o)
	if err != nil {
		return out, true, err
	}
	in.Options = c.mirrorOptions(in.Options)
	if c.hinted {
		in.Hints = w.hints(svc, c)
	}
	out.plan, err = slicer.Compute(in, w.slices[svc.Namespace])
	if ok, reason := mirror.Eligible(endpoints, svc); !ok && out.plan.Empty() {
		out.leftAlone = "its Endpoints are not mirrored: " + string(reason)
	}
	return out, true, err
}

// mirrorOptions are those of the flags; where a mirror has defaults of its own, these stay, but for
// a -max that was given.
func (c config) mirrorOptions(defaults slicer.Options) slicer.Options {
	o := c.options
	if !c.given["max"] {
		o.MaxEndpointsPerSlice = defaults.MaxEndpointsPerSlice
	}
	o.NoPlaceholder, o.ExplicitConditions = defaults.NoPlaceholder, defaults.ExplicitConditions
	o.RemoveForeignAnnotations = defaults.RemoveForeignAnnotations
	return o
}
