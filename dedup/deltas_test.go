package dedup_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// checkChanges checks that changes are the exact difference between two views, in order, and that no
// delta says nothing (D4).
func checkChanges(before, after dedup.View, changes dedup.Changes) error {
	if err := services(before, after, changes); err != nil {
		return err
	}
	deltas := changes.Ports
	was, is := contents(before), contents(after)
	known, knows := knownPorts(before), knownPorts(after)
	for i, d := range deltas {
		if i > 0 && comparePorts(deltas[i-1].Port, d.Port) >= 0 {
			return fmt.Errorf("D4: delta of %v before that of %v", deltas[i-1].Port, d.Port)
		}
		added := slices.Collect(d.Added())
		removed := slices.Collect(d.Removed())
		var changed []dedup.Endpoint
		for _, now := range d.Changed() {
			changed = append(changed, now)
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
			!slices.IsSortedFunc(changed, compareEndpoints) {
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

// services checks that a Service of which a view shows something else is among the changed ones.
func services(before, after dedup.View, changes dedup.Changes) error {
	if !slices.IsSortedFunc(changes.Services, func(a, b types.NamespacedName) int {
		return cmp.Compare(a.String(), b.String())
	}) {
		return fmt.Errorf("D4: Services %v are in no order", changes.Services)
	}
	all := slices.Concat(slices.Collect(before.Services()), slices.Collect(after.Services()))
	for _, s := range all {
		if was, is := shown(before, s), shown(after, s); was != is && !slices.Contains(changes.Services, s) {
			return fmt.Errorf("D4: %v changed, and is not in %v: was\n%s\nis\n%s", s, changes.Services, was, is)
		}
	}
	for _, s := range changes.Services {
		if !slices.Contains(all, s) {
			return fmt.Errorf("D4: %v changed, and no view has it", s)
		}
	}
	return nil
}

// shown is all that a view shows of a Service, but for the names of slices.
func shown(v dedup.View, name types.NamespacedName) string {
	text := fmt.Sprintln(v.Has(name))
	add := func(what any, e dedup.Endpoint) {
		e.Slice, e.TargetRef = "", nil
		e.Hints = nil // whose changes the deltas of ports have
		text += fmt.Sprintf("%v %+v\n", what, AllFields(e))
	}
	for e := range v.Addresses(name) {
		add("address", e)
	}
	for e := range v.Targets(name) {
		add("target "+fmt.Sprint(targetOf(e)), e)
	}
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = name.Namespace, name.Name
	svc.Spec.ClusterIP = "10.96.0.1"
	svc.Spec.Ports = []corev1.ServicePort{{Name: "http"}, {Name: "dns"}, {}}
	for _, p := range v.ForProxy(svc).Ports {
		for _, e := range p.Endpoints {
			add("proxy "+p.Port.Name, e)
		}
	}
	return text
}

func knownPorts(v dedup.View) map[dedup.ServicePortName]bool {
	known := map[dedup.ServicePortName]bool{}
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
	for then, now := range d.Changed() {
		at := place{d.Port, hostOf(then), then.Port}
		if old, ok := was[at]; !ok || !reflect.DeepEqual(old, then) {
			return fmt.Errorf("D4: %s changed and was %s", describe(then), describe(old))
		}
		if !differ(then, now) || hostOf(then) != hostOf(now) || then.Port != now.Port {
			return fmt.Errorf("D4: %s changed, and is %s", describe(then), describe(now))
		}
		was[at] = now
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
		if old, ok := was[at]; !ok || differ(old, e) {
			return fmt.Errorf("D4: %v is %s, and with the deltas %s", at, describe(e), describe(old))
		}
		delete(was, at)
	}
	for at := range was {
		return fmt.Errorf("D4: %v is gone and no delta says so", at)
	}
	return nil
}

// differ reports whether endpoints differ in more than slice, address and number.
func differ(a, b dedup.Endpoint) bool {
	return a.Conditions != b.Conditions || a.Hostname != b.Hostname || a.NodeName != b.NodeName || a.Zone != b.Zone ||
		targetOf(a) != targetOf(b) || hintsOf(a) != hintsOf(b) || a.AppProtocol != b.AppProtocol ||
		!maps.Equal(a.Labels, b.Labels)
}

// hintsOf is the zones and nodes of hints, sorted, each once.
func hintsOf(e dedup.Endpoint) string {
	if e.Hints == nil {
		return "[] []"
	}
	var zones, nodes []string
	for _, h := range e.Hints.ForZones {
		zones = append(zones, h.Name)
	}
	for _, h := range e.Hints.ForNodes {
		nodes = append(nodes, h.Name)
	}
	slices.Sort(zones)
	slices.Sort(nodes)
	return fmt.Sprint(slices.Compact(zones), slices.Compact(nodes))
}
