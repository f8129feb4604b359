// The guarantees M1 to M9 of package mirror as code. What a mirror's plan must
// meet is judged by the checks of package slicer, in check. What conditions mean is shared
// with package mirror, and has tests of its own in package conditions.

package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// place is an address that Endpoints list, with what sets it apart: its IP, hostname and target.
type place struct{ ip, identity string }

// servedPort is a port that an address serves; the zero value is serving without ports.
type servedPort struct {
	name     string
	protocol corev1.Protocol
	number   int32
	app      string
}

// Meaning says what subsets mean for one address type, whatever their form: a line for each port of
// each address, with whether it is ready there, and what else is said of the address. Of several
// places the first by content counts, a ready one before others. Bad addresses and ports are left
// out.
func Meaning(subsets []corev1.EndpointSubset, t discoveryv1.AddressType) []string {
	ready, best := map[place]map[servedPort]bool{}, map[place]string{}
	for _, s := range subsets {
		ports := goodPorts(s.Ports)
		for list, addresses := range [][]corev1.EndpointAddress{s.Addresses, s.NotReadyAddresses} {
			for _, a := range addresses {
				ip := check.Canonical(a.IP)
				if len(ports) == 0 || len(sim.AddressErrors([]string{ip}, t, nil)) > 0 {
					continue
				}
				at := place{ip, identity(a)}
				if ready[at] == nil {
					ready[at] = map[servedPort]bool{}
				}
				for _, p := range ports {
					ready[at][p] = ready[at][p] || list == 0
				}
				ref := target(a)
				content := fmt.Sprintf("%d %q %q %q %q", list, check.Text(a.NodeName), ref.UID, ref.APIVersion,
					ref.FieldPath)
				if best[at] == "" || content < best[at] {
					best[at] = content
				}
			}
		}
	}
	var lines []string
	for at, ports := range ready {
		if len(ports) > 1 {
			delete(ports, servedPort{}) // being listed without ports says nothing beside a port
		}
		for p, is := range ports {
			lines = append(lines, fmt.Sprintf("ready=%v %s%s on %q: %s", is, at.ip, at.identity, p, best[at][2:]))
		}
	}
	slices.Sort(lines)
	return lines
}

func target(a corev1.EndpointAddress) corev1.ObjectReference {
	if a.TargetRef == nil {
		return corev1.ObjectReference{}
	}
	return *a.TargetRef
}

func identity(a corev1.EndpointAddress) string {
	ref := target(a)
	return fmt.Sprintf(" %q %v %q %q %q", a.Hostname, a.TargetRef != nil, ref.Kind, ref.Namespace, ref.Name)
}

// goodPorts is nil when there are ports but no good one.
func goodPorts(ports []corev1.EndpointPort) (good []servedPort) {
	if len(ports) == 0 {
		return []servedPort{{}}
	}
	for _, p := range ports {
		s := serves(p)
		port := discoveryv1.EndpointPort{Name: &s.name, Protocol: &s.protocol, Port: &s.number}
		if s.app != "" {
			port.AppProtocol = &s.app
		}
		if len(sim.PortErrors([]discoveryv1.EndpointPort{port}, nil)) == 0 && s.number >= 1 && s.number <= 65535 {
			good = append(good, s)
		}
	}
	return good
}

func serves(p corev1.EndpointPort) servedPort {
	return servedPort{p.Name, cmp.Or(p.Protocol, corev1.ProtocolTCP), p.Port, check.Text(p.AppProtocol)}
}

func comparePorts(p, q corev1.EndpointPort) int {
	a, b := serves(p), serves(q)
	return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(string(a.protocol), string(b.protocol)),
		cmp.Compare(a.number, b.number), strings.Compare(a.app, b.app))
}

func compareAddresses(a, b corev1.EndpointAddress) int {
	x, _ := sim.LenientIP(a.IP)
	y, _ := sim.LenientIP(b.IP)
	return cmp.Or(x.Compare(y), strings.Compare(identity(a), identity(b)))
}

// inForm: subsets, ports and addresses are sorted, each there once; and an address is ready, or
// not, in two subsets only if no subset can have the ports of both.
func inForm(subsets []corev1.EndpointSubset) error {
	sorted := func(list []corev1.EndpointAddress) bool {
		return slices.IsSortedFunc(list, compareAddresses) &&
			len(slices.CompactFunc(slices.Clone(list), sameAddress)) == len(list)
	}
	for i, s := range subsets {
		if !slices.IsSortedFunc(s.Ports, comparePorts) || !sorted(s.Addresses) || !sorted(s.NotReadyAddresses) {
			return fmt.Errorf("subset %v is not sorted", s)
		}
		for _, other := range subsets[:i] {
			if slices.CompareFunc(other.Ports, s.Ports, comparePorts) >= 0 {
				return fmt.Errorf("the ports of subset %v come after those of %v", other, s)
			}
			twice := slices.ContainsFunc(s.Addresses, func(a corev1.EndpointAddress) bool {
				return has(other.Addresses, a)
			}) ||
				slices.ContainsFunc(s.NotReadyAddresses, func(a corev1.EndpointAddress) bool {
					return has(other.NotReadyAddresses, a)
				})
			if twice && !apart(s.Ports, other.Ports) {
				return fmt.Errorf("subsets %v and %v list an address twice", other, s)
			}
		}
	}
	return nil
}

func sameAddress(a, b corev1.EndpointAddress) bool { return compareAddresses(a, b) == 0 }

func has(list []corev1.EndpointAddress, a corev1.EndpointAddress) bool {
	return slices.ContainsFunc(list, func(b corev1.EndpointAddress) bool { return sameAddress(a, b) })
}

// apart: ports of two lists have one name, or one has none and stands alone.
func apart(p, q []corev1.EndpointPort) bool {
	for _, a := range p {
		if a.Name == "" || slices.ContainsFunc(q, func(b corev1.EndpointPort) bool { return b.Name == a.Name }) {
			return true
		}
	}
	return len(p) == 0 || len(q) == 0 || q[0].Name == ""
}
