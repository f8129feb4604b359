package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// view is an input in this package's own normal form.
type view struct {
	in     gen.Case
	set    set
	max    int
	labels map[string]string // of every slice of the set
	prefix string

	// of the parent; owned have another controller, managed another manager, and former an owner that was
	// deleted and created again
	live, former, managed, deleting, owned []*discoveryv1.EndpointSlice
	others                                 []*discoveryv1.EndpointSlice // of other parents

	types    map[discoveryv1.AddressType]bool // wanted
	unsure   map[discoveryv1.AddressType]bool // left open, such as types of rejected endpoints only
	groups   []*group                         // with at least one accepted endpoint, sorted by key
	byKey    map[string]*group
	rejected []rejection
	// by path: owners without UID, groups whose ports are refused, and the name of another Service
	skipped map[string]string
	owners  []metav1.OwnerReference // with those without UID
}

// set is what all slices have in common.
type set struct {
	Namespace, Name, ManagedBy string
	Key                        map[string]string
	Owners                     []metav1.OwnerReference // those with a UID
	Labels, Annotations        map[string]string
	Adopt                      []string
	AddressTypes               []discoveryv1.AddressType
	Terminating                bool
}

func setOf(in gen.Case) set {
	return set{
		Namespace: in.Key.Namespace, Name: in.Key.Name, ManagedBy: in.Key.ManagedBy, Key: in.Key.MatchLabels,
		Labels: in.Meta.Labels, Annotations: in.Meta.Annotations, Adopt: in.Options.Adopt,
		AddressTypes: in.Options.AddressTypes, Terminating: in.Meta.Terminating,
	}
}

func newView(in gen.Case) *view {
	v := &view{in: in, set: setOf(in), max: in.Options.MaxEndpointsPerSlice, byKey: map[string]*group{},
		prefix: cmp.Or(in.Meta.NamePrefix, in.Key.Name) + "-", skipped: map[string]string{}}
	if v.max == 0 {
		v.max = 100
	}
	v.owners = in.Meta.OwnerReferences
	for i, o := range in.Meta.OwnerReferences {
		if o.UID != "" {
			v.set.Owners = append(v.set.Owners, o)
		} else {
			v.skipped[fmt.Sprintf("meta.ownerReferences[%d].uid", i)] = "OwnerWithoutUID"
		}
	}
	v.labels = maps.Clone(in.Meta.Labels)
	if v.labels == nil {
		v.labels = map[string]string{}
	}
	maps.Copy(v.labels, setKey(v.set))
	v.otherService()
	v.classify()
	v.keepPending()
	v.want()
	return v
}

// setKey is the labels that tell the set's slices from all others.
func setKey(s set) map[string]string {
	key := map[string]string{discoveryv1.LabelServiceName: s.Name}
	if len(s.Key) > 0 {
		key = maps.Clone(s.Key)
	}
	key[discoveryv1.LabelManagedBy] = s.ManagedBy
	return key
}

func (v *view) classify() {
	for _, s := range v.in.Existing {
		switch {
		case !v.ofParent(s):
			v.others = append(v.others, s)
		case s.DeletionTimestamp != nil:
			v.deleting = append(v.deleting, s)
		case !v.ours(s):
			v.managed = append(v.managed, s)
		case v.isOwned(s):
			v.owned = append(v.owned, s)
		case v.isStale(s):
			v.former = append(v.former, s)
		default:
			v.live = append(v.live, s)
		}
	}
}

func (v *view) ours(s *discoveryv1.EndpointSlice) bool {
	return v.adopts(s) || hasAll(s.Labels, setKey(v.set))
}

// adopts reports whether a slice is named to be taken over, no label of the parent has another
// value there, and no other object controls it.
func (v *view) adopts(s *discoveryv1.EndpointSlice) bool {
	for name, want := range parentKey(v.set) {
		if value, ok := s.Labels[name]; ok && value != want {
			return false
		}
	}
	return slices.Contains(v.set.Adopt, s.Name) && !v.isOwned(s)
}

// ofParent reports whether a slice has the labels of the set's parent, of whatever manager, or is
// adopted.
func (v *view) ofParent(s *discoveryv1.EndpointSlice) bool {
	return v.adopts(s) || hasAll(s.Labels, parentKey(v.set))
}

// parentKey is the labels of the slices of a parent, whatever their manager is.
func parentKey(s set) map[string]string {
	key := setKey(s)
	delete(key, discoveryv1.LabelManagedBy)
	return key
}

func hasAll(labels, wanted map[string]string) bool {
	for k, value := range wanted {
		if have, ok := labels[k]; !ok || have != value {
			return false
		}
	}
	return true
}

func (v *view) isStale(s *discoveryv1.EndpointSlice) bool {
	stale := false
	for _, have := range s.OwnerReferences {
		if slices.ContainsFunc(v.set.Owners, func(o metav1.OwnerReference) bool { return o.UID == have.UID }) {
			return false
		}
		stale = stale || slices.ContainsFunc(v.set.Owners, func(o metav1.OwnerReference) bool {
			return o.Kind == have.Kind && o.Name == have.Name
		})
	}
	return stale
}

// isOwned reports whether another object controls a slice: neither an owner nor an earlier one.
func (v *view) isOwned(s *discoveryv1.EndpointSlice) bool {
	c := metav1.GetControllerOf(s)
	isOwner := func(o metav1.OwnerReference) bool {
		return o.UID != "" && o.UID == c.UID || o.Kind == c.Kind && o.Name == c.Name
	}
	return c != nil && len(v.owners) > 0 && !slices.ContainsFunc(v.owners, isOwner)
}

// otherService notes that the slices carry the name of a Service that is neither the parent nor an
// owner.
func (v *view) otherService() {
	if _, imported := v.set.Key["multicluster.kubernetes.io/service-name"]; imported {
		return // it is the derived Service of a ServiceImport
	}
	name, ok := v.labels[discoveryv1.LabelServiceName]
	isOwner := func(o metav1.OwnerReference) bool { return o.Kind == "Service" && o.Name == name }
	if !ok || name == accept.LabelValue(v.set.Name) || slices.ContainsFunc(v.owners, isOwner) {
		return
	}
	path := "meta.labels[kubernetes.io/service-name]"
	if _, ok := v.set.Key[discoveryv1.LabelServiceName]; ok {
		path = "key.matchLabels[kubernetes.io/service-name]"
	}
	v.skipped[path] = "OtherService"
}

// newerFirst orders slices by resourceVersion, highest first, then by name.
func newerFirst(a, b *discoveryv1.EndpointSlice) int {
	return cmp.Or(compareVersions(b.ResourceVersion, a.ResourceVersion), strings.Compare(a.Name, b.Name))
}

func compareVersions(a, b string) int {
	x, errX := strconv.ParseUint(a, 10, 64)
	y, errY := strconv.ParseUint(b, 10, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// of returns the slices of one address type.
func of(t discoveryv1.AddressType, list []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(list), func(s *discoveryv1.EndpointSlice) bool { return s.AddressType != t })
}
