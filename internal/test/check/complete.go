package check

import (
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// checkComplete: every accepted endpoint is in exactly one slice of its group with its content, and
// nothing else is in our slices (G1).
func (o *outcome) checkComplete() {
	held := map[*want]int{}
	for _, s := range o.slots {
		if s.now == nil || len(s.now.Endpoints) == 0 {
			continue
		}
		if s.group == nil {
			o.fail("G1", "slice %s serves %s, which is not wanted", s.name(), KeyOf(s.now))
			continue
		}
		for i := range s.now.Endpoints {
			w := s.group.wanted[s.ids[i]]
			if w == nil {
				o.fail("G1", "slice %s holds %s, which is not wanted", s.name(), Show(&s.now.Endpoints[i]))
				continue
			}
			held[w]++
			o.checkContent(s, i, w)
		}
	}
	unplaced := o.unplaced()
	for _, g := range o.groups {
		for id, w := range g.wanted {
			if n := held[w] + unplaced[w]; n != 1 {
				o.fail("G1", "endpoint %s of %s is held %d times and unplaced %d times", id, g.key, held[w],
					unplaced[w])
			}
		}
	}
	if n := len(gen.Warnings(o.plan, "NoRoom")); n > 0 && !o.set.Terminating {
		o.fail("G1", "%d endpoints are unplaced although the parent is not terminating", n)
	}
	if n := len(gen.Steps(o.plan, slicer.Create)); n > 0 && o.set.Terminating {
		o.fail("G1", "%d creates although the parent is terminating", n)
	}
}

// unplaced counts, for each wanted endpoint, the Warnings that say that no slice has room for it.
func (o *outcome) unplaced() map[*want]int {
	count := map[*want]int{}
	notices := gen.Warnings(o.plan, "NoRoom")
	slices.SortStableFunc(notices, func(a, b slicer.Notice) int { return strings.Compare(b.Path, a.Path) }) // those without a path last
	for _, n := range notices {
		var w *want
		in, e := o.in.Endpoint(n)
		if e != nil {
			if g := o.byKey[GroupKey(in.AddressType, in.Ports)]; g != nil {
				w = g.wanted[g.id(e)]
			}
		}
		if w == nil && e == nil && n.Path == "" {
			w = o.stayingWithoutRoom(n, count)
			count[w]++
			continue
		}
		if w == nil || !sameContent(e, w.pick, false) {
			o.fail("G1", "%v: it is not wanted", n)
			continue
		}
		count[w]++
	}
	return count
}

// stayingWithoutRoom finds the endpoint of a Pending object that a Notice is about, which has no
// path.
func (o *outcome) stayingWithoutRoom(n slicer.Notice, count map[*want]int) *want {
	for _, g := range o.groups {
		for id, w := range g.wanted {
			if count[w] == 0 && describes(n, w.pick) && Canonical(w.pick.Addresses[0]) == n.Address && !o.holds(g, id) {
				return w
			}
		}
	}
	return nil
}

// checkContent compares one endpoint after the plan with what is wanted. Whatever is wrong with a
// slice that is written is a wrong write; with one that is not, a missing write.
func (o *outcome) checkContent(s *slot, i int, w *want) {
	e := &s.now.Endpoints[i]
	if !sameContent(e, w.pick, false) {
		o.fail("G1", "slice %s holds %s, want %s", s.name(), Show(e), Show(w.pick))
	}
	if !o.hintsFit(s.group, s.ids[i], w, e.Hints) {
		o.fail("G1", "slice %s holds %s with other hints than wanted, in mode %q", s.name(), Show(e),
			o.in.Hints.Mode)
	}
	if s.written() && e.DeprecatedTopology != nil {
		o.fail("G3", "slice %s is written with deprecatedTopology", s.name())
	}
}

// hintsFit reports whether an endpoint may have these hints after the plan.
func (o *outcome) hintsFit(g *group, id string, w *want, have *discoveryv1.EndpointHints) bool {
	if o.decidedOverAll() {
		// CheckHints says more, on what hints.Assign is asked
		return readyAlone(w.pick, have, o.in.Hints.Mode == hints.PreferSameZone)
	}
	switch o.in.Hints.Mode {
	case hints.None:
		return len(HintNames(have)) == 0
	case hints.Given:
		return sameHints(have, w.pick.Hints)
	case hints.PreferSameZone, hints.PreferSameNode:
		return sameHints(have, ownHints(o.in.Hints.Mode, w.pick))
	}
	var current *discoveryv1.EndpointSlice
	for _, s := range of(g.addressType, o.live) {
		if KeyOf(s) == g.key && len(copies(s, g, id)) > 0 && (current == nil || newerFirst(s, current) < 0) {
			current = s
		}
	}
	if current != nil {
		return o.sameAsOne(copies(current, g, id), have)
	}
	// It is new in this group. Whether one that comes from other ports or a slice of a former owner keeps
	// its hints is open.
	if len(HintNames(have)) == 0 {
		return true
	}
	for _, s := range append(of(g.addressType, o.live), of(g.addressType, o.former)...) {
		if o.sameAsOne(copies(s, g, id), have) {
			return true
		}
	}
	return false
}

// ownHints are those of an endpoint whose zone and node are valid names.
func ownHints(mode hints.Mode, e *discoveryv1.Endpoint) *discoveryv1.EndpointHints {
	own := &discoveryv1.EndpointHints{}
	if e.Conditions.Ready != nil && !*e.Conditions.Ready {
		return own
	}
	if e.Zone != nil && *e.Zone != "" && len(validation.IsValidLabelValue(*e.Zone)) == 0 {
		own.ForZones = []discoveryv1.ForZone{{Name: *e.Zone}}
	}
	if mode == hints.PreferSameNode && Text(e.NodeName) != "" && len(sim.NodeNameErrors(e.NodeName, nil)) == 0 {
		own.ForNodes = []discoveryv1.ForNode{{Name: *e.NodeName}}
	}
	return own
}

// readyAlone: at most one zone unless several may be, no node, and nothing on an endpoint that is
// not ready (H1).
func readyAlone(e *discoveryv1.Endpoint, have *discoveryv1.EndpointHints, several bool) bool {
	if have == nil {
		return true
	}
	ready := e.Conditions.Ready == nil || *e.Conditions.Ready
	return len(have.ForNodes) == 0 && (several || len(have.ForZones) <= 1) && (ready || len(have.ForZones) == 0)
}

// sameAsOne reports whether hints are those of one of these endpoints, or none where a create with
// those would be refused. That a slice which is not written keeps what it has, whatever that is, is
// no fault.
func (o *outcome) sameAsOne(list []*discoveryv1.Endpoint, have *discoveryv1.EndpointHints) bool {
	for _, e := range list {
		if sameHints(e.Hints, have) || len(HintNames(have)) == 0 && refusedHints(e.Hints) {
			return true
		}
	}
	return false
}

// refusedHints reports whether hints are refused in a create. A zone without name is refused too:
// G2 lists it as an exception.
func refusedHints(h *discoveryv1.EndpointHints) bool {
	return h != nil && (len(sim.HintErrors(h, nil)) > 0 || slices.Contains(h.ForZones, discoveryv1.ForZone{}))
}

// copies are the endpoints of a slice that have this identity in the group.
func copies(s *discoveryv1.EndpointSlice, g *group, id string) []*discoveryv1.Endpoint {
	var list []*discoveryv1.Endpoint
	for i := range s.Endpoints {
		if g.id(&s.Endpoints[i]) == id {
			list = append(list, &s.Endpoints[i])
		}
	}
	return list
}

// checkRejected: what is skipped is what must be, with a reason that fits (G2, and G1 for
// duplicates).
func (o *outcome) checkRejected() {
	must, may := o.rejections()
	o.skipHints()
	derived, said := slices.Clone(o.in.Warnings), map[string]bool{}
	for _, s := range o.plan.Warnings {
		if i := slices.IndexFunc(derived, func(d slicer.Notice) bool { return reflect.DeepEqual(s, d) }); i >= 0 {
			derived = slices.Delete(derived, i, i+1)
			continue
		}
		switch s.Reason {
		case "OtherOwner", "MissingDuringUpdate": // see checkOwned and checkGapList
			continue
		case "NoRoom":
			if s.Err == nil {
				o.fail("G1", "%v: it has no error", s)
			}
			continue
		}
		if path := aside(s); o.skipped[path] == s.Reason {
			said[path] = true
		} else if !o.take(&must, s) && !o.take(&may, s) {
			o.fail("G2", "rejected without cause: %v", s)
		}
		if !instructs(s) {
			o.fail("G2", "a Warning does not say where and what to do: %v", s)
		}
	}
	for path := range o.skipped {
		if !said[path] {
			o.fail("G2", "no Warning says that %s is refused", path)
		}
	}
	for _, s := range derived {
		o.fail("Plan", "a Warning of the Input is not in the plan: %v", s)
	}
	for _, r := range must {
		o.fail("G2", "%s was not rejected (reasons %s)", Show(r.endpoint), r.reasons)
	}
}

// rejections lists the endpoints that must be rejected, and those that may be.
func (o *outcome) rejections() (must, may []rejection) {
	must = slices.Clone(o.rejected)
	for _, g := range o.groups {
		for _, w := range g.wanted {
			a, b := o.duplicates(g, w)
			must = append(must, a...)
			may = append(may, b...)
		}
	}
	return must, may
}

// instructs reports whether a Warning has an error that says where and what to do.
func instructs(s slicer.Notice) bool {
	cause, ok := s.Err.(*field.Error)
	return ok && cause.Field != "" && cause.Field == s.Path && cause.Detail != ""
}

// skipHints notes the options of hints that have no effect.
func (o *outcome) skipHints() {
	if h := &o.in.Hints; h.Limit > 0 && h.Mode != hints.PreferSameZone {
		o.skipped["hints.limit"] = "LimitUnused"
	}
	if o.decidedOverAll() && len(o.in.Hints.Weights.Zones) == 0 {
		o.skipped["hints.weights.zones"] = "NoWeights"
	} else if o.decidedOverAll() && o.unknownZones() {
		o.skipped["hints.weights.zones"] = "UnknownZones"
	}
}

// take removes the first rejection that fits a Warning. It reports whether there is one.
func (o *outcome) take(list *[]rejection, s slicer.Notice) bool {
	g, e := o.in.Endpoint(s)
	i := slices.IndexFunc(*list, func(r rejection) bool { return r.fits(s, g, e) })
	if i >= 0 {
		*list = slices.Delete(slices.Clone(*list), i, i+1)
	}
	return i >= 0
}

// unknownZones reports whether endpoints have zones, and none of these has a weight.
func (o *outcome) unknownZones() bool {
	known, unknown := false, false
	for _, g := range o.groups {
		for _, w := range g.wanted {
			zone := Text(w.pick.Zone)
			_, has := o.in.Hints.Weights.Zones[zone]
			known, unknown = known || has, unknown || zone != ""
		}
	}
	return unknown && !known
}

// aside is the path of what a Warning skips, other than endpoints: of bad ports that of their
// list.
func aside(s slicer.Notice) string {
	if group, _, ok := strings.Cut(s.Path, ".ports"); ok {
		return group + ".ports"
	}
	return s.Path
}

// duplicates lists the endpoints with w's identity that must be rejected, and those that only
// differ in what the options do not compare and may be dropped as well.
func (o *outcome) duplicates(g *group, w *want) (must, may []rejection) {
	kept := false
	for _, e := range w.all {
		r := rejection{e, g.key, []string{"DifferingDuplicate"}}
		same := sameContent(e, w.pick, true) && sameHints(e.Hints, w.pick.Hints)
		switch {
		case same && !kept:
			kept = true
		case same:
		case sameContent(e, w.pick, false):
			may = append(may, r)
		default:
			must = append(must, r)
		}
	}
	return must, may
}

// fits reports whether a Warning, which is about this endpoint of this group, is the rejection.
func (want rejection) fits(s slicer.Notice, g *slicer.Group, e *discoveryv1.Endpoint) bool {
	return e == want.endpoint && want.key == GroupKey(g.AddressType, g.Ports) &&
		slices.Contains(want.reasons, s.Reason) && describes(s, e)
}

// describes reports whether a Warning names an endpoint.
func describes(s slicer.Notice, e *discoveryv1.Endpoint) bool {
	var target corev1.ObjectReference
	if e.TargetRef != nil {
		target = *e.TargetRef
		target.ResourceVersion = ""
	}
	return s.Object == target && (s.Address == "") == (len(e.Addresses) == 0 || e.Addresses[0] == "")
}
