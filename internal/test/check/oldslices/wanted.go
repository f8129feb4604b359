package slices

import (
	"fmt"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// group is all accepted endpoints of one address type and port set.
type group struct {
	key         string
	addressType discoveryv1.AddressType
	ports       []discoveryv1.EndpointPort
	byUID       bool
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
	reasons  []slicer.SkipReason
}

// want sorts the wanted endpoints into groups and rejects.
func (v *view) want() {
	v.types, v.unsure = map[discoveryv1.AddressType]bool{}, map[discoveryv1.AddressType]bool{}
	only := v.in.Set.AddressTypes
	for i := range v.in.Groups {
		g := &v.in.Groups[i]
		if g.AddressType != "" {
			v.types[g.AddressType] = true
		}
		if refusedPorts(g.Ports) {
			v.skipped[fmt.Sprintf("groups[%d].ports", i)] = slicer.InvalidPorts
			for j := range g.Endpoints {
				v.unsure[v.typeOf(&g.Endpoints[j])] = true
			}
			continue
		}
		for j := range g.Endpoints {
			v.wantOne(g, &g.Endpoints[j])
		}
	}
	for _, g := range v.groups {
		if v.in.Options.ByTargetUID {
			g.useUIDs()
		}
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
		for _, s := range v.stale {
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
	if t == "" {
		t = v.typeOf(e)
	}
	key := form.GroupKey(t, g.Ports)
	reasons := v.faults(e, t)
	if only := v.in.Set.AddressTypes; len(only) > 0 && !slices.Contains(only, t) {
		reasons = append(reasons, slicer.UnwantedAddressType)
	}
	if len(reasons) > 0 {
		if t == "" {
			key = ""
		} else {
			v.unsure[t] = true
		}
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

// typeOf lets the first address decide; "" if it is neither an IP nor a domain name. With Pass any
// text may be a name.
func (v *view) typeOf(e *discoveryv1.Endpoint) discoveryv1.AddressType {
	if len(e.Addresses) == 0 {
		return ""
	}
	if ip, ok := sim.LenientIP(e.Addresses[0]); ok {
		if ip.Is4() {
			return discoveryv1.AddressTypeIPv4
		}
		return discoveryv1.AddressTypeIPv6
	}
	if v.in.Options.Invalid != slicer.Pass &&
		len(sim.AddressErrors(e.Addresses[:1], discoveryv1.AddressTypeFQDN, nil)) > 0 {
		return ""
	}
	return discoveryv1.AddressTypeFQDN
}

// faults lists why the API server would refuse a slice with this endpoint. Empty texts count as
// nil, and hints count where they are written.
func (v *view) faults(e *discoveryv1.Endpoint, t discoveryv1.AddressType) []slicer.SkipReason {
	var reasons []slicer.SkipReason
	if t == "" {
		return append(reasons, slicer.InvalidAddress, slicer.UnwantedAddressType)
	}
	if v.in.Options.Invalid == slicer.Pass {
		return nil
	}
	path := field.NewPath("endpoint")
	if len(sim.AddressErrors(e.Addresses, t, path)) > 0 {
		reasons = append(reasons, slicer.InvalidAddress)
	}
	if form.Text(e.Hostname) != "" && len(sim.HostnameErrors(e.Hostname, path)) > 0 {
		reasons = append(reasons, slicer.InvalidHostname)
	}
	if form.Text(e.NodeName) != "" && len(sim.NodeNameErrors(e.NodeName, path)) > 0 {
		reasons = append(reasons, slicer.InvalidNodeName)
	}
	if v.in.Hints.Mode == hints.Given && refusedHints(e.Hints) {
		reasons = append(reasons, slicer.InvalidHints)
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

// useUIDs makes the group go by UID if each endpoint has one of its own.
func (g *group) useUIDs() {
	seen := map[string]bool{}
	for _, e := range g.accepted {
		uid := uidOf(e)
		if uid == "" || seen[uid] {
			return
		}
		seen[uid] = true
	}
	g.byUID = true
}

// contenders are the endpoints of which one may be kept: the ready ones, or all if none is.
func (w *want) contenders() []*discoveryv1.Endpoint {
	if ready := slices.DeleteFunc(slices.Clone(w.all),
		func(e *discoveryv1.Endpoint) bool { return !form.Ready(e) }); len(ready) > 0 {
		return ready
	}
	return w.all
}

// addressID is the identity of an endpoint that Kubernetes uses.
func addressID(e *discoveryv1.Endpoint) string {
	id := strings.Join(form.CanonicalSet(e.Addresses), ",")
	if len(e.Addresses) == 0 {
		id = "no address"
	}
	id += "|" + form.Text(e.Hostname)
	if r := e.TargetRef; r != nil {
		return id + fmt.Sprintf("|%s/%s/%s", r.Kind, r.Namespace, r.Name)
	}
	return id + "|//"
}

func uidOf(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return string(e.TargetRef.UID)
}

// id is the endpoint's identity in the group; one without UID never equals one of a group that goes
// by UID.
func (g *group) id(e *discoveryv1.Endpoint) string {
	if !g.byUID {
		return addressID(e)
	}
	if uid := uidOf(e); uid != "" {
		return "uid " + uid
	}
	return "no uid " + addressID(e)
}
