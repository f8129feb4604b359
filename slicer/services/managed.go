package services

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Reason is why the endpoints of a Service are published or not.
type Reason string

const (
	// Publishable: Plan or PlanBackends publishes the Service's endpoints.
	Publishable Reason = "Publishable"
	// NoService: the Service is nil.
	NoService Reason = "NoService"
	// ExternalName: the Service is an alias and has no endpoints.
	ExternalName Reason = "ExternalName"
	// NoSelector: the Service has no selector, so another program or person manages its endpoints.
	NoSelector Reason = "NoSelector"
)

// ErrNotManaged is the error (errors.Is) of [Plan], [Input], [PlanBackends] and [BackendsInput] if
// they must not publish the Service's endpoints: the Service is an ExternalName, or it has no
// selector and the call is for Pods. To delete slices that were published for the Service before,
// call [PlanRemoval], which leaves the slices of other managers alone. If the Service was deleted,
// the garbage collector deletes the slices by their owner references.
var ErrNotManaged = errors.New("the Service's endpoints are not to be published")

// Managed returns two Reasons: pods for [Plan] and backends for [PlanBackends]. Each is
// Publishable, or says why the function does not publish the Service. If several reasons apply, the
// first one in the order of the constants is returned. Backends need no selector. See
// [ErrNotManaged].
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

// PlanRemoval returns a plan that deletes all slices of a Service with the options' ManagedBy and
// KeyLabel. It makes no difference which function planned them. No placeholder is left. Call
// PlanRemoval when [Managed] no longer returns Publishable for the Service, or when another manager
// takes over.
//
// Slices of other managers and slices with other labels stay. If the Service has only such slices,
// the plan has a routine Skip (NothingRemoved). existing and the plan are as in [Plan]. PlanRemoval
// returns the same errors as Plan, except ErrNotManaged and ErrNodesUnknown.
func PlanRemoval(svc *corev1.Service, existing []*discoveryv1.EndpointSlice, o Options) (slicer.Plan, error) {
	if err := checkRemoval(svc, o); err != nil {
		return slicer.Plan{}, err
	}
	d := derivation{subject: subject{service: svc}, options: o}
	in := slicer.Input{Set: d.set(), Hints: o.hintsOf(svc), Options: o.Slices}
	in.Options.NoPlaceholder = true
	if svc.UID == "" {
		in.Set.Owners = nil // no slice is left that the Service could own
	}
	plan, err := slicer.Compute(in, existing)
	if err != nil {
		return plan, withPaths(err, optionPaths.path)
	}
	if s, ok := nothingRemoved(svc, existing, &plan, o); ok {
		plan.Skips = append(plan.Skips, s)
	}
	return plan, nil
}

// nothingRemoved returns a Skip if a removal deletes nothing although the Service has slices. It is
// routine, because another controller may manage these slices.
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
