package hints

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/slicewright/slicewright/hints"
)

// Stable calls hints.Assign and checks H5: the input is not changed, the same values give the same answer in
// whatever order slices and endpoints come, and a second call on the result changes nothing and says the same. Slices
// need different names, and the endpoints of a slice different addresses.
func Stable(c hints.Options, in []hints.Slice) error {
	before := copyHintSlices(in)
	changes, d, err := hints.Assign(c, in)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(before, in) {
		return fmt.Errorf("H5: the input changed from %v to %v", before, in)
	}
	want := hintsByAddress(in, changes)
	for turn := range 3 {
		other := turned(before, turn)
		again, e, err := hints.Assign(c, other)
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
	after := After(in, changes)
	again, e, err := hints.Assign(c, after)
	if err != nil {
		return err
	}
	if len(again) > 0 {
		return fmt.Errorf("H5: a second call changes %v", again)
	}
	if !d.Same(e) {
		return fmt.Errorf("H7: a second call decides %v after %v", e, d)
	}
	return nil
}

// turned is a copy in another order.
func turned(in []hints.Slice, turn int) []hints.Slice {
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
func hintsByAddress(in []hints.Slice, changes []hints.Change) map[[2]string]hints.Hint {
	byAddress := map[[2]string]hints.Hint{}
	for _, c := range changes {
		e := &in[c.Slice].Endpoints[c.Endpoint]
		byAddress[[2]string{in[c.Slice].Name, e.Addresses[0]}] = c.Hint
	}
	return byAddress
}
