package dedup

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// Changes checks that changes are the exact difference between two views, in order, and that no
// delta says nothing (D4).
func Changes(before, after dedup.View, changes dedup.Changes) error {
	if err := services(before, after, changes); err != nil {
		return err
	}
	deltas := changes.Ports
	was, is := contents(before), contents(after)
	known, knows := knownPorts(before), knownPorts(after)
	for i, d := range deltas {
		if i > 0 && deltas[i-1].Port.Compare(d.Port) >= 0 {
			return fmt.Errorf("D4: delta of %v before that of %v", deltas[i-1].Port, d.Port)
		}
		added := slices.Collect(d.Added())
		removed := slices.Collect(d.Removed())
		changed := slices.Collect(d.Changed())
		if a, r, c := d.Counts(); a != len(added) || r != len(removed) || c != len(changed) {
			return fmt.Errorf("D4: %v: %d, %d and %d are counted, %d, %d and %d are there", d.Port, a, r, c, len(added),
				len(removed), len(changed))
		}
		if len(added)+len(removed)+len(changed) == 0 && !d.Appeared && !d.Gone {
			return fmt.Errorf("D4: the delta of %v says nothing", d.Port)
		}
		if d.Appeared != (!known[d.Port] && knows[d.Port]) || d.Gone != (known[d.Port] && !knows[d.Port]) {
			return fmt.Errorf("D4: %v: appeared %v, gone %v", d.Port, d.Appeared, d.Gone)
		}
		if delete(known, d.Port); knows[d.Port] {
			known[d.Port] = true
		}
		if err := replay(was, d); err != nil {
			return err
		}
		if !slices.IsSortedFunc(added, compareEndpoints) || !slices.IsSortedFunc(removed, compareEndpoints) ||
			!slices.IsSortedFunc(changed, func(a, b dedup.Change) int { return compareEndpoints(a.New, b.New) }) {
			return fmt.Errorf("D4: %v is in no order", d)
		}
	}
	if !maps.Equal(known, knows) {
		return fmt.Errorf("D4: with the deltas there are the ports %v, want %v", known, knows)
	}
	return sameShown(was, is)
}

// compareEndpoints is the order of a View: names before IPs, these as numbers, and then by port
// number.
func compareEndpoints(a, b dedup.Endpoint) int {
	x, y := a.Address.As16(), b.Address.As16()
	return cmp.Or(bytes.Compare(x[:], y[:]), strings.Compare(a.FQDN, b.FQDN), cmp.Compare(a.Port, b.Port))
}

func contents(v dedup.View) map[place]dedup.Endpoint {
	all := map[place]dedup.Endpoint{}
	for port, e := range v.All() {
		all[place{port, hostOf(e), e.Port}] = e
	}
	return all
}

// services checks which Services came and went.
func services(before, after dedup.View, changes dedup.Changes) error {
	missing := func(from, in dedup.View) (list []types.NamespacedName) {
		for s := range from.Services() {
			if !slices.Contains(slices.Collect(in.Services()), s) {
				list = append(list, s)
			}
		}
		return list
	}
	if want := missing(after, before); !slices.Equal(changes.Appeared, want) ||
		(want == nil) != (changes.Appeared == nil) {
		return fmt.Errorf("D4: Services appeared: %v, want %v", changes.Appeared, want)
	}
	if want := missing(before, after); !slices.Equal(changes.Gone, want) || (want == nil) != (changes.Gone == nil) {
		return fmt.Errorf("D4: Services gone: %v, want %v", changes.Gone, want)
	}
	return nil
}

func knownPorts(v dedup.View) map[dedup.ServicePort]bool {
	known := map[dedup.ServicePort]bool{}
	for service := range v.Services() {
		for port := range v.Ports(service) {
			known[port] = true
		}
	}
	return known
}

// replay does to was what a delta says.
func replay(was map[place]dedup.Endpoint, d dedup.Delta) error {
	for e := range d.Removed() {
		at := place{d.Port, hostOf(e), e.Port}
		if old, ok := was[at]; !ok || !reflect.DeepEqual(old, e) {
			return fmt.Errorf("D4: %s was removed and was %s", describe(e), describe(old))
		}
		delete(was, at)
	}
	for c := range d.Changed() {
		at := place{d.Port, hostOf(c.Old), c.Old.Port}
		if old, ok := was[at]; !ok || !reflect.DeepEqual(old, c.Old) {
			return fmt.Errorf("D4: %s changed and was %s", describe(c.Old), describe(old))
		}
		if fields := fieldsBetween(c.Old, c.New); fields != c.Fields || fields == 0 {
			return fmt.Errorf("D4: %v changed in %v, reported as %v", c.Old, fields, c.Fields)
		}
		was[at] = c.New
	}
	for e := range d.Added() {
		at := place{d.Port, hostOf(e), e.Port}
		if _, ok := was[at]; ok {
			return fmt.Errorf("D4: %v was added and was there", e)
		}
		was[at] = e
	}
	return nil
}

// sameShown allows no difference: deltas report all.
func sameShown(was, is map[place]dedup.Endpoint) error {
	for at, e := range is {
		if old, ok := was[at]; !ok || fieldsBetween(old, e) != 0 {
			return fmt.Errorf("D4: %v is %s, and with the deltas %s", at, describe(e), describe(old))
		}
		delete(was, at)
	}
	for at := range was {
		return fmt.Errorf("D4: %v is gone and no delta says so", at)
	}
	return nil
}

func fieldsBetween(a, b dedup.Endpoint) (f dedup.Fields) {
	for field, differs := range map[dedup.Fields]bool{
		dedup.FieldConditions: a.State != b.State,
		dedup.FieldHostname:   a.Hostname != b.Hostname,
		dedup.FieldNodeName:   a.NodeName != b.NodeName,
		dedup.FieldZone:       a.Zone != b.Zone,
		dedup.FieldTarget:     a.Target != b.Target,
		dedup.FieldHints: !reflect.DeepEqual(a.ForZones, b.ForZones) ||
			!reflect.DeepEqual(a.ForNodes, b.ForNodes),
		dedup.FieldAppProtocol: a.AppProtocol != b.AppProtocol,
		dedup.FieldLabels:      !reflect.DeepEqual(a.Labels, b.Labels),
	} {
		if differs {
			f |= field
		}
	}
	return f
}
