package mirror

import (
	"errors"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// FromSlices says which endpoints a set of slices is to have so that it copies others: those of another cluster,
// network or Service. Set Existing of the result, the slices of the set's own namespace, and give it to slicer.Compute.
//
// set is the copy's, with all that its slices carry; ManagedBy is required. Each value of Key and Labels becomes its
// [LabelValue], so give the whole texts: two sets whose keys differ never share a slice, whoever chose the texts. Without
// Key, a Name that cannot be a label value becomes a key in the same way. Names of slices that are too long are slicer's
// affair. from is read as a reader would, in any order; nil and empty: nothing is wanted, so that the plan deletes all
// slices of the set. What the set holds beyond what is wanted goes in the same way.
//
//   - Conditions, hostname and targetRef are copied as they are, nil included.
//   - CopyOptions say what becomes of zones, nodes, hints, ports and single endpoints.
//   - A slice without ports is copied as such. One that has ports, of which none is wanted, is skipped.
//   - A slice whose managed-by label is set.ManagedBy is our own output and skipped, or it would be copied for ever.
//   - A slice of a type that set.AddressTypes leaves out is skipped.
//   - Ports that slicer would not take are skipped. Bad endpoints are left to the plan's Rejected.
//   - No empty slice is kept; clear Options.NoPlaceholder of the result where readers need one.
//
// Nothing that set and from hold is changed; the Input shares memory with both. The error is made of *field.Errors: no
// ManagedBy, a nil slice, or a bad option. With it the Input and the Report are zero.
func FromSlices(set slicer.Set, from []*discoveryv1.EndpointSlice, o CopyOptions) (slicer.Input, Report, error) {
	if err := errors.Join(checkCopy(set, from), o.validate()); err != nil {
		return slicer.Input{}, Report{}, err
	}
	set.Key, set.Labels = shortenLabels(set.Key), shortenLabels(set.Labels)
	shortenKey(&set)
	in := slicer.Input{Set: set}
	in.Options.NoPlaceholder = true
	in.Options.ExplicitConditions = true
	if o.Hints != Drop {
		in.Options.Hints.Mode = hints.Given
	}
	c := copying{set: set, options: o}
	for i, s := range from {
		if g, ok := c.group(i, s); ok {
			in.Groups = append(in.Groups, g)
			c.report.Taken += len(g.Endpoints)
		}
	}
	return in, c.report, nil
}

func checkCopy(set slicer.Set, from []*discoveryv1.EndpointSlice) error {
	var errs []error
	if set.ManagedBy == "" {
		errs = append(errs, field.Required(field.NewPath("set", "managedBy"),
			"choose a name that no other manager of EndpointSlices uses"))
	}
	for i, s := range from {
		if s == nil {
			errs = append(errs, field.Required(slicePath(i), "is nil: leave it out"))
		}
	}
	return errors.Join(errs...)
}

// copying is one call of FromSlices.
type copying struct {
	set     slicer.Set
	options CopyOptions
	report  Report
}

func (c *copying) skip(reason SkipReason, count int, err *field.Error) {
	c.report.Skipped = append(c.report.Skipped, Skip{Reason: reason, Count: count, Err: err})
}

// group is what becomes of one slice; false for nothing.
func (c *copying) group(i int, s *discoveryv1.EndpointSlice) (slicer.Group, bool) {
	at, n := slicePath(i), len(s.Endpoints)
	switch only := c.set.AddressTypes; {
	case s.Labels[discoveryv1.LabelManagedBy] == c.set.ManagedBy:
		c.skip(OwnOutput, n, field.Forbidden(at, "is managed by the copy's own manager"))
		return slicer.Group{}, false
	case !knownType(s.AddressType):
		c.skip(OtherAddressType, n, field.NotSupported(at.Child("addressType"), s.AddressType, addressTypes[:]))
		return slicer.Group{}, false
	case len(only) > 0 && !slices.Contains(only, s.AddressType) && c.options.Transform == nil:
		c.skip(OtherAddressType, n, field.NotSupported(at.Child("addressType"), s.AddressType, only))
		return slicer.Group{}, false
	}
	ports, ok := c.ports(s, at.Child("ports"))
	if !ok {
		return slicer.Group{}, false
	}
	g := slicer.Group{AddressType: s.AddressType, Ports: ports}
	if c.options.Transform != nil {
		g.AddressType = "" // each address decides
	}
	g.Endpoints = make([]discoveryv1.Endpoint, 0, n)
	for j := range s.Endpoints {
		c.endpoint(&g, s, j, at)
	}
	return g, true
}

var addressTypes = [...]discoveryv1.AddressType{
	discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN,
}

func knownType(t discoveryv1.AddressType) bool { return slices.Contains(addressTypes[:], t) }

// ports filters a slice's ports, in canonical order. It is false when there are some and none is left, unlike when there
// are none.
func (c *copying) ports(s *discoveryv1.EndpointSlice, at *field.Path) ([]discoveryv1.EndpointPort, bool) {
	type numbered struct {
		endpoint.Port
		index int
	}
	all := make([]numbered, len(s.Ports))
	for i := range s.Ports {
		all[i] = numbered{endpoint.PortOf(&s.Ports[i]), i}
	}
	slices.SortStableFunc(all, func(a, b numbered) int { return a.Port.Compare(b.Port) })
	var ports []endpoint.Port
	reason := InvalidPort // for the endpoints, when no port is left
	for _, p := range all {
		path := at.Index(p.index)
		err := refusePort(p.Port, path)
		if n := len(ports); err == nil && n > 0 && ports[n-1].Name == p.Name {
			err = field.Duplicate(path.Child("name"), p.Name)
			err.Detail = "the slice has another port of this name, which is copied: give each port a name of its own"
		}
		switch {
		case err != nil:
			c.skip(InvalidPort, 1, err)
		case c.options.Port != nil && !c.options.Port(slicePorts([]endpoint.Port{p.Port})[0]):
			reason = PortsFiltered
		default:
			ports = append(ports, p.Port)
		}
	}
	if len(ports) == 0 && len(s.Ports) > 0 {
		c.skip(reason, len(s.Endpoints), field.Invalid(at, len(s.Ports), "none of these ports is left to be published"))
		return nil, false
	}
	return slicePorts(ports), true
}

// endpoint appends what becomes of the j-th endpoint of a slice.
func (c *copying) endpoint(g *slicer.Group, s *discoveryv1.EndpointSlice, j int, at *field.Path) {
	e := s.Endpoints[j]
	if c.options.Transform != nil {
		s.Endpoints[j].DeepCopyInto(&e)
		if err := c.options.Transform(&e, s); err != nil {
			path := at.Child("endpoints").Index(j)
			c.report.Skipped = append(c.report.Skipped, Skip{Reason: Dropped, Count: 1, Cause: err,
				Err: field.Invalid(path, fmt.Sprint(s.Endpoints[j].Addresses), err.Error())})
			return
		}
	}
	e.Zone = carry(c.options.Zone, e.Zone, c.options.ZoneNames)
	e.NodeName = carry(c.options.Node, e.NodeName, c.options.NodeNames)
	e.Hints = c.hints(e.Hints)
	e.DeprecatedTopology = nil
	if !c.options.EachAddress || len(e.Addresses) < 2 {
		g.Endpoints = append(g.Endpoints, e)
		return
	}
	for k := range e.Addresses {
		one := e
		one.Addresses = e.Addresses[k : k+1 : k+1]
		g.Endpoints = append(g.Endpoints, one)
	}
}

// carry says what becomes of a zone or a node.
func carry(how Carry, value *string, names map[string]string) *string {
	switch how {
	case Keep:
		return value
	case Map:
		if name := names[text(value)]; name != "" && value != nil {
			return &name
		}
	}
	return nil
}

// hints says what becomes of hints. Two names of the source may be one here, and a hint is never there twice.
func (c *copying) hints(h *discoveryv1.EndpointHints) *discoveryv1.EndpointHints {
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
