package publish

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// Pods brings the slices of a Service up to date with its Pods. [services.Plan] says what is
// planned, and has the same arguments.
//
// If the Service is an ExternalName or has no selector, Pods removes all slices with this ManagedBy
// that were published for the Service. These include the slices of [Syncer.Backends], so call
// either Pods or Backends for a Service.
func (s *Syncer) Pods(
	ctx context.Context, svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node,
) (slicer.Plan, error) {
	o := s.configured()
	return s.sync(ctx, setOf(svc, o), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		plan, err := services.Plan(svc, pods, node, existing, *o)
		return orRemoval(plan, err, svc, existing, o)
	})
}

// Backends brings the slices of a Service up to date with its Backends. [services.PlanBackends]
// says what is planned, and has the same arguments. If the Service is an ExternalName, Backends
// removes its slices.
func (s *Syncer) Backends(ctx context.Context, svc *corev1.Service, backends []services.Backend) (slicer.Plan, error) {
	o := s.configured()
	return s.sync(ctx, setOf(svc, o), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		plan, err := services.PlanBackends(svc, backends, existing, *o)
		return orRemoval(plan, err, svc, existing, o)
	})
}

// Remove deletes the slices with this ManagedBy that were published for a Service. Call it for a
// Service that is not published any more. Call it also for a Service that does not exist any more:
// Namespace and Name are then enough. Once the cache shows that the slices are gone, the Syncer
// forgets the Service.
func (s *Syncer) Remove(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	o := s.configured()
	return s.sync(ctx, setOf(svc, o), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return services.PlanRemoval(svc, existing, *o)
	})
}

// Selection brings the slices of a Selection up to date with its Pods. [services.PlanSelection]
// says what is planned, and has the same arguments.
func (s *Syncer) Selection(
	ctx context.Context, of services.Selection, pods []*corev1.Pod, node func(name string) *corev1.Node,
) (slicer.Plan, error) {
	o := s.configured()
	set := tracker.Set{
		Namespace: of.Parent.Namespace, Name: of.Parent.Name, ManagedBy: o.ManagedBy,
		Labels: o.Key(of.Parent.Name), Owners: of.Owners,
	}
	return s.sync(ctx, set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return services.PlanSelection(of, pods, node, existing, *o)
	})
}

// configured returns the options. If s is nil, they are empty, and sync reports the mistake.
func (s *Syncer) configured() *services.Options {
	if s == nil {
		return &services.Options{}
	}
	return &s.options
}

func setOf(svc *corev1.Service, o *services.Options) tracker.Set {
	if svc == nil {
		return tracker.Set{}
	}
	return tracker.Set{
		Namespace: svc.Namespace, Name: svc.Name, ManagedBy: o.ManagedBy,
		Labels: o.Key(svc.Name), Owner: svc.UID,
	}
}

// orRemoval returns the plan of a Service, or a plan that removes its slices if its endpoints are
// not to be published.
func orRemoval(
	plan slicer.Plan, err error, svc *corev1.Service, existing []*discoveryv1.EndpointSlice, o *services.Options,
) (slicer.Plan, error) {
	if errors.Is(err, services.ErrNotManaged) {
		return services.PlanRemoval(svc, existing, *o)
	}
	return plan, err
}
