package gen

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer/services"
)

// PerFamily draws what becomes of several addresses of one family.
func PerFamily(t *rapid.T) services.PerFamily {
	return pick(t, "per family", services.EachAddress, services.FirstAddress, services.JoinedAddresses)
}

// Backend draws the i-th Backend: its name and most of its addresses are its own. Few values of
// everything make Backends meet.
func Backend(t *rapid.T, i int) services.Backend {
	b := services.Backend{
		Name: fmt.Sprint("vm-", i), Ready: !chance(t, 3, "unready"), Terminating: chance(t, 6, "terminating"),
		Node: pick(t, "node", "node-a", "node-b", ""), Zone: pick(t, "zone", "zone-a", "zone-b", ""),
		Hostname: pick(t, "hostname", "", "h", "h2"), Subdomain: pick(t, "subdomain", "", Name, "db"),
	}
	if chance(t, 12, "refused") {
		b.Node = pick(t, "refused node", "Node", "node-a")
		b.Zone = pick(t, "refused zone", "a zone", "zone-a")
		b.Hostname = pick(t, "refused hostname", "Bad_Name", "h")
	}
	of := []string{
		fmt.Sprint("10.0.0.", i), fmt.Sprint("10.0.0.", i), fmt.Sprint("10.0.1.", i), fmt.Sprint("10.0.2.", i),
		fmt.Sprint("fd00::", i), fmt.Sprint("FD00:0::", i), fmt.Sprint("fd01::", i), fmt.Sprint("fd02::", i),
		"10.0.0.99", "fd00::99", pick(t, "refused address", "127.0.0.1", "fe80::1", "no-ip", "010.0.0.1"),
	}
	for range rapid.IntRange(0, 4).Draw(t, "addresses") {
		b.Addresses = append(b.Addresses, pick(t, "address", of...))
	}
	if !chance(t, 3, "no time") {
		b.Changed = pick(t, "changed", clock(1), clock(2))
	}
	if !chance(t, 3, "no target") {
		b.TargetRef = corev1.ObjectReference{APIVersion: "v2", Kind: "VM", Namespace: Namespace, Name: b.Name,
			UID: "vm"}
	}
	for range rapid.IntRange(0, 2).Draw(t, "declared") {
		b.Ports = append(b.Ports, services.BackendPort{
			Name:     pick(t, "port", "http", "dns", ""),
			Protocol: pick(t, "protocol", "", corev1.ProtocolTCP, corev1.ProtocolUDP),
			Port:     pick(t, "number", int32(8080), 8081, 0, 70000),
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "numbers") {
		if b.PortNumbers == nil {
			b.PortNumbers = map[string]int32{}
		}
		b.PortNumbers[pick(t, "number of", "p0", "p1", "p9")] = pick(t, "given", int32(8080), 9090, 0)
	}
	return b
}

// Copy returns a Backend that shares no memory with b.
func Copy(b services.Backend) services.Backend {
	b.Addresses = slices.Clone(b.Addresses)
	b.Ports = slices.Clone(b.Ports)
	b.PortNumbers = maps.Clone(b.PortNumbers)
	return b
}
