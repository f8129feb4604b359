package mirror

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// copier copies the ports and endpoints of one slice. The copies share memory with the slice,
// except for endpoints that CopyOptions.Transform has changed.
type copier struct {
	options CopyOptions
	from    *discoveryv1.EndpointSlice
	at      *field.Path
	skips   skips
}

// endpointAt is the path of an endpoint.
func (c *copier) endpointAt(index int) *field.Path { return c.at.Child("endpoints").Index(index) }

// skip adds a Skip for an endpoint that is left out.
func (c *copier) skip(reason slicer.SkipReason, e *discoveryv1.Endpoint, path string, err error) {
	s := slicer.Skip{Reason: reason, Object: endpoint.TargetOf(e), AddressType: c.from.AddressType, Path: path,
		Err: err}
	if len(e.Addresses) > 0 {
		s.Address = e.Addresses[0]
	}
	c.skips = append(c.skips, s)
}

// ports returns the ports of the copy, in the order of the slice. If several ports have one name,
// only the first of them in canonical order is copied. ok is false if the slice has ports and the
// copy has none. ok is true if the slice has no ports.
func (c *copier) ports() (copied []discoveryv1.EndpointPort, ok bool) {
	in, at := c.from.Ports, c.at.Child("ports")
	order := make([]int, len(in))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return endpoint.PortOf(&in[a]).Compare(endpoint.PortOf(&in[b])) })
	var kept []int
	reason := InvalidPort // of the Skip for the slice if no port is left
	for _, i := range order {
		p, path := endpoint.PortOf(&in[i]), at.Index(i)
		err := accept.RefusePort(p, path)
		if n := len(kept); err == nil && n > 0 && endpoint.Text(in[kept[n-1]].Name) == p.Name {
			err = accept.Duplicate(path.Child("name"), p.Name,
				"the slice has another port of this name, which is copied: give each port a name of its own")
		}
		switch {
		case err != nil:
			c.skips.add(slicer.Skip{Reason: InvalidPort, Port: p.String()}, err)
		case c.options.Port != nil && !c.options.Port(endpoint.APIPorts([]endpoint.Port{p})[0]):
			reason = PortsFiltered
		default:
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 && len(in) > 0 {
		c.skips.add(slicer.Skip{Reason: reason}, field.Required(at, noPort(reason)))
		return in[:0:0], false
	}
	slices.Sort(kept)
	out := in[:0:0] // nil for nil
	for _, i := range kept {
		out = append(out, in[i])
	}
	return out, true
}

// noPort says why no port of a slice is copied.
func noPort(reason slicer.SkipReason) string {
	if reason == InvalidPort {
		return "the API server refuses each of these ports: correct them in the source"
	}
	return "CopyOptions.Port takes none of these ports"
}

// endpoints calls add for each endpoint of the copy, in order. index is the index of the endpoint
// in the slice.
func (c *copier) endpoints(add func(e discoveryv1.Endpoint, index int)) {
	for i := range c.from.Endpoints {
		e, ok := c.endpoint(i)
		if !ok {
			continue
		}
		if !c.options.EachAddress || len(e.Addresses) < 2 {
			e.Addresses = canonicalAddresses(e.Addresses)
			add(e, i)
			continue
		}
		for _, address := range e.Addresses {
			e.Addresses = canonicalAddresses([]string{address})
			add(e, i)
		}
	}
}

// canonicalAddresses returns the addresses of an endpoint in canonical spelling, each of them once.
// In most cases it returns the list that it got. A list with more addresses than an endpoint may
// have is returned as it is, because the endpoint will be refused.
func canonicalAddresses(list []string) []string {
	if len(list) > accept.MaxAddresses || len(list) == 1 && endpoint.Canonical(list[0]) == list[0] {
		return list
	}
	var out []string
	for _, a := range list {
		if a = endpoint.Canonical(a); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// endpoint returns the copy of the endpoint at an index. ok is false if the endpoint is skipped.
func (c *copier) endpoint(i int) (e discoveryv1.Endpoint, ok bool) {
	e = c.from.Endpoints[i]
	if c.options.Transform != nil {
		c.from.Endpoints[i].DeepCopyInto(&e)
		if err := c.options.Transform(&e, c.from); err != nil {
			c.skip(Dropped, &c.from.Endpoints[i], c.endpointAt(i).String(), err)
			return e, false
		}
	}
	e.Zone = carry(c.options.Zone, e.Zone, c.options.ZoneNames)
	e.NodeName = carry(c.options.Node, e.NodeName, c.options.NodeNames)
	e.Hints = c.hints(e.Hints)
	if to := e.TargetRef; c.options.HostnameFromPod && endpoint.Text(e.Hostname) == "" && to != nil &&
		to.Kind == "Pod" && isLabel(to.Name) {
		e.Hostname = &to.Name
	}
	if c.options.TargetRef == Drop {
		e.TargetRef = nil
	}
	for _, text := range []**string{&e.Hostname, &e.NodeName, &e.Zone} {
		if endpoint.Text(*text) == "" { // the API server refuses an empty text
			*text = nil
		}
	}
	e.DeprecatedTopology = nil
	return e, true
}

// carry returns the copy of the name of a zone or a Node, or nil if the copy has none.
func carry(how Carry, value *string, names map[string]string) *string {
	switch how {
	case Keep:
		return value
	case Map:
		if name := names[endpoint.Text(value)]; name != "" && value != nil {
			return &name
		}
	case Drop:
	}
	return nil
}

// hints returns the copy of hints. If two names of the source are mapped to the same name, the copy
// has this name once.
func (c *copier) hints(h *discoveryv1.EndpointHints) *discoveryv1.EndpointHints {
	if h == nil || c.options.Hints == Drop {
		return nil
	}
	if c.options.Hints == Keep {
		return h
	}
	var zones []discoveryv1.ForZone
	var nodes []discoveryv1.ForNode
	for _, z := range h.ForZones {
		if z.Name = c.options.ZoneNames[z.Name]; z.Name != "" && !slices.Contains(zones, z) {
			zones = append(zones, z)
		}
	}
	for _, n := range h.ForNodes {
		if n.Name = c.options.NodeNames[n.Name]; n.Name != "" && !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	return endpoint.Hints(zones, nodes)
}
