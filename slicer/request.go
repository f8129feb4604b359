package slicer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/slicer/internal/meta"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// none stands for no slice, no port set, no item, no identity and no address type.
const none = -1

const defaultMaxEndpoints = 100

// request has the arguments of Compute, and what follows from the Key, the Meta and the Options.
type request struct {
	Input
	given    int // the number of the caller's Groups; those after them are for Pending
	existing []*discoveryv1.EndpointSlice
	related  []int32 // indices of existing slices with the Key's labels or adopted, by name

	meta      meta.Metadata   // the metadata of every slice
	adopts    map[string]bool // names of slices; nil if there are none
	limits    packing.Limits
	allocates bool // Auto, PreferSameZone with a limit: hints are decided when all items are placed
}

func (req *request) read(input Input, existing []*discoveryv1.EndpointSlice) *request {
	req.Input, req.existing, req.given = input, existing, len(input.Groups)
	options := &req.Options
	req.meta = meta.Metadata{
		Key: appendKey(req.meta.Key[:0], &req.Key), Labels: req.Meta.Labels, Annotations: req.Meta.Annotations,
		Owners: withUID(req.Meta.OwnerReferences), KeepLabels: options.KeepLabels,
	}
	if _, given := req.trigger(); given { // it never causes a write
		req.meta.Annotations = maps.Clone(req.Meta.Annotations)
		delete(req.meta.Annotations, corev1.EndpointsLastChangeTriggerTime)
	}
	if len(options.Adopt) > 0 {
		req.adopts = map[string]bool{}
	}
	for _, name := range options.Adopt {
		req.adopts[name] = true
	}
	most := cmp.Or(options.MaxEndpointsPerSlice, defaultMaxEndpoints)
	req.limits = packing.Limits{Max: most, NoCreates: req.Meta.Terminating}
	req.allocates = hinting.OverAll(req.hintOptions())
	req.relate()
	return req
}

// relate lists the existing slices that have the labels of the Key, apart from managed-by, or are
// adopted. Of all other slices, a plan reads only the labels and the name.
func (req *request) relate() {
	for i, s := range req.existing {
		if s != nil && (req.meta.OfParent(s) || req.adopted(s)) {
			req.related = append(req.related, int32(i))
		}
	}
	slices.SortFunc(req.related, func(a, b int32) int {
		return cmp.Or(byName(req.existing[a], req.existing[b]), cmp.Compare(a, b))
	})
}

// kind says what a plan may do with a related slice.
type kind int

const (
	ours    kind = iota
	stale        // of an earlier owner: the plan deletes it
	foreign      // of another manager
	dying        // being deleted already
	claimed      // with our labels, and controlled by another object
)

func (req *request) kindOf(s *discoveryv1.EndpointSlice) kind {
	switch {
	case !req.meta.Ours(s) && !req.adopted(s):
		return foreign
	case s.DeletionTimestamp != nil:
		return dying
	case meta.ControlledByAnother(s.OwnerReferences, req.Meta.OwnerReferences):
		return claimed
	case meta.StaleOwner(s.OwnerReferences, req.meta.Owners):
		return stale
	default:
		return ours
	}
}

// keepPending adds Groups for the endpoints that stay because their objects are Pending.
func (req *request) keepPending() {
	if len(req.Pending) == 0 {
		return
	}
	var list []*discoveryv1.EndpointSlice
	for _, i := range req.related {
		if k := req.kindOf(req.existing[i]); k == ours || k == stale {
			list = append(list, req.existing[i])
		}
	}
	req.Input = keepPending(req.Input, list)
}

func byName(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }

// withUID returns the owners that slices get. It leaves out owners without a UID, because the API
// server refuses them. Each gets a Notice.
func withUID(owners []metav1.OwnerReference) []metav1.OwnerReference {
	without := func(o metav1.OwnerReference) bool { return o.UID == "" }
	if !slices.ContainsFunc(owners, without) {
		return owners
	}
	return slices.DeleteFunc(slices.Clone(owners), without)
}

// adopted reports whether a slice is taken over by name. A slice of another parent, or that another
// object controls, is not taken over.
func (req *request) adopted(s *discoveryv1.EndpointSlice) bool {
	return req.adopts[s.Name] && !req.meta.OfOther(s) &&
		!meta.ControlledByAnother(s.OwnerReferences, req.Meta.OwnerReferences)
}

// visible reports whether readers find a slice. They do not find one that is adopted before its
// labels are there.
func (req *request) visible(s *discoveryv1.EndpointSlice) bool { return req.meta.OfParent(s) }

// appendKey appends the labels that distinguish the slices of a Key from all others, managed-by
// last.
func appendKey(key []meta.Label, k *Key) []meta.Label {
	for name, value := range k.MatchLabels {
		key = append(key, meta.Label{Name: name, Value: value})
	}
	if len(k.MatchLabels) == 0 {
		key = append(key, meta.Label{Name: discoveryv1.LabelServiceName, Value: k.Name})
	}
	return append(key, meta.Label{Name: discoveryv1.LabelManagedBy, Value: k.ManagedBy})
}

// trigger returns the trigger time of all slices that are written, and whether Meta gives one.
func (req *request) trigger() (at string, given bool) {
	at, given = req.Meta.Annotations[corev1.EndpointsLastChangeTriggerTime]
	return at, given
}

// sameContent reports whether two endpoints with the same identity are equal apart from hints. If
// they are, a slice that holds one of them need not be written when the other is wanted. Conditions
// with the same meaning are equal: nil equals its default.
func (req *request) sameContent(a, b *discoveryv1.Endpoint) bool {
	return conditions.Of(a.Conditions) == conditions.Of(b.Conditions) && endpoint.SameTexts(a, b) &&
		endpoint.SameReference(a.TargetRef, b.TargetRef) && endpoint.SameAddressList(a.Addresses, b.Addresses)
}

// changedAt returns the time at which a wanted endpoint last changed, or zero if that time is not
// known.
func (req *request) changedAt(at source) time.Time {
	return req.Groups[at.group].Endpoints[at.endpoint].Changed
}

// changedEarlier reports whether wanted endpoint a changed before b. It decides between endpoints
// with equal content, so that their order does not matter.
func (req *request) changedEarlier(a, b source) bool {
	x, y := req.changedAt(a), req.changedAt(b)
	return !x.IsZero() && (y.IsZero() || x.Before(y))
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
