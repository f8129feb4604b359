package mirror

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// copier says what becomes of the ports and endpoints of one slice.
type copier struct {
	options CopyOptions
	from    *discoveryv1.EndpointSlice
	at      *field.Path
	own     bool // the copy shares no memory with from
	skips   skips
}

// endpointAt is the path of an endpoint.
func (c *copier) endpointAt(index int) *field.Path { return c.at.Child("endpoints").Index(index) }

// skip leaves an endpoint out and says why.
func (c *copier) skip(reason slicer.SkipReason, e *discoveryv1.Endpoint, at *field.Path, err error) {
	s := slicer.Skip{Reason: reason, Object: endpoint.TargetOf(e), AddressType: c.from.AddressType, Path: at.String(), Err: err}
	if len(e.Addresses) > 0 {
		s.Address = e.Addresses[0]
	}
	if f := (*field.Error)(nil); errors.As(err, &f) && reason != Dropped {
		s.Path = f.Field
	}
	c.skips = append(c.skips, s)
}

// keptPort is a port that is copied, and its place in the slice.
type keptPort struct {
	endpoint.Port
	index int
}

// ports returns the ports that are copied, in canonical order. It is false when the slice has ports and none of them is
// copied, unlike when it has none.
func (c *copier) ports() ([]keptPort, bool) {
	in, at := c.from.Ports, c.at.Child("ports")
	all := make([]keptPort, len(in))
	for i := range in {
		all[i] = keptPort{endpoint.PortOf(&in[i]), i}
	}
	slices.SortStableFunc(all, func(a, b keptPort) int { return a.Port.Compare(b.Port) })
	kept := make([]keptPort, 0, len(in))
	reason := InvalidPort // for the slice, when no port is left
	for _, p := range all {
		path := at.Index(p.index)
		err := refusePort(p.Port, path)
		if n := len(kept); err == nil && n > 0 && kept[n-1].Name == p.Name {
			err = accept.Duplicate(path.Child("name"), p.Name, "the slice has another port of this name, which is copied: give each port a name of its own")
		}
		switch {
		case err != nil:
			c.skips.port(p.Port, err)
		case c.options.Port != nil && !c.options.Port(slicePorts([]endpoint.Port{p.Port})[0]):
			reason = PortsFiltered
		default:
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 && len(in) > 0 {
		c.skips.add(reason, field.Invalid(at, len(in), "none of these ports is left to be published"))
		return nil, false
	}
	return kept, true
}

// endpoints calls back for each endpoint that is copied, in their order, with its index in the slice.
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
		for k := range e.Addresses {
			one := e
			one.Addresses = canonicalAddresses(e.Addresses[k : k+1 : k+1])
			if c.own && k > 0 {
				one = *one.DeepCopy()
			}
			add(one, i)
		}
	}
}

// canonicalAddresses returns the addresses of an endpoint in canonical spelling, each of them once: the same list if that
// changes nothing, else a copy. More addresses than an endpoint may have are left as they are, because the endpoint is refused.
func canonicalAddresses(list []string) []string {
	if len(list) > accept.MaxAddresses {
		return list
	}
	var out []string
	for i, a := range list {
		canonical := endpoint.Canonical(a)
		again := slices.Contains(list[:i], canonical) || slices.Contains(out, canonical)
		if out == nil && (again || canonical != a) {
			out = slices.Clone(list[:i])
		}
		if out != nil && !again {
			out = append(out, canonical)
		}
	}
	if out == nil {
		return list
	}
	return out
}

// endpoint returns what becomes of the endpoint at an index; false for nothing.
func (c *copier) endpoint(i int) (discoveryv1.Endpoint, bool) {
	e := c.from.Endpoints[i]
	if c.own || c.options.Transform != nil {
		c.from.Endpoints[i].DeepCopyInto(&e)
	}
	if c.options.Transform != nil {
		if err := c.options.Transform(&e, c.from); err != nil {
			c.skip(Dropped, &c.from.Endpoints[i], c.endpointAt(i), err)
			return e, false
		}
	}
	e.Zone = carry(c.options.Zone, e.Zone, c.options.ZoneNames)
	e.NodeName = carry(c.options.Node, e.NodeName, c.options.NodeNames)
	e.Hints = c.hints(e.Hints)
	if c.options.HostnameFromPod && endpoint.Text(e.Hostname) == "" {
		if pod := podHostname(e.TargetRef); pod != "" {
			e.Hostname = &pod
		}
	}
	if c.options.TargetRef == Drop {
		e.TargetRef = nil
	}
	e.DeprecatedTopology = nil
	return e, true
}

// carry says what becomes of a zone or a node.
func carry(how Carry, value *string, names map[string]string) *string {
	switch how {
	case Keep:
		return value
	case Map:
		if name := names[endpoint.Text(value)]; name != "" && value != nil {
			return &name
		}
	}
	return nil
}

// podHostname returns the name of a Pod as a hostname; "" if the target is no Pod or its name is no DNS label.
func podHostname(target *corev1.ObjectReference) string {
	if target == nil || target.Kind != "Pod" || len(validation.IsDNS1123Label(target.Name)) > 0 {
		return ""
	}
	return target.Name
}

// hints says what becomes of hints. Two names of the source may be one here, and a hint is never there twice.
func (c *copier) hints(h *discoveryv1.EndpointHints) *discoveryv1.EndpointHints {
	if h == nil || c.options.Hints == Drop {
		return nil
	}
	if c.options.Hints == Keep {
		return h
	}
	mapped := &discoveryv1.EndpointHints{}
	for _, z := range h.ForZones {
		z.Name = c.options.ZoneNames[z.Name]
		mapped.ForZones = addName(mapped.ForZones, z, z.Name)
	}
	for _, n := range h.ForNodes {
		n.Name = c.options.NodeNames[n.Name]
		mapped.ForNodes = addName(mapped.ForNodes, n, n.Name)
	}
	if len(mapped.ForZones)+len(mapped.ForNodes) == 0 {
		return nil
	}
	return mapped
}

func addName[H comparable](list []H, hint H, name string) []H {
	if name == "" || slices.Contains(list, hint) {
		return list
	}
	return append(list, hint)
}
