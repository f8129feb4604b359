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

// Pods brings the slices of a Service to what its Pods are, as [services.Plan] plans them. If the Service is an ExternalName or has no
// selector, it removes all slices that the same ManagedBy published for it, those of [Syncer.Backends] as well: so call
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

// Backends brings the slices of a Service to what its Backends are, as [services.PlanBackends] plans them. If the Service is
// an ExternalName, it removes them.
func (s *Syncer) Backends(ctx context.Context, svc *corev1.Service, backends []services.Backend) (slicer.Plan, error) {
	o := s.configured()
	return s.sync(ctx, setOf(svc, o), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		plan, err := services.PlanBackends(svc, backends, existing, *o)
		return orRemoval(plan, err, svc, existing, o)
	})
}

// Remove deletes the slices of a Service that this ManagedBy published. Call it for a Service that is not published any more, and
// for one that is gone: then Namespace and Name are enough, and nothing of the Service is remembered once the cache shows that its
// slices are gone.
func (s *Syncer) Remove(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	o := s.configured()
	return s.sync(ctx, setOf(svc, o), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return services.PlanRemoval(svc, existing, *o)
	})
}

// Selection brings the slices of a Selection to what its Pods are, as [services.PlanSelection] plans them.
func (s *Syncer) Selection(
	ctx context.Context, of services.Selection, pods []*corev1.Pod, node func(name string) *corev1.Node,
) (slicer.Plan, error) {
	o := s.configured()
	return s.sync(ctx, tracker.Set{
		Namespace: of.Parent.Namespace, Name: of.Parent.Name, ManagedBy: o.ManagedBy, Labels: o.Key(of.Parent.Name), Owners: of.Owners,
	}, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		return services.PlanSelection(of, pods, node, existing, *o)
	})
}

// configured returns the options, and none if there is no Syncer, which sync reports.
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
	return tracker.Set{Namespace: svc.Namespace, Name: svc.Name, ManagedBy: o.ManagedBy, Labels: o.Key(svc.Name), Owner: svc.UID}
}

// orRemoval returns the plan of a Service, and if its endpoints are not to be published, one that removes them.
func orRemoval(
	plan slicer.Plan, err error, svc *corev1.Service, existing []*discoveryv1.EndpointSlice, o *services.Options,
) (slicer.Plan, error) {
	if errors.Is(err, services.ErrNotManaged) {
		return services.PlanRemoval(svc, existing, *o)
	}
	return plan, err
}
