package deduptest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// portKinds are steps in which ports change.
var portKinds = []kind{
	{"port-number", false, []string{"SeveralNumbers"}, func(c choose) step { return ported(c, "the port number of web changes", port("http", 9090)) }},
	{"port-name", false, nil, func(c choose) step { return ported(c, "the port of web gets another name", port("web", 8080)) }},
	{"second-port", false, nil, func(c choose) step {
		return ported(c, "web gets a second port", port("http", 8080), port("admin", 8443))
	}},
	{"no-ports", false, nil, func(c choose) step { return ported(c, "web loses its ports") }},
	{"several-numbers", false, []string{"SeveralNumbers"}, renumbered},
	{"any-port", false, []string{"AnyPort"}, unnumbered},
	{"unnamed-port", false, []string{"UnnamedPort"}, func(choose) step {
		return step{text: "slice api-a has a port without a name beside another one", do: func(w *world) {
			w.alter(setPorts(port("grpc", 9000), port("", 9100)), apiA)
		}}
	}},
	{"udp", false, []string{"UDP"}, datagrams},
}

// ported changes all slices of web, one after the other.
func ported(c choose, text string, ports ...discoveryv1.EndpointPort) step {
	turn := c(len(webSlices))
	return step{text: text, do: func(w *world) {
		w.alter(setPorts(ports...), slices.Concat(webSlices[turn:], webSlices[:turn], []sliceName{web6, web7})...)
	}}
}

func setPorts(ports ...discoveryv1.EndpointPort) func(*discoveryv1.EndpointSlice) {
	return func(s *discoveryv1.EndpointSlice) {
		s.Ports = nil
		for i := range ports {
			s.Ports = append(s.Ports, *ports[i].DeepCopy())
		}
	}
}

// renumbered makes a slice whose port of one name has another number, with an address that has both.
func renumbered(c choose) step {
	name := one(c, []sliceName{webB, webA, webC})
	i := c(len(addresses))
	return step{text: fmt.Sprintf("slice %s has %s with another port number", name.Name, addresses[i]), do: func(w *world) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			setPorts(port("http", 8082))(s)
			put(s, podAt(i))
		})
	}}
}

func unnumbered(c choose) step {
	name := one(c, []sliceName{webC, webB, webA})
	return step{text: fmt.Sprintf("slice %s has a port without a number", name.Name), do: func(w *world) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			setPorts(port("http", 0))(s)
			s.Ports[0].Port = nil
			put(s, podAt(1))
		})
	}}
}

func datagrams(c choose) step {
	name := one(c, []sliceName{webC, webB})
	return step{text: fmt.Sprintf("slice %s has a UDP port of the same name", name.Name), do: func(w *world) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			setPorts(port("http", 8080))(s)
			*s.Ports[0].Protocol = corev1.ProtocolUDP
			put(s, podAt(1))
		})
	}}
}
