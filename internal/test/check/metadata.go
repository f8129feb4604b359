package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// checkMetadata: names, labels, annotations and owners are what the set wants, and what is not the
// set's stays (G10).
func (o *outcome) checkMetadata() {
	for _, s := range o.slots {
		switch {
		case s.now == nil:
		case s.old == nil:
			o.checkCreated(s)
		case !s.written():
			if what := o.differences(s.old); what != (differences{}) {
				o.fail("G10", "slice %s is not written although its metadata differ: %+v", s.name(), what)
			}
		default:
			o.checkUpdated(s)
		}
	}
	o.checkNames()
}

func (o *outcome) checkCreated(s *slot) {
	o.checkSet(s, &discoveryv1.EndpointSlice{})
	n := s.now
	if n.UID != "" || n.ResourceVersion != "" || n.Generation != 0 || len(n.Finalizers) > 0 ||
		n.DeletionTimestamp != nil {
		o.fail("G10", "create %d has metadata that only the API server gives", s.step)
	}
}

func (o *outcome) checkUpdated(s *slot) {
	a, b := s.old, s.now
	if a.Name != b.Name || a.UID != b.UID || a.ResourceVersion != b.ResourceVersion ||
		!slices.Equal(a.Finalizers, b.Finalizers) {
		o.fail("G10", "the update of %s changes name, UID, resourceVersion or finalizers", s.name())
	}
	o.checkSet(s, a)
}

// checkSet compares what is written with what the set makes of old.
func (o *outcome) checkSet(s *slot, old *discoveryv1.EndpointSlice) {
	n := s.now
	if n.Namespace != o.set.Namespace {
		o.fail("G10", "%s has namespace %q", s.name(), n.Namespace)
	}
	if want := o.wantLabels(old.Labels); !maps.Equal(n.Labels, want) {
		o.fail("G10", "%s has labels %v, want %v", s.name(), n.Labels, want)
	}
	o.checkTrigger(s)
	have, want := maps.Clone(n.Annotations), o.wantAnnotations(old.Annotations)
	delete(have, corev1.EndpointsLastChangeTriggerTime)
	if !maps.Equal(have, want) {
		o.fail("G10", "%s has annotations %v, want %v", s.name(), have, want)
	}
	if wantOwners := o.wantOwners(old.OwnerReferences); !sameOwners(n.OwnerReferences, wantOwners) {
		o.fail("G10", "%s has owners %v, want %v", s.name(), n.OwnerReferences, wantOwners)
	}
}

// differences says which metadata of an existing slice the set would change; a trigger time is no
// difference.
type differences struct{ labels, annotations, owners bool }

func (v *view) differences(s *discoveryv1.EndpointSlice) differences {
	annotations := maps.Clone(s.Annotations)
	delete(annotations, corev1.EndpointsLastChangeTriggerTime)
	return differences{
		labels:      !maps.Equal(s.Labels, v.wantLabels(s.Labels)),
		annotations: !maps.Equal(annotations, v.wantAnnotations(s.Annotations)),
		owners:      !sameOwners(s.OwnerReferences, v.wantOwners(s.OwnerReferences)),
	}
}

func (v *view) wantLabels(have map[string]string) map[string]string {
	want := map[string]string{}
	if v.in.Options.KeepLabels {
		maps.Copy(want, have)
	}
	maps.Copy(want, v.labels)
	return want
}

// wantAnnotations are those without the trigger time.
func (v *view) wantAnnotations(have map[string]string) map[string]string {
	want := map[string]string{}
	maps.Copy(want, have)
	maps.Copy(want, v.set.Annotations)
	delete(want, corev1.EndpointsLastChangeTriggerTime)
	return want
}

// wantOwners puts the set's owners in by UID. Where another owner is the controller, the set's are
// none.
func (v *view) wantOwners(have []metav1.OwnerReference) []metav1.OwnerReference {
	var want []metav1.OwnerReference
	controlled := false
	for _, h := range have {
		if !slices.ContainsFunc(v.set.Owners, func(o metav1.OwnerReference) bool { return o.UID == h.UID }) {
			want = append(want, h)
			controlled = controlled || isTrue(h.Controller)
		}
	}
	for _, o := range v.set.Owners {
		if controlled {
			o.Controller = nil
		}
		want = append(want, o)
	}
	return want
}

// sameOwners compares as sets; nil and false are the same.
func sameOwners(a, b []metav1.OwnerReference) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y metav1.OwnerReference) bool {
			return x.UID == y.UID && x.APIVersion == y.APIVersion && x.Kind == y.Kind && x.Name == y.Name &&
				isTrue(x.Controller) == isTrue(y.Controller) &&
				isTrue(x.BlockOwnerDeletion) == isTrue(y.BlockOwnerDeletion)
		}) {
			return false
		}
	}
	return true
}

func isTrue(b *bool) bool { return b != nil && *b }

// checkNames: creates are named as the options say.
func (o *outcome) checkNames() {
	taken, hash := map[string]bool{}, "?"
	for _, s := range o.in.Existing {
		taken[s.Name] = true
	}
	for i, step := range gen.Steps(o.plan, slicer.Create) {
		if rest, ok := strings.CutPrefix(step.New.Name, o.prefix); i == 0 && ok && len(rest) > 8 {
			hash = rest[:8]
		}
		want := o.stableName(hash, step.New.AddressType, taken)
		taken[want] = true
		if step.New.Name != want || step.New.GenerateName != "" {
			o.fail("G12", "create %d has name %q and generateName %q, want name %q", i, step.New.Name,
				step.New.GenerateName, want)
		}
	}
}

// stableName is prefix, hash of the set, address type and the lowest ordinal that is free; the
// first has none. Which hash it is does not matter here, only that all names of one set have the
// same one: see TestNamer of slicer/internal/meta.
func (o *outcome) stableName(hash string, t discoveryv1.AddressType, taken map[string]bool) string {
	base := o.prefix + hash + "-" + strings.ToLower(string(t))
	name := base
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	return name
}

// checkTrigger: a slice that is written has the trigger time of the set, if the set has one. Else
// it has the set's creation, where that is known and nothing of ours was live, and otherwise the
// earliest time at which one of its endpoints changed that was not published before, or that serves
// now and did not, or the other way round (G10).
func (o *outcome) checkTrigger(s *slot) {
	want, sure := o.trigger(s)
	have := s.now.Annotations[corev1.EndpointsLastChangeTriggerTime]
	text := ""
	if !want.IsZero() {
		text = want.UTC().Format(time.RFC3339Nano)
	}
	if o.set.TriggerTime != nil {
		text, sure = *o.set.TriggerTime, true
	}
	if sure && have != text {
		o.fail("G10", "%s has trigger time %q, want %q", s.name(), have, text)
	}
}

// trigger is the time that a slice must have. false: endpoints of one identity changed at several
// times.
func (o *outcome) trigger(s *slot) (want time.Time, sure bool) {
	set := &o.set
	if len(o.live) == 0 && !o.in.Options.NoPlaceholder && !set.Created.IsZero() {
		return set.Created, true
	}
	if s.group == nil {
		return time.Time{}, true
	}
	for _, id := range s.ids {
		w := s.group.wanted[id]
		if w == nil {
			return time.Time{}, false
		}
		for _, e := range w.all {
			if !o.changedAt(e).Equal(o.changedAt(w.all[0])) {
				return time.Time{}, false
			}
		}
		at := o.changedAt(w.all[0])
		if at.IsZero() || at.Before(set.Created) || o.heldAlike(s.group, id, serves(w.pick)) {
			continue
		}
		if want.IsZero() || at.Before(want) {
			want = at
		}
	}
	return want, true
}

// changedAt finds an endpoint's time by the place that it has in the input.
func (o *outcome) changedAt(e *discoveryv1.Endpoint) time.Time {
	for i := range o.in.Groups {
		g := &o.in.Groups[i]
		for j := range g.Endpoints {
			if &g.Endpoints[j].API == e {
				return g.Endpoints[j].Changed
			}
		}
	}
	return time.Time{}
}

// heldAlike reports whether an endpoint was published before and served as it does now. The newest
// live slice of its ports that holds it decides; where there is none, any live slice of other ports
// says so.
func (o *outcome) heldAlike(g *group, id string, serving bool) bool {
	byAge := slices.Clone(o.live)
	slices.SortFunc(byAge, newerFirst)
	alike := func(s *discoveryv1.EndpointSlice) (held, alike bool) {
		for i := range s.Endpoints {
			if g.id(&s.Endpoints[i]) == id {
				held, alike = true, alike || serves(&s.Endpoints[i]) == serving
			}
		}
		return held, alike
	}
	for _, s := range byAge {
		if KeyOf(s) == g.key {
			if held, alike := alike(s); held {
				return alike
			}
		}
	}
	return slices.ContainsFunc(byAge, func(s *discoveryv1.EndpointSlice) bool {
		_, alike := alike(s)
		return alike && s.AddressType == g.addressType
	})
}

func serves(e *discoveryv1.Endpoint) bool {
	return e.Conditions.Serving == nil || *e.Conditions.Serving
}
