// The guarantees D1 to D4 and D8 of package dedup as code: a plain reading of all
// slices at once.
//
// Three things are shared with package dedup, and have tests of their own: what conditions mean
// (package conditions), the normal form of a port, and which texts are IP addresses (package
// endpoint).

package dedup_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// checkView checks what package dedup shows of a list of slices, each of them with a name of its own:
// that it is what a plain reading of all slices at once gives (D1), with the right winners (D2) and
// all disagreements (D3), in order (D4). It asks the view for nothing that is nil-safe only by
// luck: every field of every slice may be nil (D8).
func checkView(list []*discoveryv1.EndpointSlice, o dedup.Options, v dedup.View) error {
	want := readClaims(list, o)
	var errs []error
	if got := slices.Collect(v.Services()); !slices.Equal(got, want.services) {
		errs = append(errs, fmt.Errorf("D1: services %v, want %v", got, want.services))
	}
	var ports []dedup.ServicePortName
	for _, service := range want.services {
		if !v.Has(service) {
			errs = append(errs, fmt.Errorf("D1: %v is not known", service))
		}
		ports = slices.AppendSeq(ports, v.Ports(service))
		errs = append(errs, checkAddresses(service, want, v), checkTargets(service, want, v))
	}
	if !slices.Equal(ports, want.ports) {
		errs = append(errs, fmt.Errorf("D1: ports %v, want %v", ports, want.ports))
	}
	shown := 0
	for _, port := range ports {
		n, err := checkPort(port, want, v)
		shown += n
		errs = append(errs, err)
	}
	if shown != len(want.places) {
		errs = append(errs, fmt.Errorf("D1: %d endpoints, want %d", shown, len(want.places)))
	}
	return errors.Join(append(errs, checkConflicts(want, v), checkProblems(list, want, v))...)
}

// checkProblems checks the reasons of what is skipped, slice by slice (D8).
func checkProblems(list []*discoveryv1.EndpointSlice, want claims, v dedup.View) error {
	got := map[types.NamespacedName][]string{}
	for _, p := range v.Warnings() {
		if p.Reason == "SameName" || p.Reason == "NoSlice" {
			continue // about a list
		}
		got[p.Slice] = append(got[p.Slice], p.Reason)
	}
	for _, s := range list {
		name := types.NamespacedName{Namespace: s.Namespace, Name: s.Name}
		reasons, want := got[name], want.problems[name]
		slices.Sort(reasons)
		slices.Sort(want)
		if !slices.Equal(reasons, want) {
			return fmt.Errorf("D8: of slice %s the problems %v, want %v", s.Name, reasons, want)
		}
	}
	return nil
}

// checkPort checks the endpoints of one service port and counts them.
func checkPort(port dedup.ServicePortName, want claims, v dedup.View) (int, error) {
	return checkAll(port, want.places, v.Endpoints(port))
}

// checkAddresses checks the addresses of a Service, whatever the ports.
func checkAddresses(service types.NamespacedName, want claims, v dedup.View) error {
	n, err := checkAll(dedup.ServicePortName{Service: service}, want.addresses, v.Addresses(service))
	for at := range want.addresses {
		if at.port.Service == service {
			n--
		}
	}
	if n != 0 {
		err = errors.Join(err, fmt.Errorf("D1: %v has %d addresses too many", service, n))
	}
	return err
}

func checkAll(port dedup.ServicePortName, claims map[place][]claim, all iter.Seq[dedup.Endpoint]) (n int, err error) {
	var last *dedup.Endpoint
	for e := range all {
		n++
		if last != nil && compareEndpoints(*last, e) >= 0 {
			return n, fmt.Errorf("D4: %v: %v before %v", port, *last, e)
		}
		last = &e
		at := place{port, hostOf(e), e.Port}
		if !slices.ContainsFunc(winners(claims[at]),
			func(c claim) bool { return sameClaim(c.endpoint, e) && c.endpoint.Slice == e.Slice }) {
			return n, fmt.Errorf("D2: %v: %s wins, want %v", at, describe(e), winners(claims[at]))
		}
	}
	return n, nil
}

// checkTargets checks that each address is there for each of its targets and hostnames, once, with
// the claim that would win if there were no others.
func checkTargets(service types.NamespacedName, want claims, v dedup.View) error {
	type key struct {
		at       place
		target   corev1.ObjectReference
		hostname string
	}
	keyOf := func(at place, e dedup.Endpoint) key {
		k := key{at, targetOf(e), e.Hostname}
		if k.target.UID != "" {
			k.target = corev1.ObjectReference{UID: k.target.UID}
		}
		return k
	}
	rivals := map[key][]claim{}
	for at, all := range want.addresses {
		for _, c := range all {
			if at.port.Service == service {
				k := keyOf(at, c.endpoint)
				rivals[k] = append(rivals[k], c)
			}
		}
	}
	for e := range v.Targets(service) {
		k := keyOf(place{dedup.ServicePortName{Service: service}, hostOf(e), 0}, e)
		if !slices.ContainsFunc(winners(rivals[k]),
			func(c claim) bool { return sameClaim(c.endpoint, e) && c.endpoint.Slice == e.Slice }) {
			return fmt.Errorf("D1: target %v: %s, want one of %v", k, describe(e), winners(rivals[k]))
		}
		delete(rivals, k)
	}
	for k := range rivals {
		return fmt.Errorf("D1: target %v is missing", k)
	}
	return nil
}

// checkConflicts checks that every place about which claims disagree is reported, once, with the
// winner and with each slice that disagrees (D3).
func checkConflicts(want claims, v dedup.View) error {
	lines := slices.Collect(v.Conflicts())
	for at, all := range want.places {
		var winner dedup.Endpoint
		for e := range v.Endpoints(at.port) {
			if hostOf(e) == at.host && e.Port == at.number {
				winner = e
			}
		}
		start := fmt.Sprintf("%v %v: %s over ", at.port, winner, winner.Slice)
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, start) })
		disagree := slices.ContainsFunc(all, func(c claim) bool { return !sameClaim(c.endpoint, winner) })
		if disagree != (i >= 0) {
			return fmt.Errorf("D3: %v: disagreement %v, reported %v", at, disagree, lines)
		}
		if !disagree {
			continue
		}
		for _, c := range all {
			if !sameClaim(c.endpoint, winner) && !strings.Contains(lines[i], c.endpoint.Slice+" (") {
				return fmt.Errorf("D3: %s does not name %s", lines[i], describe(c.endpoint))
			}
		}
		lines = slices.Delete(lines, i, i+1)
	}
	if len(lines) > 0 {
		return fmt.Errorf("D3: reported too much: %v", lines)
	}
	return nil
}
