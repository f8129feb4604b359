package mirror

import (
	"errors"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// CopySlice returns a copy of one slice: that of another cluster, network or Service, for callers that keep one slice for
// each source. FromSlices is for callers that let package slicer decide how many slices the endpoints of several sources
// need; both read the options and endpoints in the same way.
//
// meta becomes the metadata of the copy, as it is: choose the name, and use [LabelValue] for texts that may be too long for
// a label. The copy shares no memory with from and meta, which are not changed.
//
//   - The address type is that of from. With Transform it is that of the first address, and endpoints of another type are
//     skipped as OtherAddressType.
//   - Ports stay in their order and as they are, nil included; ports that FromSlices would skip are left out. If from has
//     ports and none of them is left, the copy has neither ports nor endpoints.
//   - Endpoints stay in their order. CopyOptions say what becomes of them; conditions, hostname and targetRef are copied as
//     they are, nil included. CopySlice does not look for what the API server refuses in an endpoint.
//   - Endpoints beyond the 1000 that a slice may have are skipped as OverLimit, which only EachAddress can make necessary.
//
// The Report counts the endpoints of the copy, and lists what was left out. The error is made of *field.Errors: a nil slice,
// one of an unknown address type, one that has the managed-by label of meta (a copy of a copy would be copied for ever), or a
// bad option. With it the copy is nil.
func CopySlice(from *discoveryv1.EndpointSlice, meta metav1.ObjectMeta, o CopyOptions) (*discoveryv1.EndpointSlice, Report, error) {
	if err := errors.Join(checkSource(from, &meta), o.validate()); err != nil {
		return nil, Report{}, err
	}
	var report Report
	c := copier{options: o, from: from, at: field.NewPath("from"), own: true, report: &report}
	to := &discoveryv1.EndpointSlice{AddressType: from.AddressType}
	meta.DeepCopyInto(&to.ObjectMeta)
	kept, ok := c.ports()
	to.Ports = portsInPlace(from.Ports, kept)
	if !ok {
		return to, report, nil
	}
	to.Endpoints = c.endpoints()
	if o.Transform != nil {
		to.AddressType, to.Endpoints = c.oneType(to.Endpoints)
	}
	if n := len(to.Endpoints); n > maxAddresses {
		err := field.TooMany(c.at.Child("endpoints"), n, maxAddresses)
		err.Detail += ": leave EachAddress off, or use FromSlices, which makes several slices"
		c.skip(OverLimit, n-maxAddresses, err)
		to.Endpoints = slices.Clip(to.Endpoints[:maxAddresses])
	}
	report.Taken = len(to.Endpoints)
	return to, report, nil
}

func checkSource(from *discoveryv1.EndpointSlice, meta *metav1.ObjectMeta) error {
	path := field.NewPath("from")
	if from == nil {
		return field.Required(path, "give the slice to copy")
	}
	var errs []error
	if !knownType(from.AddressType) {
		errs = append(errs, field.NotSupported(path.Child("addressType"), from.AddressType, addressTypes[:]))
	}
	if manager := from.Labels[discoveryv1.LabelManagedBy]; manager != "" && manager == meta.Labels[discoveryv1.LabelManagedBy] {
		errs = append(errs, field.Forbidden(path.Child("metadata", "labels").Key(discoveryv1.LabelManagedBy),
			"is the manager of the copy too: leave out slices that you wrote yourself"))
	}
	return errors.Join(errs...)
}

// portsInPlace returns the kept ports in the order of the slice, in memory of their own; nil for nil.
func portsInPlace(ports []discoveryv1.EndpointPort, kept []keptPort) []discoveryv1.EndpointPort {
	if ports == nil {
		return nil
	}
	slices.SortFunc(kept, func(a, b keptPort) int { return a.index - b.index })
	out := make([]discoveryv1.EndpointPort, len(kept))
	for i, p := range kept {
		ports[p.index].DeepCopyInto(&out[i])
	}
	return out
}

// oneType returns the type of the first address, and the endpoints whose first address is of that type.
func (c *copier) oneType(all []discoveryv1.Endpoint) (discoveryv1.AddressType, []discoveryv1.Endpoint) {
	t, found, kept := c.from.AddressType, false, all[:0]
	for i := range all {
		e := &all[i]
		if len(e.Addresses) > 0 {
			own := endpoint.AddressType(e.Addresses[0])
			if !found {
				t, found = own, true
			}
			if own != t {
				c.skip(OtherAddressType, 1, field.Invalid(c.at.Child("endpoints"), e.Addresses[0],
					"is no "+string(t)+" address as the first of the copy is: transform all endpoints to one type"))
				continue
			}
		}
		kept = append(kept, *e)
	}
	return t, kept
}
