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
	{"several-numbers", false, []string{"SeveralNumbers"}, func(c choose) step {
		name, i := one(c, []sliceName{webB, webA, webC}), c(len(addresses))
		return oddPort(name, i, addresses[i]+" with another port number", port("http", 8082))
	}},
	{"any-port", false, []string{"AnyPort"}, func(c choose) step {
		return oddPort(one(c, []sliceName{webC, webB, webA}), 1, "a port without a number", port("http", 0))
	}},
	{"unnamed-port", false, []string{"UnnamedPort"}, func(choose) step {
		return step{text: "slice api-a has a port without a name beside another one", do: func(w *world) {
			w.alter(setPorts(port("grpc", 9000), port("", 9100)), apiA)
		}}
	}},
	{"udp", false, []string{"UDP"}, func(c choose) step {
		udp := port("http", 8080)
		*udp.Protocol = corev1.ProtocolUDP
		return oddPort(one(c, []sliceName{webC, webB}), 1, "a UDP port of the same name", udp)
	}},
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

// oddPort makes a slice that has one of the Pods on a port that other slices of web do not have.
func oddPort(name sliceName, i int, what string, p discoveryv1.EndpointPort) step {
	return step{text: fmt.Sprintf("slice %s has %s", name.Name, what), do: func(w *world) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			setPorts(p)(s)
			put(s, podAt(i))
		})
	}}
}
