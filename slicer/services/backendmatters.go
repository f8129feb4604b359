package services

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// BackendMatters reports whether an event of a Backend can change what [PlanBackends] returns with
// these options, for any Service and any existing slices. old is nil if the Backend was added, and
// now is nil if it was deleted. If both are nil, the result is false.
//
// If the result is false, the old and the new Backend give the same plans, with the same Skips and
// trigger times. If it is true, sync each Service that publishes the Backend.
//
// Convert the old and the new object of the event, such as a virtual machine, to Backends as you do
// for PlanBackends, and pass both. A heartbeat, a new resourceVersion, another order of declared
// ports, and another spelling of an address do not matter. BackendMatters reads only the options
// AddressTypes, PerFamily, DeclaredPortsOnly and Slices.Invalid.
func BackendMatters(old, now *Backend, o Options) bool {
	if old == nil || now == nil {
		return old != now
	}
	was, is := old.TargetRef, now.TargetRef
	was.ResourceVersion, is.ResourceVersion = "", ""
	// Skips name the target, or else the Backend
	if was != is || was == (corev1.ObjectReference{}) && old.Name != now.Name {
		return true
	}
	if len(old.Addresses) == 0 || len(now.Addresses) == 0 { // a Backend without an address causes only a Skip
		return len(old.Addresses) != len(now.Addresses)
	}
	had, has := readAddresses(old, o), readAddresses(now, o)
	return !had.equal(&has) || !samePorts(old, now, o, has.wanted()) || has.accepted && !sameEndpoint(old, now)
}

// samePorts compares declared ports and PortNumbers. If none of the addresses is wanted, only Skips
// mention ports, and a Skip has the number of a port only if the number is not 1 to 65535.
func samePorts(old, now *Backend, o Options, wanted bool) bool {
	same := func(a, b int32) bool { return a == b || !wanted && isPort(a) && isPort(b) }
	return maps.EqualFunc(old.PortNumbers, now.PortNumbers, same) &&
		slices.EqualFunc(declaredPorts(old, o), declaredPorts(now, o), func(a, b BackendPort) bool {
			return a.Name == b.Name && a.Protocol == b.Protocol &&
				(a.Port == b.Port || a.Name != "" && same(a.Port, b.Port))
		})
}

// sameEndpoint compares the fields from which endpoints are made, apart from addresses, ports and
// the target.
func sameEndpoint(old, now *Backend) bool {
	return old.Ready == now.Ready && old.Terminating == now.Terminating && old.Changed.Equal(now.Changed) &&
		old.Node == now.Node && old.Zone == now.Zone &&
		old.Hostname == now.Hostname && (old.Hostname == "" || old.Subdomain == now.Subdomain)
}

// backendAddresses has everything about the addresses of a Backend that can change a plan.
type backendAddresses struct {
	families familySet // the families of all addresses
	notIPs   []string
	accepted bool // at least one endpoint would be published
	// published has the canonical addresses by family, without families that no slice may have.
	// Their order is such that equal lists give equal plans.
	published [len(endpoint.Families)][]string
}

// readAddresses reads the addresses that are published with these options, assuming that the
// Service wants both families.
func readAddresses(b *Backend, o Options) (a backendAddresses) {
	d := derivation{options: o}
	for _, address := range b.Addresses {
		family, canonical := familyOf(address)
		if family < 0 {
			a.notIPs = append(a.notIPs, address)
			continue
		}
		a.families[family] = true
		if len(o.AddressTypes) == 0 || slices.Contains(o.AddressTypes, endpoint.Families[family]) {
			a.published[family] = append(a.published[family], canonical)
		}
	}
	for family, list := range a.published {
		list = d.inOrder(list)
		a.published[family] = list
		accepted := 0
		for _, ip := range list {
			if d.accepts(ip) {
				accepted++
			}
		}
		// Joined addresses are one endpoint. A single bad address is enough for the API server to
		// refuse it.
		a.accepted = a.accepted || accepted > 0 && (accepted == len(list) || o.PerFamily != JoinedAddresses)
	}
	return a
}

// inOrder returns the addresses of one family that are published. Two lists that give the same plan
// have equal results.
func (d *derivation) inOrder(list []string) []string {
	if len(list) < 2 {
		return list
	}
	switch d.options.PerFamily {
	case FirstAddress:
		first := max(0, slices.IndexFunc(list, d.accepts))
		return list[first : first+1]
	case JoinedAddresses: // without repetitions; the order matters
		known := make(map[string]bool, len(list))
		return slices.DeleteFunc(list, func(ip string) bool {
			again := known[ip]
			known[ip] = true
			return again
		})
	default: // neither endpoints nor Skips depend on the order
		return slices.Sorted(slices.Values(list))
	}
}

// wanted reports whether some address is of a family that slices may have.
func (a *backendAddresses) wanted() bool { return len(a.published[0])+len(a.published[1]) > 0 }

func (a *backendAddresses) equal(b *backendAddresses) bool {
	return a.families == b.families && slices.Equal(a.notIPs, b.notIPs) &&
		slices.Equal(a.published[0], b.published[0]) && slices.Equal(a.published[1], b.published[1])
}

// declaredPorts returns, sorted, the declared ports that a targetPort can refer to. For each name
// and protocol, it lists the first valid number, or the first number if no number is valid. With
// DeclaredPortsOnly, each valid number is listed without a name as well.
func declaredPorts(b *Backend, o Options) []BackendPort {
	var found []BackendPort
	for _, p := range b.Ports {
		p.Protocol = endpoint.Protocol(p.Protocol)
		if !slices.Contains(endpoint.Protocols[:], p.Protocol) {
			continue // no port of a Service has this protocol
		}
		if p.Name != "" {
			found = append(found, p)
		}
		if isPort(p.Port) && o.DeclaredPortsOnly {
			found = append(found, BackendPort{Protocol: p.Protocol, Port: p.Port})
		}
	}
	order := func(a, b BackendPort) int { // valid numbers of a name come first
		byName := cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Protocol, b.Protocol))
		if byName != 0 || a.Name != "" {
			return cmp.Or(byName, endpoint.TrueFirst(isPort(a.Port), isPort(b.Port)))
		}
		return cmp.Compare(a.Port, b.Port)
	}
	slices.SortStableFunc(found, order)
	return slices.CompactFunc(found, func(a, b BackendPort) bool {
		return a.Name == b.Name && a.Protocol == b.Protocol && (a.Name != "" || a.Port == b.Port)
	})
}

// isPort reports whether a port can have this number.
func isPort(number int32) bool { return number >= 1 && number <= 65535 }
