package meta

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type texts = map[string]string

var yes, no = true, false

// owner is a controlling owner, changed by each edit.
func owner(edits ...func(*metav1.OwnerReference)) metav1.OwnerReference {
	o := metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: "u1", Controller: &yes,
		BlockOwnerDeletion: &yes}
	for _, edit := range edits {
		edit(&o)
	}
	return o
}

func foreign(o *metav1.OwnerReference)           { o.UID, o.Name = "u9", "other" }
func second(o *metav1.OwnerReference)            { o.UID, o.Name, o.Controller = "u2", "web-2", nil }
func notController(o *metav1.OwnerReference)     { o.Controller = &no }
func withoutController(o *metav1.OwnerReference) { o.Controller = nil }

func slice(o metav1.ObjectMeta) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{ObjectMeta: o}
}

// TestDrift: what of a slice's metadata is not as wanted, and that Apply mends just that.
func TestDrift(t *testing.T) {
	set := Metadata{Labels: texts{"a": "1"}, Annotations: texts{"n": "1"}, Owners: []metav1.OwnerReference{owner()}}
	keep, remove := set, set
	keep.KeepLabels, remove.RemoveAnnotations = true, true
	two := set
	two.Owners = []metav1.OwnerReference{owner(), owner(second)}
	as := func(edit func(o *metav1.ObjectMeta)) metav1.ObjectMeta {
		o := metav1.ObjectMeta{Labels: texts{"a": "1"}, Annotations: texts{"n": "1"},
			OwnerReferences: []metav1.OwnerReference{owner()}}
		edit(&o)
		return o
	}
	owned := func(owners ...metav1.OwnerReference) metav1.ObjectMeta {
		return as(func(o *metav1.ObjectMeta) { o.OwnerReferences = owners })
	}
	for _, row := range []struct {
		why  string
		set  Metadata
		has  metav1.ObjectMeta
		want Drift
	}{
		{"as wanted", set, as(func(o *metav1.ObjectMeta) {}), Drift{}},
		{"another value", set, as(func(o *metav1.ObjectMeta) { o.Labels["a"] = "2" }), Drift{Labels: true}},
		{"a foreign label", set, as(func(o *metav1.ObjectMeta) { o.Labels["b"] = "2" }), Drift{Labels: true}},
		{"a foreign label that may stay", keep, as(func(o *metav1.ObjectMeta) { o.Labels["b"] = "2" }), Drift{}},
		{"another value beside foreign labels", keep, as(func(o *metav1.ObjectMeta) { o.Labels["a"] = "2" }), Drift{Labels: true}},
		{"no label", keep, as(func(o *metav1.ObjectMeta) { o.Labels = nil }), Drift{Labels: true}},
		{"another annotation", set, as(func(o *metav1.ObjectMeta) { o.Annotations["n"] = "2" }), Drift{Annotations: true}},
		{"a foreign annotation stays", set, as(func(o *metav1.ObjectMeta) { o.Annotations["x"] = "2" }), Drift{}},
		{"a foreign annotation that must go", remove, as(func(o *metav1.ObjectMeta) { o.Annotations["x"] = "2" }), Drift{Annotations: true}},
		{"the trigger time does not count", remove, as(func(o *metav1.ObjectMeta) { o.Annotations[corev1.EndpointsLastChangeTriggerTime] = "2" }), Drift{}},
		{"a foreign one beside the trigger time", remove, as(func(o *metav1.ObjectMeta) {
			o.Annotations[corev1.EndpointsLastChangeTriggerTime], o.Annotations["x"] = "2", "3"
		}), Drift{Annotations: true}},
		{"no owner", set, owned(), Drift{Owners: true}},
		{"a foreign owner beside ours", set, owned(owner(foreign, withoutController), owner()), Drift{}},
		{"a foreign owner only", set, owned(owner(foreign, withoutController)), Drift{Owners: true}},
		{"the second owner is missing", two, owned(owner()), Drift{Owners: true}},
		{"both owners", two, owned(owner(second), owner()), Drift{}},
		{"another version", set, owned(owner(func(o *metav1.OwnerReference) { o.APIVersion = "v2" })), Drift{Owners: true}},
		{"another kind", set, owned(owner(func(o *metav1.OwnerReference) { o.Kind = "Pod" })), Drift{Owners: true}},
		{"another name", set, owned(owner(func(o *metav1.OwnerReference) { o.Name = "db" })), Drift{Owners: true}},
		{"not the controller", set, owned(owner(notController)), Drift{Owners: true}},
		{"nothing said of the controller", set, owned(owner(withoutController)), Drift{Owners: true}},
		{"deletion is not blocked", set, owned(owner(func(o *metav1.OwnerReference) { o.BlockOwnerDeletion = nil })), Drift{Owners: true}},
		{"a foreign controller, and ours is none", set, owned(owner(foreign), owner(notController)), Drift{}},
		{"a foreign controller, and ours is one, too", set, owned(owner(foreign), owner()), Drift{Owners: true}},
		{"the controller is the other of our owners", two, owned(owner(), owner(second, func(o *metav1.OwnerReference) { o.Controller = &yes })), Drift{Owners: true}},
	} {
		if have := row.set.Drift(slice(row.has)); have != row.want {
			t.Errorf("%s: %+v, want %+v", row.why, have, row.want)
		}
		var applied metav1.ObjectMeta
		row.set.CopyTo(&applied, &row.has)
		row.set.Apply(&applied, "now")
		if applied.Annotations[corev1.EndpointsLastChangeTriggerTime] != "now" {
			t.Errorf("%s: no trigger time", row.why)
		}
		row.set.Apply(&applied, "")
		if have := row.set.Drift(slice(applied)); have != (Drift{}) {
			t.Errorf("%s: %+v after Apply: %+v", row.why, have, applied)
		}
	}
}

// TestApplyOwners: an owner reference that says what is wanted in other words stays as it is, and
// of two of one UID the second.
func TestApplyOwners(t *testing.T) {
	set := Metadata{Owners: []metav1.OwnerReference{owner(), owner(second)}}
	spelt := owner(second, notController)
	old := owner(func(o *metav1.OwnerReference) { o.Name = "old" })
	for _, row := range []struct{ had, want []metav1.OwnerReference }{
		{[]metav1.OwnerReference{owner(), spelt}, []metav1.OwnerReference{owner(), spelt}},
		{[]metav1.OwnerReference{owner(foreign)}, []metav1.OwnerReference{owner(foreign), owner(notController), owner(second)}},
		{[]metav1.OwnerReference{old, old, spelt}, []metav1.OwnerReference{owner(), old, spelt}},
	} {
		o := metav1.ObjectMeta{OwnerReferences: row.had}
		if set.Apply(&o, ""); !reflect.DeepEqual(o.OwnerReferences, row.want) {
			t.Errorf("%+v, want %+v", o.OwnerReferences, row.want)
		}
	}
}

// TestKey: the key tells the set's slices from others of the parent, and wins over labels. Without
// annotations there is no map.
func TestKey(t *testing.T) {
	set := Metadata{Key: []Label{{"of", "web"}, {"by", "me"}}, Labels: texts{"of": "db", "a": "1"}}
	for _, row := range []struct {
		why                   string
		has                   texts
		ofParent, ours, drift bool
	}{
		{"of another manager", texts{"of": "web", "by": "you", "a": "1"}, true, false, true},
		{"of another parent", texts{"of": "db", "by": "me", "a": "1"}, false, false, true},
		{"ours", texts{"of": "web", "by": "me", "a": "1"}, true, true, false},
	} {
		s := slice(metav1.ObjectMeta{Labels: row.has})
		if set.OfParent(s) != row.ofParent || set.Ours(s) != row.ours || set.Drift(s).Labels != row.drift {
			t.Errorf("%s: of the parent %v, ours %v, %+v", row.why, set.OfParent(s), set.Ours(s), set.Drift(s))
		}
		if set.Apply(&s.ObjectMeta, ""); !reflect.DeepEqual(s.ObjectMeta,
			metav1.ObjectMeta{Labels: texts{"of": "web", "by": "me", "a": "1"}}) {
			t.Errorf("%s: %+v after Apply", row.why, s.ObjectMeta)
		}
	}
}

// Mutants of gremlins that no test can notice: the two that change how large a map in Apply is at
// first.
