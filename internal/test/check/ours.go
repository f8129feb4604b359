package check

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
)

// checkOurs: every existing slice is in the plan once and where it belongs (G9).
func (o *outcome) checkOurs() {
	ignored := map[*discoveryv1.EndpointSlice]bool{}
	for _, s := range o.plan.Ignored {
		if ignored[s] {
			o.fail("G9", "slice %s is ignored twice", s.Name)
		}
		ignored[s] = true
	}
	for _, s := range o.live {
		if o.byOld[s] == nil || ignored[s] {
			o.fail("G9", "slice %s is ours and must be written or unchanged", s.Name)
		}
	}
	for _, s := range o.former {
		if have := o.byOld[s]; have == nil || have.now != nil {
			o.fail("G9", "slice %s has a former owner and must be deleted", s.Name)
		}
	}
	for _, s := range slices.Concat(o.managed, o.owned, o.deleting) {
		if !ignored[s] || o.byOld[s] != nil {
			o.fail("G9", "slice %s must be ignored", s.Name)
		}
	}
	o.checkOwned()
	for _, s := range o.others {
		if ignored[s] || o.byOld[s] != nil {
			o.fail("G9", "slice %s is of another parent and must not be in the plan", s.Name)
		}
	}
	existing := map[*discoveryv1.EndpointSlice]bool{}
	for _, s := range o.in.Existing {
		existing[s] = true
	}
	for s := range o.byOld {
		if !existing[s] {
			o.fail("G9", "slice %s is no pointer from Existing", s.Name)
		}
	}
	if want := len(o.managed) + len(o.deleting) + len(o.owned); len(ignored) != want {
		o.fail("G9", "%d slices are ignored, want %d", len(ignored), want)
	}
}

// checkOwned: each slice that has our labels and another owner is a warning, and no other slice is
// (G9).
func (o *outcome) checkOwned() {
	warned := map[string]int{}
	for _, s := range gen.Warnings(o.plan, "OtherOwner") {
		if s.Object.Kind != "EndpointSlice" || s.Err == nil {
			o.fail("G9", "a slice of another owner is no warning: %v", s)
		}
		warned[s.Path+" "+s.Object.Name]++
	}
	for i, s := range o.in.Existing {
		key := fmt.Sprintf("existing[%d] %s", i, s.Name)
		if slices.Contains(o.owned, s) != (warned[key] == 1) {
			o.fail("G9", "%d warnings that slice %s has another owner", warned[key], s.Name)
		}
		delete(warned, key)
	}
	for key := range warned {
		o.fail("G9", "a warning names %s, which does not exist", key)
	}
}

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

// checkPlaceholder: exactly one empty slice for a wanted type without endpoints, no other empty
// one, and none of a type that is not wanted (G13).
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
		if empty[t] > 1 || empty[t] == 0 && (!o.set.Terminating || len(of(t, o.live)) > 0) {
			o.fail("G13", "type %s has %d placeholders, want 1", t, empty[t])
		}
	}
}
