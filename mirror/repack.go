package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// packed are ports, and the addresses that serve each of them.
type packed struct {
	ports     []endpoint.Port
	addresses []portEntry
}

// target is how Kubernetes tells addresses apart in the subsets.
type target struct {
	ip  string
	uid types.UID
}

func targetOf(a *endpointAddress) (t target) {
	if t.ip = a.from.IP; a.from.TargetRef != nil {
		t.uid = a.from.TargetRef.UID
	}
	return t
}

// repack fills the entries as the control plane's own mirroring controller deals addresses to slices: ports with the same
// addresses, each as ready on one as on the other, are one list. An address is not ready on a port if one subset says so.
//
//	subsets                      lists
//	http:80            .1        http:80     .1 .2
//	http:80,https:443  .2        https:443   .2
//
// No ports count as a port, which gives way to others with the same addresses. A port with an appProtocol is another port in
// each subset, because Kubernetes compares the pointers.
func (g *gathering) repack() {
	type subsetPort struct {
		endpoint.Port
		only int // the subset of a port with an appProtocol
	}
	serving, first := map[subsetPort]map[*endpointAddress]int{}, map[target]*endpointAddress{} // 1 for not ready
	for i := range g.list {
		a := &g.list[i]
		t := targetOf(a)
		if first[t] == nil {
			first[t] = a
		}
		for _, p := range g.ports.lists[a.ports].ports {
			port := subsetPort{Port: p}
			if p.AppProtocol != "" {
				port.only = a.at.list / 2
			}
			if serving[port] == nil {
				serving[port] = map[*endpointAddress]int{}
			}
			serving[port][first[t]] = max(serving[port][first[t]], a.unready)
		}
	}
	packs := map[string]*packed{} // by their addresses
	for port, unready := range serving {
		entries := make([]portEntry, 0, len(unready))
		for a, n := range unready {
			entries = append(entries, portEntry{address: a, unready: n})
		}
		slices.SortFunc(entries, inKubernetesOrder)
		var positions [][3]int // which addresses are there, and which of them are ready
		for _, e := range entries {
			positions = append(positions, [3]int{e.address.at.list, e.address.at.index, e.unready})
		}
		key := fmt.Sprint(positions)
		if packs[key] == nil {
			packs[key] = &packed{addresses: entries}
		}
		packs[key].ports = append(packs[key].ports, port.Port)
	}
	g.addPacks(packs)
}

// inKubernetesOrder puts ready addresses first, then goes by the IP as text.
func inKubernetesOrder(a, b portEntry) int {
	x, y := targetOf(a.address), targetOf(b.address)
	return cmp.Or(a.unready-b.unready, strings.Compare(x.ip, y.ip), strings.Compare(string(x.uid), string(y.uid)))
}

// addPacks adds the entries of each list of ports. Of several that publish one address the last is taken.
func (g *gathering) addPacks(all map[string]*packed) {
	type published struct {
		list                      int32
		ip                        netip.Addr
		hostname, namespace, name string
	}
	seen := map[published]int{}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		pack := all[key]
		if len(pack.ports) > 1 {
			pack.ports = slices.DeleteFunc(pack.ports, func(p endpoint.Port) bool { return p == noPorts })
		}
		for _, list := range g.ports.lists[g.ports.number(pack.ports)].parts {
			for _, e := range pack.addresses {
				e.ports = list
				is := published{list: list, ip: e.address.number, hostname: e.address.from.Hostname}
				if to := e.address.from.TargetRef; to != nil {
					is.namespace, is.name = to.Namespace, to.Name
				}
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
