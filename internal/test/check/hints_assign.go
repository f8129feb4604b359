package check

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/hinting"
)

// Hints checks what hinting.Assign answered against guarantees H1, H2, H3, H6 and H7; nil when all
// hold. H4 has an oracle, and H5 is StableHints. Every error starts with the guarantee that it
// breaks.
func Hints(c hinting.Options, in []hinting.Slice, changes []hinting.Change, d hinting.Decision) error {
	if err := checkHintChanges(in, changes); err != nil {
		return err
	}
	view := viewHints(c, WithHints(in, changes))
	before := viewHints(c, in)
	errs := []error{checkHintModes(c, in, changes, view, d), checkHintTable(c, view, d)}
	if c.Mode == hinting.Auto {
		errs = append(errs, checkHintsOn(c, before, d), checkHintMinimums(c, in, changes, before, view, d))
	}
	return errors.Join(errs...)
}

// WithHints returns the slices as the changes leave them, all of them unchanged slices, sharing no
// memory with the input.
func WithHints(in []hinting.Slice, changes []hinting.Change) []hinting.Slice {
	out := copyHintSlices(in)
	for i := range out {
		out[i].Written = false
	}
	for _, c := range changes {
		out[c.Slice].Endpoints[c.Endpoint].Hints = c.Hints.DeepCopy()
	}
	return out
}

func copyHintSlices(in []hinting.Slice) []hinting.Slice {
	out := slices.Clone(in)
	for i := range out {
		out[i].Endpoints = (&discoveryv1.EndpointSlice{Endpoints: in[i].Endpoints}).DeepCopy().Endpoints
	}
	return out
}

// Changes are sorted, each endpoint once, and each says something new.
func checkHintChanges(in []hinting.Slice, changes []hinting.Change) error {
	last := hinting.Change{Slice: -1}
	if changes != nil && len(changes) == 0 {
		return errors.New("changes: an empty list, not nil")
	}
	for _, c := range changes {
		if c.Slice < last.Slice || (c.Slice == last.Slice && c.Endpoint <= last.Endpoint) {
			return fmt.Errorf("changes: %v follows %v", c, last)
		}
		if c.Slice >= len(in) || c.Endpoint >= len(in[c.Slice].Endpoints) {
			return fmt.Errorf("changes: %v does not exist", c)
		}
		if slices.Equal(HintNames(c.Hints), HintNames(in[c.Slice].Endpoints[c.Endpoint].Hints)) {
			return fmt.Errorf("changes: %v is what the endpoint has", c)
		}
		last = c
	}
	return nil
}

// HintNames are those of hints, in order: readers take them as a set.
func HintNames(h *discoveryv1.EndpointHints) (list []string) {
	if h != nil {
		for _, z := range h.ForZones {
			list = append(list, "zone "+z.Name)
		}
		for _, n := range h.ForNodes {
			list = append(list, "node "+n.Name)
		}
	}
	slices.Sort(list)
	return list
}

// hintView is what a reader sees.
type hintView struct {
	ready, zoneless int
	was             bool           // a ready endpoint has a zone hint
	homes, hinted   map[string]int // ready endpoints by zone
	bad             error          // the first endpoint that breaks H1 when hints are on
	any             bool           // there is any hint
}

func viewHints(c hinting.Options, in []hinting.Slice) hintView {
	v := hintView{homes: map[string]int{}, hinted: map[string]int{}}
	for i := range in {
		for k := range in[i].Endpoints {
			e := &in[i].Endpoints[k]
			var h discoveryv1.EndpointHints
			if e.Hints != nil {
				h = *e.Hints
			}
			at := fmt.Sprintf("slice %q endpoint %d", in[i].Name, k)
			v.any = v.any || len(h.ForZones)+len(h.ForNodes) > 0
			if e.Conditions.Ready != nil && !*e.Conditions.Ready {
				if len(h.ForZones)+len(h.ForNodes) > 0 {
					v.blame(fmt.Errorf("H1: %s is not ready and has a hint", at))
				}
				continue
			}
			v.ready++
			v.was = v.was || len(h.ForZones) > 0
			if e.Zone == nil || *e.Zone == "" {
				v.zoneless++
			} else {
				v.homes[*e.Zone]++
			}
			for _, z := range h.ForZones {
				v.hinted[z.Name]++
			}
			if len(h.ForZones) != 1 || len(h.ForNodes) > 0 {
				v.blame(fmt.Errorf("H1: %s is ready and has hints %v", at, h))
				continue
			}
			if _, ok := c.Weights.Zones[h.ForZones[0].Name]; !ok {
				v.blame(fmt.Errorf("H1: %s is hinted to %q, which has no weight", at, h.ForZones[0].Name))
			}
		}
	}
	return v
}

func (v *hintView) blame(err error) {
	if v.bad == nil {
		v.bad = err
	}
}

// H1 and H6, and what the other modes promise.
func checkHintModes(c hinting.Options, in []hinting.Slice, changes []hinting.Change, view hintView, d hinting.Decision) error {
	switch c.Mode {
	case hinting.Given, hinting.Keep:
		if len(changes) > 0 {
			return fmt.Errorf("mode %v changed %v", c.Mode, changes[0])
		}
	case hinting.None:
		if view.any {
			return errors.New("H6: mode none left a hint")
		}
	case hinting.PreferSameZone, hinting.PreferSameNode:
		if c.Mode == hinting.PreferSameZone && c.Limit > 0 {
			return checkSharing(c, in, changes, d)
		}
		for i, s := range WithHints(in, changes) {
			for k := range s.Endpoints {
				if want, _ := hinting.HintOf(c.Mode, &s.Endpoints[k]); !want.Matches(s.Endpoints[k].Hints) {
					return fmt.Errorf("mode %v: slice %d endpoint %d has hints %v, want %v", c.Mode, i, k,
						s.Endpoints[k].Hints, want)
				}
			}
		}
	case hinting.Auto:
		if d.On {
			return view.bad
		}
		if view.any {
			return fmt.Errorf("H6: off (%v) and a hint is left", d.Reason)
		}
	}
	return nil
}

// H3: on exactly when a feasible allocation exists.
func checkHintsOn(c hinting.Options, before hintView, d hinting.Decision) error {
	zones := len(c.Weights.Zones)
	_, limit, stop := Thresholds(c)
	if before.was {
		limit = stop
	}
	named := true
	for zone := range c.Weights.Zones {
		named = named && zone != ""
	}
	want := len(c.Weights.Missing) == 0 && zones > 1 && before.zoneless == 0 && before.ready >= zones &&
		feasible(c, before.ready, limit)
	if named && d.Reason != "InvalidName" && d.On != want {
		return fmt.Errorf("H3: on is %v with %d endpoints at %d%%", d.On, before.ready, limit)
	}
	if d.On != (d.Reason == "TopologyAwareHintsEnabled") {
		return fmt.Errorf("H7: on is %v because of %v", d.On, d.Reason)
	}
	return nil
}

// H2: every zone has its minimum at the stop threshold; and at the lowest that can be met, unless
// hints were on and stay in all unchanged slices in which they can.
func checkHintMinimums(c hinting.Options, in []hinting.Slice, changes []hinting.Change, before, view hintView,
	d hinting.Decision) error {
	if !d.On {
		return nil
	}
	aim, start, stop := Thresholds(c)
	held := before.was && !slices.ContainsFunc(changes, func(change hinting.Change) bool {
		s := in[change.Slice]
		return !s.Written && viewHints(c, []hinting.Slice{s}).bad == nil
	})
	for _, percent := range []int{aim, start, stop} {
		if !feasible(c, before.ready, percent) || held && percent < stop {
			continue
		}
		for zone := range c.Weights.Zones {
			if m := Minimum(c.Weights, zone, view.ready, percent); view.hinted[zone] < m {
				return fmt.Errorf("H2: zone %q has %d of at least %d endpoints at %d%%", zone, view.hinted[zone], m,
					percent)
			}
		}
		return nil
	}
	return fmt.Errorf("H2: not even %d%% can be met", stop)
}

// H7: Auto and a limit have a row for each zone with a weight, with the figures.
func checkHintTable(c hinting.Options, view hintView, d hinting.Decision) error {
	var want []hinting.Zone
	if hinting.OverAll(c) && (c.Mode == hinting.Auto || d.Reason != "NoWeights") {
		for zone, weight := range c.Weights.Zones {
			if c.Mode != hinting.Auto && accept.RefuseZone(zone) != nil {
				continue
			}
			row := hinting.Zone{Zone: zone, Weight: weight, Ready: view.homes[zone]}
			if d.On {
				row.Hinted = view.hinted[zone]
			}
			want = append(want, row)
		}
	}
	slices.SortFunc(want, func(a, b hinting.Zone) int { return strings.Compare(a.Zone, b.Zone) })
	if !slices.Equal(d.Zones, want) {
		return fmt.Errorf("H7: the decision says %+v, there is %+v", d.Zones, want)
	}
	return nil
}

// Thresholds are those of Auto.
func Thresholds(c hinting.Options) (aim, start, stop int) {
	if c.Steady {
		return 10, 20, 30
	}
	return 20, 20, 20
}

// feasible reports whether n endpoints are enough for the minimum of each zone.
func feasible(c hinting.Options, n, percent int) bool {
	sum := 0
	for zone := range c.Weights.Zones {
		sum += Minimum(c.Weights, zone, n, percent)
	}
	return sum <= n
}

// hintShare is the zone's part of n endpoints, as a fraction.
func hintShare(w hinting.Weights, zone string, n int) *big.Rat {
	total := new(big.Int)
	for _, weight := range w.Zones {
		total.Add(total, big.NewInt(weight))
	}
	share := new(big.Rat).SetFrac(big.NewInt(w.Zones[zone]), total)
	return share.Mul(share, big.NewRat(int64(n), 1))
}

// Minimum is how many of n endpoints the zone needs, so that none carries more than percent above
// its share.
func Minimum(w hinting.Weights, zone string, n, percent int) int {
	m := hintShare(w, zone, n)
	return int(hintCeil(m.Mul(m, big.NewRat(100, int64(100+percent)))))
}

func hintCeil(r *big.Rat) int64 {
	up := new(big.Int).Sub(r.Denom(), big.NewInt(1))
	return new(big.Int).Div(up.Add(up, r.Num()), r.Denom()).Int64()
}
