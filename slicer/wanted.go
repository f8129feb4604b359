package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/identity"
)

const none = -1 // no slice, no group, no item, no address type

// wanted is what the Groups of an Input ask for. Nothing of it changes once collect has filled it.
type wanted struct {
	portSets identity.Groups  // finds groups
	groups   []identity.Group // in the plan's order
	items    []identity.Item
	ids      identity.Items // finds items
	types    typeSet        // those of Set.AddressTypes, or else of Groups
	rejected []Skip
}

func (w *wanted) release() {
	clear(w.items)
	w.portSets.Release()
	w.ids.Release()
	*w = wanted{portSets: w.portSets, items: w.items[:0], ids: w.ids}
}

// collect merges the wanted groups and sets bad endpoints aside. It leaves in ids how items are found.
func collect(in *Input, r *rules, w *wanted) {
	c := collector{in: in, r: r, w: w}
	w.types = typesOf(in.Set.AddressTypes)
	total := 0
	for i := range in.Groups {
		total += len(in.Groups[i].Endpoints)
	}
	w.items = slices.Grow(w.items, total)
	for i := range in.Groups {
		c.group(&in.Groups[i], int32(i))
	}
	if numbers := w.portSets.Sort(); numbers != nil {
		for i := range w.items {
			w.items[i].Group = numbers[w.items[i].Group]
		}
	}
	w.groups = w.portSets.All()
	if in.Options.ByTargetUID {
		identity.IdentifyByUID(w.items, w.groups)
	}
	kept, duplicates := w.ids.Take(w.items, w.groups)
	w.items = kept
	c.resolveDuplicates(duplicates)
	for i := range kept {
		w.groups[kept[i].Group].Count++
	}
}

// collector fills a wanted.
type collector struct {
	in   *Input
	r    *rules
	w    *wanted
	last int32 // the group of the input group before, if that has an address type
}

func (c *collector) group(in *Group, i int32) {
	var ids [len(endpoint.AddressTypes)]int32 // the group of each address type
	for t := range ids {
		ids[t] = none
	}
	fixed := typeIndex(in.AddressType)
	if fixed != none {
		c.w.types[fixed] = true
		if i == 0 || c.in.Groups[i-1].AddressType != in.AddressType || !sameList(c.in.Groups[i-1].Ports, in.Ports) {
			c.last = c.w.portSets.Intern(fixed, in.Ports)
		}
		ids[fixed] = c.last
	}
	for j := range in.Endpoints {
		e, at := &in.Endpoints[j], identity.Source{Group: i, Endpoint: int32(j)}
		t, ip, ok := c.accept(in, e, at, fixed)
		if !ok {
			continue
		}
		c.w.types[t] = true
		if ids[t] == none {
			ids[t] = c.w.portSets.Intern(t, in.Ports)
		}
		c.w.items = append(c.w.items, identity.Item{Endpoint: e, Source: at, IP: ip, Group: ids[t]})
	}
}

// accept returns the address type of an endpoint, and its address where that is a canonical IPv4 text. It rejects endpoints
// that must not be published.
func (c *collector) accept(in *Group, e *discoveryv1.Endpoint, at identity.Source, fixed int) (t int, ip uint32, ok bool) {
	ip, plain := accept.Plain(e, in.AddressType)
	t = fixed
	if plain {
		t = ipv4
	} else if t == none && len(e.Addresses) > 0 {
		t = typeIndex(endpoint.AddressType(e.Addresses[0]))
	}
	mode := c.in.Options.Hints.Mode
	if !plain || mode == hints.Given && e.Hints != nil {
		if no := accept.Refuse(e, typeOf(t), mode == hints.Given); no != nil && (c.in.Options.Invalid != Pass || t == none) {
			c.reject(at, t, SkipReason(no.Part), no.Err)
			return t, ip, false
		}
	}
	if len(c.in.Set.AddressTypes) > 0 && !c.w.types[t] {
		c.reject(at, t, UnwantedAddressType, func(path *field.Path) *field.Error {
			return field.NotSupported(path.Child("addresses").Index(0), e.Addresses[0], slices.Sorted(slices.Values(c.in.Set.AddressTypes)))
		})
		return t, ip, false
	}
	return t, ip, true
}

// sameList reports whether two lists of ports are one in memory. It spares a look at ports that groups have in common.
func sameList(a, b []discoveryv1.EndpointPort) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

const ipv4 = 0 // index into endpoint.AddressTypes

// typeIndex returns the position of an address type in the plan's order, or -1 for one that slices cannot have.
func typeIndex(t discoveryv1.AddressType) int { return slices.Index(endpoint.AddressTypes[:], t) }

// typeOf is the reverse of typeIndex; empty for none.
func typeOf(t int) discoveryv1.AddressType {
	if t == none {
		return ""
	}
	return endpoint.AddressTypes[t]
}

// typeSet has the address types that are wanted, by their index.
type typeSet [len(endpoint.AddressTypes)]bool

func (set *typeSet) add(t discoveryv1.AddressType) {
	if i := typeIndex(t); i >= 0 {
		set[i] = true
	}
}

func typesOf(types []discoveryv1.AddressType) (set typeSet) {
	for _, t := range types {
		set.add(t)
	}
	return set
}
