package check

import (
	"fmt"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// group is all accepted endpoints of one address type and list of ports.
type group struct {
	key         string
	addressType discoveryv1.AddressType
	ports       []discoveryv1.EndpointPort
	accepted    []*discoveryv1.Endpoint
	wanted      map[string]*want
}

// want is one identity with all endpoints that claim it.
type want struct {
	all  []*discoveryv1.Endpoint
	pick *discoveryv1.Endpoint // the one that the plan kept
}

// rejection is an endpoint that must be skipped, with the reasons that fit.
type rejection struct {
	endpoint *discoveryv1.Endpoint
	key      string // of its group; empty if its address type is not known
	reasons  []string
}

// want sorts the wanted endpoints into groups and rejects.
func (v *view) want() {
	v.types, v.unsure = map[discoveryv1.AddressType]bool{}, map[discoveryv1.AddressType]bool{}
	only := v.set.AddressTypes
	for i := range v.in.Groups {
		g := &v.in.Groups[i]
		if only := v.set.AddressTypes; len(only) > 0 && !slices.Contains(only, g.AddressType) {
			if len(g.Endpoints) > 0 {
				v.skipped[fmt.Sprintf("groups[%d].addressType", i)] = "UnwantedAddressType"
			}
			continue
		}
		v.types[g.AddressType] = true
		if refusedPorts(g.Ports) {
			v.skipped[fmt.Sprintf("groups[%d].ports", i)] = "InvalidPorts"
			continue
		}
		for j := range g.Endpoints {
			v.wantOne(g, &g.Endpoints[j].API)
		}
	}
	for _, g := range v.groups {
		g.identify()
		v.types[g.addressType] = true
	}
	slices.SortFunc(v.groups, func(a, b *group) int { return strings.Compare(a.key, b.key) })
	switch {
	case len(only) > 0:
		v.types, v.unsure = map[discoveryv1.AddressType]bool{}, nil
		for _, t := range only {
			v.types[t] = true
		}
	case len(v.in.Groups) == 0:
		for _, s := range v.live {
			v.types[s.AddressType] = true
		}
		for _, s := range v.former {
			v.unsure[s.AddressType] = true
		}
	case len(v.types) == 0: // groups that name no type say as little as no groups
		for _, s := range v.in.Existing {
			v.unsure[s.AddressType] = true
		}
	}
}

func (v *view) wantOne(g *slicer.Group, e *discoveryv1.Endpoint) {
	t := g.AddressType
	key := GroupKey(t, g.Ports)
	if reasons := v.faults(e, t); len(reasons) > 0 {
		v.rejected = append(v.rejected, rejection{e, key, reasons})
		return
	}
	have := v.byKey[key]
	if have == nil {
		have = &group{key: key, addressType: t, ports: g.Ports}
		v.byKey[key] = have
		v.groups = append(v.groups, have)
	}
	have.accepted = append(have.accepted, e)
}

// faults lists why the API server would refuse a slice with this endpoint. Empty texts count as
// nil, and hints count where they are written.
func (v *view) faults(e *discoveryv1.Endpoint, t discoveryv1.AddressType) []string {
	var reasons []string
	path := field.NewPath("endpoint")
	if len(sim.AddressErrors(e.Addresses, t, path)) > 0 {
		reasons = append(reasons, "InvalidAddress")
	}
	if Text(e.Hostname) != "" && len(sim.HostnameErrors(e.Hostname, path)) > 0 {
		reasons = append(reasons, "InvalidHostname")
	}
	if Text(e.NodeName) != "" && len(sim.NodeNameErrors(e.NodeName, path)) > 0 {
		reasons = append(reasons, "InvalidNodeName")
	}
	if v.in.Hints.Mode == hints.Given && refusedHints(e.Hints) {
		reasons = append(reasons, "InvalidHints")
	}
	return reasons
}

// refusedPorts reports whether the API server refuses ports, or a number is none.
func refusedPorts(ports []discoveryv1.EndpointPort) bool {
	return len(sim.PortErrors(ports, nil)) > 0 || slices.ContainsFunc(ports, func(p discoveryv1.EndpointPort) bool {
		return p.Port != nil && (*p.Port < 1 || *p.Port > 65535)
	})
}

// identify chooses the group's identity and joins the endpoints that share one.
func (g *group) identify() {
	g.wanted = map[string]*want{}
	for _, e := range g.accepted {
		id := g.id(e)
		if g.wanted[id] == nil {
			g.wanted[id] = &want{}
		}
		g.wanted[id].all = append(g.wanted[id].all, e)
	}
}

// contenders are the endpoints of which one may be kept: the ready ones, or all if none is.
func (w *want) contenders() []*discoveryv1.Endpoint {
	if ready := slices.DeleteFunc(slices.Clone(w.all),
		func(e *discoveryv1.Endpoint) bool { return !Ready(e) }); len(ready) > 0 {
		return ready
	}
	return w.all
}

// addressID is the identity of an endpoint that Kubernetes uses.
func addressID(e *discoveryv1.Endpoint) string {
	id := strings.Join(CanonicalSet(e.Addresses), ",")
	if len(e.Addresses) == 0 {
		id = "no address"
	}
	id += "|" + Text(e.Hostname)
	if r := e.TargetRef; r != nil {
		return id + fmt.Sprintf("|%s/%s/%s", r.Kind, r.Namespace, r.Name)
	}
	return id + "|//"
}

// id is the endpoint's identity in the group.
func (g *group) id(e *discoveryv1.Endpoint) string { return addressID(e) }
