package slices

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// wantsPlaceholder reports whether an address type keeps a slice although it has no endpoint.
func (v *view) wantsPlaceholder(t discoveryv1.AddressType) bool {
	if !v.types[t] || v.in.Options.NoPlaceholder {
		return false
	}
	for _, g := range v.groups {
		if g.addressType == t {
			return false
		}
	}
	return true
}

// checkPlaceholder: exactly one empty slice for a wanted type without endpoints, no other empty one, and none of a type
// that is not wanted (G13).
func (o *outcome) checkPlaceholder() {
	empty := map[discoveryv1.AddressType]int{}
	for _, s := range o.slots {
		if s.now == nil {
			continue
		}
		t := s.now.AddressType
		if !o.types[t] {
			o.fail("G13", "slice %s stays although the type %s is not wanted", s.name(), t)
		}
		if len(s.now.Endpoints) > 0 {
			continue
		}
		empty[t]++
		if len(s.now.Ports) > 0 {
			o.fail("G13", "slice %s is empty and has ports", s.name())
		}
		if !o.wantsPlaceholder(t) {
			o.fail("G13", "slice %s is empty and no placeholder", s.name())
		}
	}
	for t := range o.types {
		if !o.wantsPlaceholder(t) {
			continue
		}
		if empty[t] > 1 || empty[t] == 0 && (!o.in.Set.Terminating || len(of(t, o.live)) > 0) {
			o.fail("G13", "type %s has %d placeholders, want 1", t, empty[t])
		}
	}
}
