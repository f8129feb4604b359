package conformance

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check/form"
)

// CompareHints gives slices to both sides and returns the deviations by which they differ. The error says what differs
// beyond.
func CompareHints(h *Hinting) ([]Deviation, error) {
	o, _, err := h.Slicewright()
	if err != nil {
		return nil, err
	}
	return compareHintsWith(h, o)
}

// compareHintsWith is for tests of the oracle, which give it something wrong.
func compareHintsWith(h *Hinting, ours *hintingOutcome) ([]Deviation, error) {
	x := &hintComparison{h: h, ours: ours, used: map[Deviation]bool{}}
	asked := x.withoutCauses()
	x.ref = asked.Reference()
	if h.Mode == hints.Proportional {
		x.proportional()
	} else {
		x.own()
	}
	for _, s := range x.ours.slices {
		if staleHints(s) {
			x.fault("%s has hints on endpoints that are not ready", s.Name)
		}
	}
	if len(x.faults) > 0 {
		return nil, errors.Join(append(x.faults, errors.New(x.text()))...)
	}
	return slices.Sorted(maps.Keys(x.used)), nil
}

type hintComparison struct {
	h         *Hinting
	ref, ours *hintingOutcome
	used      map[Deviation]bool
	faults    []error
}

func (x *hintComparison) fault(format string, args ...any) {
	x.faults = append(x.faults, fmt.Errorf(format, args...))
}

func (x *hintComparison) text() string {
	text := fmt.Sprintf("mode %v, zones %v", x.h.Mode, zonesOf(x.h.Nodes))
	for i := range x.h.Slices {
		text += fmt.Sprintf("\n%s written=%v", x.h.Slices[i].Name, x.h.Slices[i].Written)
		for k := range x.h.Slices[i].Endpoints {
			e := &x.h.Slices[i].Endpoints[k]
			text += fmt.Sprintf("\n    %s: reference %s, slicewright %s", form.Show(e),
				hintsOf(&x.ref.slices[i].Endpoints[k]), hintsOf(&x.ours.slices[i].Endpoints[k]))
		}
	}
	return text
}

// withoutCauses makes nil ready true, as readers take it.
func (x *hintComparison) withoutCauses() *Hinting {
	asked := *x.h
	asked.Slices = nil
	for i, s := range x.h.Slices {
		s.Endpoints = x.h.object(i).Endpoints
		for k := range s.Endpoints {
			if c := &s.Endpoints[k].Conditions; c.Ready == nil {
				yes := true
				c.Ready = &yes
				x.used[NilReady] = true
			}
		}
		asked.Slices = append(asked.Slices, s)
	}
	return &asked
}

// own: each ready endpoint gets the same, and only stale hints make more slices differ.
func (x *hintComparison) own() {
	stale := 0
	for i, s := range x.h.Slices {
		if !s.Written && staleHints(x.h.object(i)) {
			stale++
		}
		for k := range s.Endpoints {
			ref, ours := &x.ref.slices[i].Endpoints[k], &x.ours.slices[i].Endpoints[k]
			if isReady(ours) && hintsOf(ref) != hintsOf(ours) {
				x.fault("%s: the reference puts %q, slicewright %q", s.Name, hintsOf(ref), hintsOf(ours))
			}
		}
	}
	if x.ours.opened > x.ref.sent+stale {
		x.fault("the reference writes %d slices, slicewright %d", x.ref.sent, x.ours.opened)
	}
	if x.ours.opened > x.ref.sent {
		x.used[StaleHints] = true
	}
}

// proportional: on or off alike, minimums enough, and where the reference meets them too, never more slices opened and, with
// as many, never more endpoints lent to another zone.
func (x *hintComparison) proportional() {
	z := zonesOf(x.h.Nodes)
	ref, ours := countHints(x.ref.slices), countHints(x.ours.slices)
	on, ok := z.judge(&ours, x.fault)
	switch {
	case !ok:
		return
	case ref.on() != on:
		z.explain(on, &ref, x.used, x.fault)
		return
	case !on:
		if x.ours.opened > x.ref.sent {
			x.fault("off, the reference writes %d slices, slicewright %d", x.ref.sent, x.ours.opened)
		}
		return
	}
	enough := true
	for zone := range z {
		enough = enough && ref.zones[zone] >= z.minimum(zone, ref.ready)
	}
	switch {
	case !enough:
		x.used[Minimums] = true
	case !x.sound(z):
		x.used[OtherHints] = true
	case x.ours.opened > x.ref.opened+min(1, x.ref.opened): // H4: one more than the least, and none where none must be
		x.fault("the reference opens %d slices, slicewright %d", x.ref.opened, x.ours.opened)
	case x.ours.opened != x.ref.opened:
	case ours.away > ref.away && x.ours.opened > 0: // H4 is about the slices that are written, and these may be others
	case ours.away > ref.away:
		x.fault("the reference lends %d endpoints to other zones, slicewright %d", ref.away, ours.away)
	case ours.away < ref.away:
		x.used[FewerAway] = true
	}
}

// sound reports whether the reference's hints are what slicewright could have left as well: one zone with a weight for
// each ready endpoint, and nothing else.
func (x *hintComparison) sound(z zones) bool {
	for _, s := range x.ref.slices {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			switch {
			case !isReady(e) && e.Hints != nil:
				return false
			case isReady(e) && (e.Hints == nil || len(e.Hints.ForZones) != 1 || len(e.Hints.ForNodes) > 0 || z[e.Hints.ForZones[0].Name] == 0):
				return false
			}
		}
	}
	return true
}
