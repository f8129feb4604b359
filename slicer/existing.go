package slicer

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// slice is one of our live slices and what is to become of it.
type slice struct {
	object  *discoveryv1.EndpointSlice
	typ     int32   // address type, or none for one that is unknown or unwanted
	group   int32   // the port set it will have, or none
	was     int32   // the port set it has, or none if that is not wanted
	homes   int32   // endpoints at home here
	added   int32   // endpoints that it takes beside them
	reasons reasons // why it must be written; none: it need not. What an update says is found by explain
	fate    fate
	split   bool // its hints must change, which its size does not allow
}

type fate uint8

const (
	stays   fate = iota // holds endpoints afterwards: not written, or updated
	free                // nothing is at home here: re-used or deleted
	deleted             // goes
	emptied             // becomes or stays the placeholder of its address type
)

// reasons is a set of Reason.
type reasons uint32

func (r *reasons) add(why Reason)     { *r |= 1 << why }
func (r reasons) has(why Reason) bool { return r&(1<<why) != 0 }

func (r reasons) list() []Reason {
	var list []Reason
	for why := EndpointsAdded; why <= Compacted; why++ {
		if r.has(why) {
			list = append(list, why)
		}
	}
	return list
}

// sortExisting tells ours, stale, foreign and dying slices apart (G9).
func (p *planner) sortExisting() {
	adopt := make(map[string]bool, len(p.in.Set.Adopt))
	for _, name := range p.in.Set.Adopt {
		adopt[name] = true
	}
	for _, s := range p.in.Existing {
		switch {
		case !p.meta.ours(s) && !adopt[s.Name]:
			p.plan.Ignored = append(p.plan.Ignored, Ignored{s, Foreign})
		case s.DeletionTimestamp != nil:
			p.plan.Ignored = append(p.plan.Ignored, Ignored{s, Dying})
		case staleOwner(s.OwnerReferences, p.in.Set.Owners):
			p.stale = append(p.stale, s)
		default:
			p.slices = append(p.slices, slice{object: s, group: none, was: none, typ: none})
		}
	}
	slices.SortFunc(p.plan.Ignored, func(a, b Ignored) int { return strings.Compare(a.Slice.Name, b.Slice.Name) })
	slices.SortFunc(p.stale, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(p.slices, func(a, b slice) int {
		return cmp.Or(-endpoint.CompareVersions(a.object.ResourceVersion, b.object.ResourceVersion), strings.Compare(a.object.Name, b.object.Name))
	})
	p.findTypes()
	for i := range p.slices {
		s := &p.slices[i]
		if t := typeIndex(s.object.AddressType); t != none && p.types[t] {
			s.typ = int32(t)
			p.ports = endpoint.Ports(p.ports[:0], s.object.Ports)
			s.was = p.groupID(t, p.ports)
			if s.was != none && p.groups[s.was].count == 0 {
				s.was = none
			}
			s.group = s.was
		}
	}
}

// findTypes takes the address types of our slices where neither the set nor the groups name any (G13).
func (p *planner) findTypes() {
	if p.types != [len(addressTypes)]bool{} {
		return
	}
	for i := range p.slices {
		if t := typeIndex(p.slices[i].object.AddressType); t != none {
			p.types[t] = true
		}
	}
}

// staleOwner reports whether a slice belongs to an earlier owner of the same kind and name (G9).
func staleOwner(has, wanted []metav1.OwnerReference) bool {
	stale := false
	for i := range has {
		for j := range wanted {
			h, w := &has[i], &wanted[j]
			if h.UID == w.UID {
				return false
			}
			stale = stale || h.Kind == w.Kind && h.Name == w.Name
		}
	}
	return stale
}
