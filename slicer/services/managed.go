package services

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Reason says whether a Service's endpoints are to be published, and if not, why.
type Reason string

const (
	// Publishable: its endpoints are to be published.
	Publishable Reason = "Publishable"
	// NoService: there is none (nil).
	NoService Reason = "NoService"
	// ExternalName: it is an alias and has no endpoints.
	ExternalName Reason = "ExternalName"
	// NoSelector: somebody else manages its endpoints.
	NoSelector Reason = "NoSelector"
)

// ErrNotManaged is in the error of Plan, Input and their forms for Backends (errors.Is) if the
// Service's endpoints are not to be published: it is an ExternalName, or for Pods it has no
// selector, so that its slices belong to whoever writes them. What Plan published before goes with
// [PlanRemoval], which leaves the slices of others. The slices of a Service that was deleted go by
// their owner references, and need no plan.
var ErrNotManaged = errors.New("the Service's endpoints are not to be published")

// Managed says whether Plan (pods) and PlanBackends (backends) publish a Service, and if not, the
// first reason in the order of the constants. Backends need no selector. See [ErrNotManaged].
func Managed(svc *corev1.Service) (pods, backends Reason) {
	return managed(svc, true), managed(svc, false)
}

func managed(svc *corev1.Service, bySelector bool) Reason {
	switch {
	case svc == nil:
		return NoService
	case svc.Spec.Type == corev1.ServiceTypeExternalName:
		return ExternalName
	case bySelector && len(svc.Spec.Selector) == 0:
		return NoSelector
	default:
		return Publishable
	}
}

// PlanRemoval plans the deletion of all slices of a Service that have the options' ManagedBy and
// KeyLabel, whichever of [Plan], [PlanBackends] and the caller's own code published them, and
// leaves no placeholder. It is for a Service that is not [Managed] any more, or whose slices
// another manager takes over. Slices of other managers or with other labels stay; if there are no
// others, a routine Skip (NothingRemoved) says so. existing and the plan are as in [Plan]. Errors
// are those of Plan, except that the Service need not be managed.
func PlanRemoval(svc *corev1.Service, existing []*discoveryv1.EndpointSlice, o Options) (slicer.Plan, error) {
	if err := checkRemoval(svc, o); err != nil {
		return slicer.Plan{}, err
	}
	d := derivation{subject: subject{service: svc}, options: o}
	in := slicer.Input{Set: d.set(), Hints: o.hintsOf(svc), Options: o.Slices}
	in.Options.NoPlaceholder = true
	if svc.UID == "" {
		in.Set.Owners = nil // nothing is left that it could own
	}
	plan, err := slicer.Compute(in, existing)
	if err != nil {
		return plan, renamed(err, options.path)
	}
	if s, ok := nothingRemoved(svc, existing, &plan, o); ok {
		plan.Skips = append(plan.Skips, s)
	}
	return plan, nil
}

// nothingRemoved says that a removal deletes nothing although the Service has slices. It is
// routine, because these slices may be the work of another controller.
func nothingRemoved(svc *corev1.Service, existing []*discoveryv1.EndpointSlice, plan *slicer.Plan,
	o Options) (slicer.Skip, bool) {
	if !plan.Empty() {
		return slicer.Skip{}, false
	}
	n, wrongLabel := 0, 0
	for _, s := range existing {
		_, has := s.Labels[o.KeyLabel]
		switch named := s.Labels[discoveryv1.LabelServiceName] == svc.Name; {
		case !named && !(has && s.Labels[o.KeyLabel] == o.Key(svc.Name)[o.KeyLabel]) || s.DeletionTimestamp != nil:
			continue
		case s.Labels[discoveryv1.LabelManagedBy] == o.ManagedBy:
			wrongLabel++
		}
		n++
	}
	if n == 0 {
		return slicer.Skip{}, false
	}
	err := field.Invalid(field.NewPath("options", "managedBy"), o.ManagedBy,
		fmt.Sprintf("the Service has %d slices, and this name manages none: if they are yours, give the name in "+
			"their label %s", n, discoveryv1.LabelManagedBy))
	if wrongLabel > 0 {
		err = field.Invalid(field.NewPath("options", "keyLabel"), o.KeyLabel,
			fmt.Sprintf("%d slices of the Service have this ManagedBy but not this label: give the KeyLabel with "+
				"which they were published", wrongLabel))
	}
	return slicer.Skip{Reason: NothingRemoved, Severity: slicer.Routine, Path: err.Field, Err: err,
		Object: referenceTo(svc)}, true
}
