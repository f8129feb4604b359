package mirror

import (
	"errors"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/mirror/internal/source"
	"github.com/slicewright/slicewright/slicer"
)

// PlanCopy plans the writes that make the existing slices copy others: those of another cluster,
// network or Service. It is FromSlices and slicer.Compute: existing are the slices of the set's own
// namespace or only those with its Key, of every manager, and Plan.Skips says what is not copied.
func PlanCopy(set slicer.Set, from, existing []*discoveryv1.EndpointSlice, o CopyOptions) (slicer.Plan, error) {
	in, err := FromSlices(set, from, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	return slicer.Compute(in, existing)
}

// FromSlices returns the input from which slicer.Compute plans copies of slices: for callers who
// change it first.
//
// set is the copy's, with all that its slices carry; ManagedBy is required. Labels and annotations
// of from are not copied. Each value of Key and Labels becomes its [LabelValue], so give the whole
// texts, of characters that a label value may have: two sets whose keys differ never share a slice,
// even if somebody else chose the texts. Without Key, a Name that cannot be a label value becomes a
// key in the same way. Package slicer shortens names of slices.
//
// from may be in any order. nil and empty mean that nothing is wanted, so that the plan deletes all
// slices of the set; it always removes endpoints of the set that are not wanted any more.
//
//   - Conditions and hostname are copied as they are, nil included. Addresses get their canonical
//     spelling.
//   - CopyOptions say what becomes of zones, nodes, hints, targetRefs, ports and single endpoints.
//   - A slice without ports is copied as such. A slice that has ports, of which none is wanted, is
//     skipped.
//   - A slice whose managed-by label is set.ManagedBy is a copy itself. It is skipped, because
//     copies of copies would never end.
//   - A slice of a type that set.AddressTypes leaves out is skipped.
//   - Ports that slicer would not take are skipped. Bad endpoints are left to slicer.Compute, which
//     skips them.
//   - No empty slice is kept; clear Options.NoPlaceholder of the result where readers need one.
//
// Nothing that set and from hold is changed; the Input shares memory with both. The error is made
// of *field.Errors: no ManagedBy, a nil slice, or a bad option. With it the Input is zero.
func FromSlices(set slicer.Set, from []*discoveryv1.EndpointSlice, o CopyOptions) (slicer.Input, error) {
	if err := errors.Join(checkCopy(set, from), o.validate()); err != nil {
		return slicer.Input{}, err
	}
	set.Key, set.Labels = shortenLabels(set.Key), shortenLabels(set.Labels)
	shortenKey(&set)
	in := slicer.Input{Set: set}
	in.Options.NoPlaceholder = true
	in.Options.ExplicitConditions = true
	if o.Hints != Drop {
		in.Hints.Mode = hints.Given
	}
	c := copier{options: o}
	for i, s := range from {
		c.from, c.at = s, source.Path(i)
		if g, ok := c.group(&set); ok {
			in.Groups = append(in.Groups, g)
		}
	}
	in.Skips = c.skips
	return in, nil
}

func checkCopy(set slicer.Set, from []*discoveryv1.EndpointSlice) error {
	var faults accept.Faults
	if set.ManagedBy == "" {
		path := field.NewPath("set", "managedBy")
		faults.Add(field.Required(path, "choose a name that no other manager of EndpointSlices uses"))
	}
	for i, s := range from {
		if s == nil {
			faults.Add(field.Required(source.Path(i), "is nil: leave it out"))
		}
	}
	return faults.Err()
}

// group returns the group that copies one slice; false if the slice is skipped.
func (c *copier) group(set *slicer.Set) (slicer.Group, bool) {
	s, only := c.from, set.AddressTypes
	var reason slicer.SkipReason
	var err *field.Error
	switch {
	case s.Labels[discoveryv1.LabelManagedBy] == set.ManagedBy:
		reason, err = OwnOutput, field.Forbidden(c.at, "is managed by the copy's own manager")
	case !knownType(s.AddressType):
		reason = OtherAddressType
		err = field.NotSupported(c.at.Child("addressType"), string(s.AddressType), endpoint.AddressTypes[:])
	case len(only) > 0 && !slices.Contains(only, s.AddressType) && c.options.Transform == nil:
		reason = slicer.UnwantedAddressType
		err = field.NotSupported(c.at.Child("addressType"), string(s.AddressType), only)
	}
	if err != nil {
		c.skips.add(slicer.Skip{Reason: reason}, err)
		return slicer.Group{}, false
	}
	ports, ok := c.ports()
	if !ok {
		return slicer.Group{}, false
	}
	g := slicer.Group{AddressType: s.AddressType, Ports: endpoint.APIPorts(endpoint.Ports(nil, ports))}
	if c.options.Transform != nil {
		g.AddressType = "" // each address decides
	}
	g.Endpoints = make([]discoveryv1.Endpoint, 0, len(s.Endpoints))
	c.endpoints(func(e discoveryv1.Endpoint, _ int) { g.Endpoints = append(g.Endpoints, e) })
	return g, true
}

func knownType(t discoveryv1.AddressType) bool { return slices.Contains(endpoint.AddressTypes[:], t) }
