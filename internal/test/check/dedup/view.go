// Package dedup is the guarantees D1 to D4 and D8 of package dedup as code: a plain reading of all
// slices at once.
//
// Three things are shared with package dedup, and have tests of their own: what conditions mean
// (package conditions), the normal form of a port, and which texts are IP addresses (package
// endpoint).
package dedup

import (
	"errors"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// View checks what package dedup shows of a list of slices, each of them with a name of its own:
// that it is what a plain reading of all slices at once gives (D1), with the right winners (D2) and
// all disagreements (D3), in order (D4). It asks the view for nothing that is nil-safe only by
// luck: every field of every slice may be nil (D8).
func View(list []*discoveryv1.EndpointSlice, o dedup.Options, v dedup.View) error {
	want := readClaims(list, o)
	var errs []error
	if got := slices.Collect(v.Services()); !slices.Equal(got, want.services) {
		errs = append(errs, fmt.Errorf("D1: services %v, want %v", got, want.services))
	}
	var ports []dedup.ServicePort
	for _, service := range want.services {
		if !v.Has(service) {
			errs = append(errs, fmt.Errorf("D1: %v is not known", service))
		}
		ports = slices.AppendSeq(ports, v.Ports(service))
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
	got := map[types.NamespacedName][]dedup.ProblemReason{}
	for _, p := range v.Problems() {
		if p.Reason == dedup.SameName || p.Reason == dedup.NoSlice {
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
func checkPort(port dedup.ServicePort, want claims, v dedup.View) (int, error) {
	var last *dedup.Endpoint
	n := 0
	for e := range v.Endpoints(port) {
		n++
		if last != nil && compareEndpoints(*last, e) >= 0 {
			return n, fmt.Errorf("D4: %v: %v before %v", port, *last, e)
		}
		last = &e
		at := place{port, hostOf(e), e.Port}
		if !slices.ContainsFunc(want.winners(at),
			func(c claim) bool { return sameClaim(c.endpoint, e) && c.endpoint.Slice == e.Slice }) {
			return n, fmt.Errorf("D2: %v: %s wins, want %v", at, describe(e), want.winners(at))
		}
		if e.FQDN == "" && e.Port > 0 {
			if found, ok := v.Endpoint(port, e.AddrPort()); !ok || !sameClaim(found, e) {
				return n, fmt.Errorf("D1: %v is listed and not found", at)
			}
		}
	}
	if length, known := v.Len(port); length != n || !known {
		return n, fmt.Errorf("D1: %v has length %d, known %v, and %d endpoints", port, length, known, n)
	}
	return n, nil
}

// checkConflicts checks that every place about which claims disagree is reported, once, with all
// who disagree (D3).
func checkConflicts(want claims, v dedup.View) error {
	reported := map[place]bool{}
	for c := range v.Conflicts() {
		at := place{c.Port, hostOf(c.Winner), c.Winner.Port}
		if reported[at] {
			return fmt.Errorf("D3: %v is reported twice", at)
		}
		reported[at] = true
		var losers []claim
		for _, other := range want.places[at] {
			if !sameClaim(other.endpoint, c.Winner) {
				losers = append(losers, other)
			}
		}
		if len(losers) != len(c.Losers) {
			return fmt.Errorf("D3: %v has %d losers, want %d", at, len(c.Losers), len(losers))
		}
		for _, l := range c.Losers {
			i := slices.IndexFunc(losers, func(o claim) bool {
				return sameClaim(o.endpoint, l.Endpoint) && o.endpoint.Slice == l.Endpoint.Slice
			})
			switch {
			case i < 0:
				return fmt.Errorf("D3: %v: %s did not lose", at, describe(l.Endpoint))
			case l.Fields == 0:
				return fmt.Errorf("D3: %v: %s differs in nothing", at, describe(l.Endpoint))
			case !lostFor(l.Reason, losers[i], want.places[at]):
				return fmt.Errorf("D3: %v: %v lost, and not for %s: there are %v", at, losers[i], l.Reason,
					want.places[at])
			}
		}
	}
	for at, all := range want.places {
		disagree := slices.ContainsFunc(all, func(c claim) bool { return !sameClaim(c.endpoint, all[0].endpoint) })
		if disagree != reported[at] {
			return fmt.Errorf("D3: %v: disagreement %v, reported %v", at, disagree, reported[at])
		}
	}
	return nil
}
