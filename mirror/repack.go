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
	subsets   []int // that have the ports
	addresses []portEntry
}

// packs are packed ports by what they have in common.
type packs map[string]*packed

func (p packs) add(common any, ports ...endpoint.Port) *packed {
	key := fmt.Sprint(common)
	if p[key] == nil {
		p[key] = &packed{}
	}
	p[key].ports = append(p[key].ports, ports...)
	return p[key]
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
	bySubsets, byAddresses, of := packs{}, packs{}, map[endpoint.Port][]int{}
	subsets, first := map[int][]*endpointAddress{}, map[target]*endpointAddress{}
	for i := range g.list {
		a := &g.list[i]
		n := a.at.list / 2
		if subsets[n] == nil {
			for _, p := range g.ports.lists[a.ports] {
				if of[p] = append(of[p], n); p.AppProtocol != "" {
					bySubsets.add([]int{n}, p).subsets = []int{n}
				}
			}
		}
		subsets[n] = append(subsets[n], a)
		if t := targetOf(a); first[t] == nil {
			first[t] = a
		}
	}
	for p, list := range of {
		if p.AppProtocol == "" {
			bySubsets.add(list, p).subsets = list
		}
	}
	for _, pack := range bySubsets {
		unready := map[*endpointAddress]int{}
		for _, n := range pack.subsets {
			for _, a := range subsets[n] {
				one := first[targetOf(a)]
				unready[one] = max(unready[one], a.unready)
			}
		}
		addresses := make([]portEntry, 0, len(unready))
		for a, n := range unready {
			addresses = append(addresses, portEntry{address: a, unready: n})
		}
		slices.SortFunc(addresses, inKubernetesOrder)
		common := make([]any, len(addresses))
		for i, e := range addresses {
			common[i] = [...]int{e.address.at.list, e.address.at.index, e.unready}
		}
		byAddresses.add(common, pack.ports...).addresses = addresses
	}
	g.addPacks(byAddresses)
}

// inKubernetesOrder puts ready addresses first, then goes by the IP as text.
func inKubernetesOrder(a, b portEntry) int {
	x, y := targetOf(a.address), targetOf(b.address)
	return cmp.Or(a.unready-b.unready, strings.Compare(x.ip, y.ip), strings.Compare(string(x.uid), string(y.uid)))
}

// addPacks adds the entries of each list of ports. Of several that publish one address the last is taken.
func (g *gathering) addPacks(all packs) {
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
		for _, list := range g.ports.parts[g.ports.number(pack.ports)] {
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
