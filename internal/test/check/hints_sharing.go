package check

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/hinting"
)

// checkSharing: PreferSameZone with a limit. While hints are on, every ready endpoint serves its
// own zone and one to eight zones in all, each once and sorted, no other endpoint has a hint, and
// none is above the limit, or above the limit and ten percent where nothing had to change (N1).
// Unchanged slices are written only where an endpoint was above that, or hints had to change (N3).
func checkSharing(c hinting.Options, before []hinting.Slice, changes []hinting.Change, d hinting.Decision) error {
	after := WithHints(before, changes)
	was, _, wasValid := sharingOf(c, before)
	over, some, valid := sharingOf(c, after)
	if d.Reason == "NoWeights" {
		return withoutLimit(c, after)
	}
	if !d.On {
		if some {
			return fmt.Errorf("N1: off (%v) and a hint is left", d.Reason)
		}
		if len(c.Weights.Zones) > 0 && len(c.Weights.Zones) < 8 {
			return fmt.Errorf("N1: off (%v) for %d zones", d.Reason, len(c.Weights.Zones))
		}
		return nil
	}
	if valid != nil {
		return fmt.Errorf("N1: %w", valid)
	}
	if over == nil { // no endpoint is ready
		return nil
	}
	limit, kept := big.NewRat(int64(100+c.Limit), 100), big.NewRat(int64(110+c.Limit), 100)
	if over.Cmp(kept) > 0 {
		return fmt.Errorf("N1: %s of the mean, limit %d%%", over.FloatString(4), c.Limit)
	}
	if over.Cmp(limit) > 0 && was == nil {
		return fmt.Errorf("N1: %s of the mean from scratch, limit %d%%", over.FloatString(4), c.Limit)
	}
	rewritten := slices.ContainsFunc(changes, func(c hinting.Change) bool { return !before[c.Slice].Written })
	if wasValid == nil && was != nil && was.Cmp(kept) <= 0 && rewritten {
		return fmt.Errorf("N3: unchanged slices are rewritten, and no endpoint was above the limit: %s of the mean",
			was.FloatString(4))
	}
	return nil
}

// withoutLimit: if no zone has a weight, the hints are those of PreferSameZone without a limit.
func withoutLimit(c hinting.Options, after []hinting.Slice) error {
	for zone := range c.Weights.Zones {
		if accept.RefuseZone(zone) == nil {
			return fmt.Errorf("N1: NoWeights, and zone %s has a weight", zone)
		}
	}
	for _, s := range after {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			if want, _ := hinting.HintOf(hinting.PreferSameZone, e); !want.Matches(e.Hints) {
				return fmt.Errorf("N1: without weights the hints of %v are %v, want %v", e.Addresses, e.Hints, want)
			}
		}
	}
	return nil
}

// sharingOf returns what the busiest endpoint carries, of the mean (nil: no ready endpoint has a
// hint), whether any endpoint has a hint, and what is wrong with the hints.
func sharingOf(c hinting.Options, in []hinting.Slice) (busiest *big.Rat, some bool, wrong error) {
	serve := map[string]int64{}
	total := int64(0)
	ready := []*discoveryv1.Endpoint(nil)
	note := func(format string, args ...any) {
		if wrong == nil {
			wrong = fmt.Errorf(format, args...)
		}
	}
	hinted := false
	for i := range in {
		for k := range in[i].Endpoints {
			e := &in[i].Endpoints[k]
			names := zonesOf(e)
			hint := len(names) > 0 || e.Hints != nil && len(e.Hints.ForNodes) > 0
			some = some || hint
			if !conditions.Of(e.Conditions).Ready {
				if hint {
					note("%v is not ready and has the hints %v", e.Addresses, e.Hints)
				}
				continue
			}
			ready, hinted = append(ready, e), hinted || len(names) > 0
			own := ""
			if e.Zone != nil && *e.Zone != "" && accept.RefuseZone(*e.Zone) == nil {
				own = *e.Zone
			}
			if len(names) < 1 || len(names) > 8 || len(slices.Compact(slices.Clone(names))) < len(names) ||
				own != "" && !slices.Contains(names, own) || len(e.Hints.ForNodes) > 0 {
				note("%v of zone %q serves %v", e.Addresses, own, names)
			}
			for _, name := range names {
				if serve[name]++; c.Weights.Zones[name] == 0 && name != own {
					note("%v serves %s, which has no weight", e.Addresses, name)
				}
			}
		}
	}
	if !hinted {
		return nil, some, wrong
	}
	for zone, w := range c.Weights.Zones {
		if accept.RefuseZone(zone) != nil {
			continue
		}
		if total += w; serve[zone] == 0 {
			note("no endpoint serves %s", zone)
		}
	}
	return busiestOf(c, ready, serve, total), some, wrong
}

// busiestOf returns what the busiest endpoint carries, of the mean. serve counts the endpoints of
// each zone.
func busiestOf(c hinting.Options, ready []*discoveryv1.Endpoint, serve map[string]int64, total int64) *big.Rat {
	busiest := new(big.Rat)
	for _, e := range ready {
		load := new(big.Rat)
		for _, name := range zonesOf(e) {
			load.Add(load, big.NewRat(c.Weights.Zones[name], serve[name]))
		}
		if load.Mul(load, big.NewRat(int64(len(ready)), max(total, 1))).Cmp(busiest) > 0 {
			busiest = load
		}
	}
	return busiest
}

// zonesOf are the zones of an endpoint's hints, sorted.
func zonesOf(e *discoveryv1.Endpoint) (names []string) {
	if e.Hints != nil {
		for _, z := range e.Hints.ForZones {
			names = append(names, z.Name)
		}
	}
	slices.Sort(names)
	return names
}

// StableHints calls hinting.Assign and checks H5: the input is not changed, the same values give
// the same answer in whatever order slices and endpoints come, and a second call on the result
// changes nothing and says the same. Slices need different names, and the endpoints of a slice
// different addresses.
func StableHints(c hinting.Options, in []hinting.Slice) error {
	before := copyHintSlices(in)
	changes, d, err := hinting.Assign(c, in)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(before, in) {
		return fmt.Errorf("H5: the input changed from %v to %v", before, in)
	}
	want, after := hintsByAddress(in, changes), WithHints(in, changes)
	if err := spoil(changes); err != nil {
		return err
	}
	for turn := range 3 {
		other := turned(before, turn)
		again, e, err := hinting.Assign(c, other)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(d, e) {
			return fmt.Errorf("H5: in another order the decision is %v, not %v", e, d)
		}
		if got := hintsByAddress(other, again); !reflect.DeepEqual(got, want) {
			return fmt.Errorf("H5: in another order the hints are %v, not %v", got, want)
		}
	}
	again, e, err := hinting.Assign(c, after)
	if err != nil {
		return err
	}
	if len(again) > 0 {
		return fmt.Errorf("H5: a second call changes %v", again)
	}
	if d.On != e.On || d.Reason != e.Reason {
		return fmt.Errorf("H7: a second call decides %v after %v", e, d)
	}
	return nil
}

// spoil changes the hints, which are the caller's: what is done to one must not be seen in another.
// StableHints sees whether it is in later answers.
func spoil(changes []hinting.Change) error {
	for i, c := range changes {
		if c.Hints != nil {
			clear(c.Hints.ForZones)
			c.Hints.ForZones = append(c.Hints.ForZones, discoveryv1.ForZone{Name: fmt.Sprint(i)})
		}
	}
	for i, c := range changes {
		if c.Hints != nil && (len(c.Hints.ForZones) > 1 && c.Hints.ForZones[0].Name != "" ||
			c.Hints.ForZones[len(c.Hints.ForZones)-1].Name != fmt.Sprint(i)) {
			return fmt.Errorf("H5: change %d shares memory with another: %v", i, c.Hints)
		}
	}
	return nil
}

// turned is a copy in another order.
func turned(in []hinting.Slice, turn int) []hinting.Slice {
	out := copyHintSlices(in)
	if turn > 0 {
		slices.Reverse(out)
	}
	for i := range out {
		if turn != 1 {
			slices.Reverse(out[i].Endpoints)
		}
		if n := len(out[i].Endpoints); turn == 2 && n > 1 {
			out[i].Endpoints[0], out[i].Endpoints[n/2] = out[i].Endpoints[n/2], out[i].Endpoints[0]
		}
	}
	return out
}

// hintsByAddress returns the changes by slice name and first address.
func hintsByAddress(in []hinting.Slice, changes []hinting.Change) map[[2]string][]string {
	byAddress := map[[2]string][]string{}
	for _, c := range changes {
		e := &in[c.Slice].Endpoints[c.Endpoint]
		byAddress[[2]string{in[c.Slice].Name, e.Addresses[0]}] = HintNames(c.Hints)
	}
	return byAddress
}
