package slicer

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// emit turns the decisions into the plan: creates, updates in their safe order, deletes by name, and what is left alone.
func emit(d decided, existing []*discoveryv1.EndpointSlice) Plan {
	plan := Plan{
		Ignored: d.present.ignored, Skips: d.skips(existing), Hints: d.hints.made, max: d.rules.layout.Max,
	}
	if len(d.layout.Creates) > 0 {
		plan.prefix = meta.Prefix(d.in.Set.Name, d.in.Set.NamePrefix)
		plan.Steps = d.creates(plan.prefix, existing)
	}
	plan.Steps = append(plan.Steps, d.updates()...)
	plan.Steps = append(plan.Steps, d.deletes()...)
	for i := range d.layout.Slices {
		if o := &d.layout.Slices[i]; !o.Written && o.Outcome != layout.Deleted {
			if plan.Unchanged == nil {
				plan.Unchanged = make([]*discoveryv1.EndpointSlice, 0, len(d.layout.Slices))
			}
			plan.Unchanged = append(plan.Unchanged, d.present.slices[i].object)
		}
	}
	return plan
}

var errNoRoom = errors.New("no slice has room, and none is created while the parent is being deleted")

// skips lists what the plan does not publish, in its order.
func (d *decided) skips(existing []*discoveryv1.EndpointSlice) []Skip {
	skips := slices.Concat(d.in.Skips, d.wanted.rejected)
	for g, items := range d.layout.Unplaced(&d.wanted.ids) {
		for _, i := range items {
			at := d.wanted.items[i].Source
			t := endpoint.AddressTypes[d.wanted.groups[g].Type]
			skips = append(skips, skipOf(d.in, at, t, NoRoom, errNoRoom, endpointPath(at).String()))
		}
	}
	for _, i := range d.present.claimed {
		skips = append(skips, claimedSkip(existing[i], i))
	}
	if s, ok := otherService(&d.in.Set); ok {
		skips = append(skips, s)
	}
	sortSkips(skips)
	return skips
}

// otherService says that the slices of the set carry the name of a Service that is neither their parent
// nor one of their owners.
func otherService(set *Set) (Skip, bool) {
	name, ok, path := "", false, field.NewPath("set", "key")
	if name, ok = set.Key[discoveryv1.LabelServiceName]; !ok && len(set.Key) > 0 {
		name, ok = set.Labels[discoveryv1.LabelServiceName]
		path = field.NewPath("set", "labels")
	}
	if !ok || name == accept.LabelValue(set.Name) || slices.ContainsFunc(set.Owners, func(o metav1.OwnerReference) bool { return o.Kind == "Service" && o.Name == name }) {
		return Skip{}, false
	}
	cause := field.Invalid(path.Key(discoveryv1.LabelServiceName), name, "readers join these slices with those of this Service, "+
		"and it is neither the parent nor an owner: give a label of your own, or make the Service an owner")
	return Skip{
		Reason: OtherService, Path: cause.Field, Err: cause,
		Object: corev1.ObjectReference{APIVersion: "v1", Kind: "Service", Namespace: set.Namespace, Name: name},
	}, true
}

// claimedSkip says that a slice at a place of existing has the labels of the set and another owner.
func claimedSkip(s *discoveryv1.EndpointSlice, place int32) Skip {
	owner := s.OwnerReferences[slices.IndexFunc(s.OwnerReferences, controls)]
	return Skip{
		Reason: OtherOwner, Path: field.NewPath("existing").Index(int(place)).String(),
		Object: corev1.ObjectReference{
			APIVersion: discoveryv1.SchemeGroupVersion.String(), Kind: "EndpointSlice", Namespace: s.Namespace, Name: s.Name, UID: s.UID,
		},
		Err: fmt.Errorf("it has the labels of this set, but its controller is %s %s: readers join the endpoints of both; "+
			"give each parent labels of its own, or adopt the slice", notation.Quote(owner.Kind), notation.Quote(owner.Name)),
	}
}

func (d *decided) creates(prefix string, existing []*discoveryv1.EndpointSlice) []Step {
	var steps []Step
	name := meta.Namer(prefix, d.rules.meta.Key, existing)
	for i := range d.layout.Creates {
		c := &d.layout.Creates[i]
		object := &discoveryv1.EndpointSlice{AddressType: endpoint.AddressTypes[c.Class]}
		object.Namespace = d.in.Set.Namespace
		if d.in.Options.GeneratedNames {
			object.GenerateName = prefix
		} else {
			object.Name = name(object.AddressType)
		}
		items := d.layout.Contents(d.layout.Created(i))
		d.build(object, c.Group, items)
		step := Step{Verb: Create, New: object, Added: len(items), Reasons: []Reason{EndpointsAdded}}
		if c.Group == none {
			step.Reasons = []Reason{PlaceholderWanted}
		}
		steps = append(steps, step)
	}
	return steps
}

func (d *decided) updates() []Step {
	var steps []Step
	var memory []compared
	for _, i := range d.order {
		old := d.present.slices[i].object
		object := &discoveryv1.EndpointSlice{AddressType: old.AddressType}
		d.rules.meta.CopyTo(&object.ObjectMeta, &old.ObjectMeta)
		d.build(object, d.layout.Slices[i].Group, d.layout.Contents(layout.Place(i)))
		step := Step{Verb: Update, Old: old, New: object}
		d.explain(&step, i, &memory)
		steps = append(steps, step)
	}
	return steps
}

func (d *decided) deletes() []Step {
	var steps []Step
	add := func(old *discoveryv1.EndpointSlice, why ...Reason) {
		steps = append(steps, Step{Verb: Delete, Old: old, Reasons: why, Removed: len(old.Endpoints)})
	}
	for _, old := range d.present.stale {
		add(old, OwnerStale)
	}
	for i := range d.layout.Slices {
		s, o := &d.present.slices[i], &d.layout.Slices[i]
		switch {
		case o.Outcome != layout.Deleted:
		case s.typ == none:
			add(s.object, AddressTypeGone)
		case o.Compacted: // and dissolved: one that stays clean is not deleted
			add(s.object, Dissolved, Compacted)
		case o.Dissolved:
			add(s.object, Dissolved)
		default:
			add(s.object, NothingLeft)
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return byName(a.Old, b.Old) })
	return steps
}
