package slicer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/slicer/internal/meta"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// none stands for no slice, no port set, no item, no identity and no address type.
const none = -1

// request has the arguments of Compute, and what follows from the Set and the Options.
type request struct {
	Input
	existing []*discoveryv1.EndpointSlice
	related  []int32 // indices of existing slices with the set's Key or adopted, by name

	meta         meta.Metadata   // the metadata of every slice
	adopts       map[string]bool // names of slices; nil if there are none
	limits       packing.Limits
	dissolveUpTo int  // Compact may dissolve a slice in which at most this number of items stays
	allocates    bool // Auto, PreferSameZone with a limit: hints are decided when all items are placed
}

func (in *request) read(input Input, existing []*discoveryv1.EndpointSlice) *request {
	in.Input, in.existing = input, existing
	set, options := &in.Set, &in.Options
	in.meta = meta.Metadata{
		Key: appendKey(in.meta.Key[:0], set), Labels: set.Labels, Annotations: set.Annotations,
		Owners:     withUID(set.Owners),
		KeepLabels: options.KeepForeignLabels, RemoveAnnotations: options.RemoveForeignAnnotations,
	}
	if len(set.Adopt) > 0 {
		in.adopts = map[string]bool{}
	}
	for _, name := range set.Adopt {
		in.adopts[name] = true
	}
	most := cmp.Or(options.MaxEndpointsPerSlice, defaultMaxEndpoints)
	in.limits = packing.Limits{Max: most, NoCreates: set.Terminating}
	in.dissolveUpTo = most * cmp.Or(options.DissolveUpTo, 100) / 100
	in.allocates = hinting.OverAll(in.hintOptions())
	in.relate()
	return in
}

// relate lists the existing slices that have the labels of the set's Key or are adopted. Of all
// other slices, a plan reads only the labels and the name.
func (in *request) relate() {
	for i, s := range in.existing {
		if s != nil && (in.meta.OfParent(s) || in.adopted(s)) {
			in.related = append(in.related, int32(i))
		}
	}
	slices.SortFunc(in.related, func(a, b int32) int {
		return cmp.Or(byName(in.existing[a], in.existing[b]), cmp.Compare(a, b))
	})
}

func byName(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }

// withUID returns the owners that slices get. It leaves out owners without a UID, because the API
// server refuses them. Each gets a Skip.
func withUID(owners []metav1.OwnerReference) []metav1.OwnerReference {
	without := func(o metav1.OwnerReference) bool { return o.UID == "" }
	if !slices.ContainsFunc(owners, without) {
		return owners
	}
	return slices.DeleteFunc(slices.Clone(owners), without)
}

// adopted reports whether a slice is taken over by name. A slice of another parent is not taken
// over.
func (in *request) adopted(s *discoveryv1.EndpointSlice) bool {
	return in.adopts[s.Name] && !in.meta.OfOther(s)
}

// appendKey appends the labels that distinguish the slices of the set from all others, managed-by
// last.
func appendKey(key []meta.Label, set *Set) []meta.Label {
	for name, value := range set.Key {
		key = append(key, meta.Label{Name: name, Value: value})
	}
	if len(set.Key) == 0 {
		key = append(key, meta.Label{Name: discoveryv1.LabelServiceName, Value: set.Name})
	}
	return append(key, meta.Label{Name: discoveryv1.LabelManagedBy, Value: set.ManagedBy})
}

// sameContent reports whether two endpoints with the same identity are equal apart from hints. If
// they are, a slice that holds one of them need not be written when the other is wanted.
func (in *request) sameContent(a, b *discoveryv1.Endpoint) bool {
	return in.sameConditions(&a.Conditions, &b.Conditions) && endpoint.SameTexts(a, b) &&
		endpoint.SameReference(a.TargetRef, b.TargetRef) && endpoint.SameAddressList(a.Addresses, b.Addresses)
}

// sameConditions reports whether conditions have the same meaning, so that nil equals its default.
// With Options.ExplicitConditions, nil differs from true and false.
func (in *request) sameConditions(a, b *discoveryv1.EndpointConditions) bool {
	if in.Options.ExplicitConditions {
		return endpoint.SameConditions(a, b)
	}
	return conditions.Of(*a) == conditions.Of(*b)
}

// changedAt returns the time at which a wanted endpoint last changed, or zero if that time is not
// known.
func (in *request) changedAt(at source) time.Time {
	if changed := in.Groups[at.group].Changed; len(changed) > 0 {
		return changed[at.endpoint]
	}
	return time.Time{}
}

// changedEarlier reports whether wanted endpoint a changed before b. It decides between endpoints
// with equal content, so that their order does not matter.
func (in *request) changedEarlier(a, b source) bool {
	x, y := in.changedAt(a), in.changedAt(b)
	return !x.IsZero() && (y.IsZero() || x.Before(y))
}

// otherServiceSkip returns a Skip, and true, if the slices of a set get the label of a Service that
// is neither their parent nor one of their owners.
func otherServiceSkip(set *Set) (Skip, bool) {
	labels := "key"
	name, ok := set.Key[discoveryv1.LabelServiceName]
	if !ok && len(set.Key) > 0 {
		labels = "labels"
		name, ok = set.Labels[discoveryv1.LabelServiceName]
	}
	owned := func(o metav1.OwnerReference) bool { return o.Kind == "Service" && o.Name == name }
	if !ok || name == accept.LabelValue(set.Name) || slices.ContainsFunc(set.Owners, owned) {
		return Skip{}, false
	}
	cause := field.Invalid(field.NewPath("set", labels).Key(discoveryv1.LabelServiceName), name,
		"readers join these slices with those of this Service, and it is neither the parent nor an owner: "+
			"give a label of your own, or make the Service an owner")
	return Skip{
		Reason: OtherService, Path: cause.Field, Err: cause,
		Object: corev1.ObjectReference{APIVersion: "v1", Kind: "Service", Namespace: set.Namespace, Name: name},
	}, true
}

// typeOf returns the number of an address type in the plan's order, or none if slices cannot have
// the type.
func typeOf(t discoveryv1.AddressType) int32 { return int32(slices.Index(endpoint.AddressTypes[:], t)) }

// typeSet is a set of address types, by their number.
type typeSet [len(endpoint.AddressTypes)]bool

func (s *typeSet) add(t discoveryv1.AddressType) {
	if n := typeOf(t); n != none {
		s[n] = true
	}
}

func typesOf(list []discoveryv1.AddressType) (set typeSet) {
	for _, t := range list {
		set.add(t)
	}
	return set
}
