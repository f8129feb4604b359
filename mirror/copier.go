package mirror

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// copier says what becomes of the ports and endpoints of one slice.
type copier struct {
	options CopyOptions
	from    *discoveryv1.EndpointSlice
	at      *field.Path
	own     bool // the copy shares no memory with from
	report  *Report
}

func (c *copier) skip(reason SkipReason, count int, err *field.Error) {
	c.report.Skipped = append(c.report.Skipped, Skip{Reason: reason, Count: count, Err: err})
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
	reason := InvalidPort // for the endpoints, when no port is left
	for _, p := range all {
		path := at.Index(p.index)
		err := refusePort(p.Port, path)
		if n := len(kept); err == nil && n > 0 && kept[n-1].Name == p.Name {
			err = field.Duplicate(path.Child("name"), p.Name)
			err.Detail = "the slice has another port of this name, which is copied: give each port a name of its own"
		}
		switch {
		case err != nil:
			c.skip(InvalidPort, 1, err)
		case c.options.Port != nil && !c.options.Port(slicePorts([]endpoint.Port{p.Port})[0]):
			reason = PortsFiltered
		default:
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 && len(in) > 0 {
		c.skip(reason, len(c.from.Endpoints), field.Invalid(at, len(in), "none of these ports is left to be published"))
		return nil, false
	}
	return kept, true
}

// endpoints returns the endpoints that are copied, in their order.
func (c *copier) endpoints() []discoveryv1.Endpoint {
	out := make([]discoveryv1.Endpoint, 0, len(c.from.Endpoints))
	for i := range c.from.Endpoints {
		e, ok := c.endpoint(i)
		if !ok {
			continue
		}
		if !c.options.EachAddress || len(e.Addresses) < 2 {
			out = append(out, e)
			continue
		}
		for k := range e.Addresses {
			one := e
			one.Addresses = e.Addresses[k : k+1 : k+1]
			if c.own && k > 0 {
				one = *one.DeepCopy()
			}
			out = append(out, one)
		}
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
			path := c.at.Child("endpoints").Index(i)
			c.report.Skipped = append(c.report.Skipped, Skip{Reason: Dropped, Count: 1, Cause: err,
				Err: field.Invalid(path, fmt.Sprint(c.from.Endpoints[i].Addresses), err.Error())})
			return e, false
		}
	}
	e.Zone = carry(c.options.Zone, e.Zone, c.options.ZoneNames)
	e.NodeName = carry(c.options.Node, e.NodeName, c.options.NodeNames)
	e.Hints = c.hints(e.Hints)
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
		name := discoveryv1.ForZone{Name: c.options.ZoneNames[z.Name]}
		if name.Name != "" && !slices.Contains(mapped.ForZones, name) {
			mapped.ForZones = append(mapped.ForZones, name)
		}
	}
	for _, n := range h.ForNodes {
		name := discoveryv1.ForNode{Name: c.options.NodeNames[n.Name]}
		if name.Name != "" && !slices.Contains(mapped.ForNodes, name) {
			mapped.ForNodes = append(mapped.ForNodes, name)
		}
	}
	if len(mapped.ForZones)+len(mapped.ForNodes) == 0 {
		return nil
	}
	return mapped
}
