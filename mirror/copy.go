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

// PlanCopy returns the writes that make the existing slices copies of other slices, such as slices
// of another cluster, network or Service. It calls [FromSlices] and slicer.Compute. existing are
// all slices of the set's namespace, of any manager. The slices that have the labels of the set's
// Key suffice. Plan.Skips lists what is not copied.
func PlanCopy(set slicer.Set, from, existing []*discoveryv1.EndpointSlice, o CopyOptions) (slicer.Plan, error) {
	in, err := FromSlices(set, from, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	return slicer.Compute(in, existing)
}

// FromSlices returns the Input of [PlanCopy], for callers that change it before they call
// slicer.Compute.
//
// set describes the copies. Its ManagedBy is required. Labels and annotations of from are not
// copied. Each value of Key and Labels is replaced by its [LabelValue], so the values may be longer
// than a label value, but may contain only its characters. Two sets with different Keys never share
// a slice, even if users choose the values of the labels in Key. If Key is empty, it is
// kubernetes.io/service-name with LabelValue(Name). Set.Name may be long, because package slicer
// shortens it for the names of slices.
//
// from may be in any order. If it is nil or empty, the plan deletes all slices of the set.
// Endpoints that no slice of from has are removed from the slices of the set, and there is no
// option to keep them.
//
//   - Conditions and hostname are copied unchanged, nil included. Addresses get their canonical
//     spelling.
//   - CopyOptions decide about zones, nodes, hints, targetRefs, ports and single endpoints.
//   - A slice without ports is copied without ports. If a slice has ports and none of them is
//     copied, the slice is skipped.
//   - A slice whose managed-by label is set.ManagedBy is skipped, because it is a copy itself, and
//     copies of copies would never end.
//   - A slice whose type is not in set.AddressTypes is skipped.
//   - Ports that slicer.Compute would refuse are skipped. Invalid endpoints are left in the Input,
//     and slicer.Compute skips them.
//   - No empty slice is kept. If readers need one, clear Options.NoPlaceholder of the result.
//
// The arguments are not changed, and the Input shares memory with set and from. Errors are made of
// *field.Errors: no ManagedBy, a nil slice, or an invalid option. With an error the Input is zero.
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

// group returns the group of the copies of one slice's endpoints. ok is false if the slice is
// skipped.
func (c *copier) group(set *slicer.Set) (g slicer.Group, ok bool) {
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
	g = slicer.Group{AddressType: s.AddressType, Ports: endpoint.APIPorts(endpoint.Ports(nil, ports))}
	if c.options.Transform != nil {
		g.AddressType = "" // the type of each address decides
	}
	g.Endpoints = make([]discoveryv1.Endpoint, 0, len(s.Endpoints))
	c.endpoints(func(e discoveryv1.Endpoint, _ int) { g.Endpoints = append(g.Endpoints, e) })
	return g, true
}

func knownType(t discoveryv1.AddressType) bool { return slices.Contains(endpoint.AddressTypes[:], t) }
