package slicer

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	old "github.com/slicewright/slicewright/slicer"
)

// compute translates to the planner in the directory above, until it reads an Input itself.
func compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	m := &in.Meta
	o := old.Input{
		Set: old.Set{
			Namespace: in.Key.Namespace, Name: in.Key.Name, ManagedBy: in.Key.ManagedBy, Key: in.Key.MatchLabels,
			NamePrefix: m.NamePrefix, Owners: m.OwnerReferences, Adopt: in.Options.Adopt,
			Labels: m.Labels, Annotations: m.Annotations, AddressTypes: in.Options.AddressTypes,
			Created: m.CreationTimestamp, Terminating: m.Terminating,
		},
		Hints: in.Hints,
		Options: old.Options{
			MaxEndpointsPerSlice: in.Options.MaxEndpointsPerSlice, NoPlaceholder: in.Options.NoPlaceholder,
			KeepForeignLabels: in.Options.KeepLabels,
		},
	}
	if in.Options.Compact {
		o.Options.Packing = old.Compact
	}
	if at, ok := m.Annotations[corev1.EndpointsLastChangeTriggerTime]; ok {
		t, err := time.Parse(time.RFC3339Nano, at)
		if err != nil {
			return Plan{}, err
		}
		o.Set.TriggerTime, o.Set.Annotations = &t, maps.Clone(m.Annotations)
		delete(o.Set.Annotations, corev1.EndpointsLastChangeTriggerTime)
	}
	for _, g := range in.Groups {
		translated := old.Group{AddressType: g.AddressType, Ports: g.Ports}
		for _, e := range g.Endpoints {
			translated.Endpoints = append(translated.Endpoints, e.API)
			translated.Changed = append(translated.Changed, e.Changed)
		}
		o.Groups = append(o.Groups, translated)
	}
	made, err := old.Compute(o, existing)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Unchanged: made.Unchanged, Warnings: in.Warnings, Normal: in.Normal, Retry: in.Retry, Hints: made.Hints}
	for _, s := range made.Steps {
		step := Step{
			Verb: string(s.Verb), Old: s.Old, New: s.New, Added: s.Added, Removed: s.Removed, Changed: s.Changed,
		}
		for _, r := range s.Reasons {
			step.Reasons = append(step.Reasons, string(r))
		}
		plan.Steps = append(plan.Steps, step)
	}
	for _, i := range made.Ignored {
		plan.Ignored = append(plan.Ignored, i.Slice)
	}
	for _, s := range made.Skips {
		plan.Warnings = append(plan.Warnings[:len(plan.Warnings):len(plan.Warnings)], Notice{
			Reason: string(s.Reason), Object: s.Object, Address: s.Address, Path: s.Path, Err: s.Err,
		})
	}
	return plan, nil
}
