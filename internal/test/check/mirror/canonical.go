package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// servedPort is a port that an address serves; the zero value is serving without ports.
type servedPort struct {
	name     string
	protocol corev1.Protocol
	number   int32
	app      string
}

// server is an address with all that Endpoints say about it.
type server struct {
	ip      netip.Addr
	address corev1.EndpointAddress // the best of those listed
	best    string
	ready   map[servedPort]bool
}

// CanonicalSubsets says what subsets mean, in the one form that package mirror documents: each address once in the
// subset of all ports on which it is ready, and once in that of all on which it is not. It is written down without a
// thought of speed. Bad addresses and ports are left out.
func CanonicalSubsets(subsets []corev1.EndpointSubset, addressType discoveryv1.AddressType) []corev1.EndpointSubset {
	servers := map[string]*server{}
	for _, s := range subsets {
		ports := goodPorts(s.Ports)
		for _, a := range s.Addresses {
			serve(servers, a, ports, true, addressType)
		}
		for _, a := range s.NotReadyAddresses {
			serve(servers, a, ports, false, addressType)
		}
	}
	var all []*server
	for _, s := range servers {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *server) int {
		return cmp.Or(a.ip.Compare(b.ip), compareIDs(a.address, b.address))
	})
	listed := map[string]*corev1.EndpointSubset{}
	for _, s := range all {
		for _, ready := range []bool{true, false} {
			for _, ports := range portLists(s.ready, ready) {
				id := fmt.Sprintf("%q", ports)
				if listed[id] == nil {
					listed[id] = &corev1.EndpointSubset{Ports: endpointsPorts(ports)}
				}
				if ready {
					listed[id].Addresses = append(listed[id].Addresses, s.address)
				} else {
					listed[id].NotReadyAddresses = append(listed[id].NotReadyAddresses, s.address)
				}
			}
		}
	}
	var out []corev1.EndpointSubset
	for _, s := range listed {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b corev1.EndpointSubset) int {
		return slices.CompareFunc(a.Ports, b.Ports, func(p, q corev1.EndpointPort) int { return comparePorts(serves(p), serves(q)) })
	})
	return out
}

// goodPorts is nil when there are ports but no good one.
func goodPorts(ports []corev1.EndpointPort) []servedPort {
	if len(ports) == 0 {
		return []servedPort{{}}
	}
	var good []servedPort
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
	s := servedPort{p.Name, p.Protocol, p.Port, form.Text(p.AppProtocol)}
	if s.protocol == "" {
		s.protocol = corev1.ProtocolTCP
	}
	return s
}

func serve(servers map[string]*server, a corev1.EndpointAddress, ports []servedPort, ready bool, t discoveryv1.AddressType) {
	ip, ok := sim.LenientIP(a.IP)
	if !ok || len(ports) == 0 || len(sim.AddressErrors([]string{ip.String()}, t, nil)) > 0 {
		return
	}
	a.IP = ip.String()
	if a.NodeName != nil && *a.NodeName == "" {
		a.NodeName = nil
	}
	ref := corev1.ObjectReference{}
	if a.TargetRef != nil {
		ref = *a.TargetRef
	}
	id := fmt.Sprintf("%s %q %v %q %q %q", ip, a.Hostname, a.TargetRef != nil, ref.Kind, ref.Namespace, ref.Name)
	content := fmt.Sprintf("%v %q %q %q %q %q", !ready, form.Text(a.NodeName), ref.UID, ref.APIVersion, ref.FieldPath, ref.ResourceVersion)
	s := servers[id]
	if s == nil {
		s = &server{ip: ip, ready: map[servedPort]bool{}}
		servers[id] = s
	}
	if s.best == "" || content < s.best {
		s.best, s.address = content, a
	}
	for _, p := range ports {
		s.ready[p] = s.ready[p] || ready
	}
}

func compareIDs(a, b corev1.EndpointAddress) int {
	parts := func(a corev1.EndpointAddress) []string {
		if a.TargetRef == nil {
			return []string{a.Hostname}
		}
		return []string{a.Hostname, a.TargetRef.Kind, a.TargetRef.Namespace, a.TargetRef.Name}
	}
	return slices.Compare(parts(a), parts(b))
}

func comparePorts(p, q servedPort) int {
	return cmp.Or(strings.Compare(p.name, q.name), strings.Compare(string(p.protocol), string(q.protocol)),
		cmp.Compare(p.number, q.number), strings.Compare(p.app, q.app))
}

// portLists deals the ports that are ready, or those that are not, to lists: the n-th of a name to the n-th list, and
// each one without a name to a list of its own.
func portLists(ready map[servedPort]bool, wanted bool) [][]servedPort {
	byName := map[string][]servedPort{}
	for p, r := range ready {
		if r == wanted {
			byName[p.name] = append(byName[p.name], p)
		}
	}
	var lists [][]servedPort
	for n := 0; ; n++ {
		var list []servedPort
		for name, ports := range byName {
			slices.SortFunc(ports, comparePorts)
			if name != "" && n < len(ports) {
				list = append(list, ports[n])
			}
		}
		if len(list) == 0 {
			break
		}
		slices.SortFunc(list, comparePorts)
		lists = append(lists, list)
	}
	for _, p := range byName[""] {
		if p == (servedPort{}) {
			lists = append(lists, nil)
		} else {
			lists = append(lists, []servedPort{p})
		}
	}
	return lists
}

func endpointsPorts(ports []servedPort) []corev1.EndpointPort {
	var out []corev1.EndpointPort
	for _, p := range ports {
		port := corev1.EndpointPort{Name: p.name, Protocol: p.protocol, Port: p.number}
		if p.app != "" {
			port.AppProtocol = &p.app
		}
		out = append(out, port)
	}
	return out
}
