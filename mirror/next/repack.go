package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// repack fills the entries in the way of the control plane's own mirroring controller. Ports that
// have the same ready and the same not ready addresses make one list. An address is not ready on a
// port if one subset says so.
//
//	subsets                      lists
//	http:80            .1        http:80     .1 .2
//	http:80,https:443  .2        https:443   .2
//
// A subset without ports has noPorts as its port. noPorts is left out if other ports have the same
// addresses. A port with an appProtocol is a different port in each subset, because Kubernetes
// compares the pointers.
func (g *gathering) repack() {
	type subsetPort struct {
		endpoint.Port
		only int // the subset, if the port has an appProtocol, else 0
	}
	serving := map[subsetPort]map[*endpointAddress]int{} // 1 if the address is not ready on the port
	first := map[[2]string]*endpointAddress{}            // by IP and UID, as Kubernetes does
	for i := range g.list {
		a := &g.list[i]
		is := [2]string{a.from.IP, string(a.target().UID)}
		if first[is] == nil {
			first[is] = a
		}
		for _, p := range g.ports.lists[a.ports].ports {
			port := subsetPort{Port: p}
			if p.AppProtocol != "" {
				port.only = a.at.list / 2
			}
			if serving[port] == nil {
				serving[port] = map[*endpointAddress]int{}
			}
			serving[port][first[is]] = max(serving[port][first[is]], a.unready)
		}
	}
	ports, addresses := map[string][]endpoint.Port{}, map[string][]portEntry{} // by a text for the addresses
	for port, unready := range serving {
		entries := make([]portEntry, 0, len(unready))
		for a, n := range unready {
			entries = append(entries, portEntry{address: a, unready: n})
		}
		slices.SortFunc(entries, inKubernetesOrder)
		var positions [][3]int // the position of each address, and whether it is ready
		for _, e := range entries {
			positions = append(positions, [3]int{e.address.at.list, e.address.at.index, e.unready})
		}
		key := fmt.Sprint(positions)
		ports[key], addresses[key] = append(ports[key], port.Port), entries
	}
	g.addPacks(ports, addresses)
}

// inKubernetesOrder orders entries: ready addresses come first, and addresses that are equally
// ready are in the order of their IPs as text.
func inKubernetesOrder(a, b portEntry) int {
	return cmp.Or(a.unready-b.unready, strings.Compare(a.address.from.IP, b.address.from.IP),
		cmp.Compare(a.address.target().UID, b.address.target().UID))
}

// addPacks adds entries for each list of ports and its addresses. If several entries publish the
// same address on one list, the last one is used.
func (g *gathering) addPacks(ports map[string][]endpoint.Port, addresses map[string][]portEntry) {
	type published struct {
		list                      int32
		ip                        netip.Addr
		hostname, namespace, name string
	}
	seen := map[published]int{}
	for _, key := range slices.Sorted(maps.Keys(ports)) {
		some := ports[key]
		if len(some) > 1 {
			some = slices.DeleteFunc(some, func(p endpoint.Port) bool { return p == noPorts })
		}
		for _, list := range g.ports.lists[g.ports.number(some)].parts {
			for _, e := range addresses[key] {
				e.ports = list
				to := e.address.target()
				is := published{list, e.address.number, e.address.from.Hostname, to.Namespace, to.Name}
				if i, ok := seen[is]; ok {
					g.repeated = append(g.repeated, g.entries[i].address)
					g.entries[i] = e
					continue
				}
				seen[is] = len(g.entries)
				g.entries = append(g.entries, e)
			}
		}
	}
}
