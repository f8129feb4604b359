package hints

import (
	"fmt"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/hinting"
)

// Stable calls hinting.Assign and checks H5: the input is not changed, the same values give the
// same answer in whatever order slices and endpoints come, and a second call on the result changes
// nothing and says the same. Slices need different names, and the endpoints of a slice different
// addresses.
func Stable(c hinting.Options, in []hinting.Slice) error {
	before := copyHintSlices(in)
	changes, d, err := hinting.Assign(c, in)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(before, in) {
		return fmt.Errorf("H5: the input changed from %v to %v", before, in)
	}
	want, after := hintsByAddress(in, changes), After(in, changes)
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
// Stable sees whether it is in later answers.
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
		byAddress[[2]string{in[c.Slice].Name, e.Addresses[0]}] = Names(c.Hints)
	}
	return byAddress
}
