package deduptest

import (
	"maps"
	"slices"
	"strings"
)

// judgeHints holds what a node in a zone uses to the one rule that all readers of hints share: where every endpoint of a
// service port has a hint, and some endpoint has one for the zone, the node uses those for the zone; else it uses all.
// The families are judged apart, as kube-proxy runs once for each. Readers differ about endpoints that are not ready. Service
// ports that have such endpoints, or about which slices disagree, are left alone.
func judgeHints(l ledger, seen map[Seen]bool, use []Seen, zone string) complaint {
	ports := map[Seen][]claim{}
	for _, place := range l.places {
		port := place.port()
		if strings.Contains(place.Address, ":") {
			port.Address = "IPv6"
		}
		ports[port] = append(ports[port], l.claims[place]...)
	}
	used := places(use)
	for _, port := range slices.SortedFunc(maps.Keys(ports), Seen.compare) {
		list := ports[port]
		if !plain(list) || slices.ContainsFunc(list, func(c claim) bool { return !seen[c.place] }) {
			continue
		}
		obeyed := !slices.ContainsFunc(list, func(c claim) bool { return c.zone == "" }) &&
			slices.ContainsFunc(list, func(c claim) bool { return c.zone == zone })
		for _, c := range list {
			switch want := !obeyed || c.zone == zone; {
			case want && !used[c.place]:
				return complaint{"not used: %s", c.place.String() + " in " + zone}
			case !want && used[c.place]:
				return complaint{"used, though hints keep it for another zone: %s", c.place.String() + " in " + zone + ", for " + c.zone}
			}
		}
	}
	return complaint{}
}

// plain reports whether readers can agree about the claims of a service port.
func plain(list []claim) bool {
	zones := map[Seen]string{}
	for _, c := range list {
		if zone, twice := zones[c.place]; twice && zone != c.zone {
			return false
		}
		zones[c.place] = c.zone
		if c.state != Ready || c.optional {
			return false
		}
	}
	return true
}
