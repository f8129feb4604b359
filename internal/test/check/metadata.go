package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
