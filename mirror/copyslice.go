package mirror

import (
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// CopySlice returns a copy of one slice of another cluster, network or Service. It is for callers
// that keep one slice for each source. [FromSlices] is for callers that let package slicer decide
// how many slices the endpoints of several sources need. Both treat options and endpoints in the
// same way.
//
// meta becomes the metadata of the copy, unchanged. Choose the name, for example with [CopyName],
// and use [LabelValue] for texts that may be too long for a label. The arguments are not changed,
// and the copy shares no memory with them.
//
//   - The address type is that of the slice from. With Transform, it is the type of the first
//     address that the API server accepts after the change, and endpoints of another type are
//     skipped (OtherAddressType).
//   - Ports keep their order and are copied unchanged, nil included. Ports that FromSlices would
//     skip are left out. If from has ports and none of them is left, the copy has neither ports nor
//     endpoints.
//   - Endpoints keep their order, and CopyOptions decide about them. Conditions and hostname are
//     copied unchanged, nil included. Addresses get their canonical spelling, and repeated
//     addresses of an endpoint are removed. Endpoints that are equal afterwards become one.
//   - An endpoint that the API server would refuse is skipped, because the API server would refuse
//     the whole slice.
//   - Endpoints after the first 1000 are skipped (OverLimit), because a slice cannot hold more.
//     Only EachAddress can lead to this.
//
// The Skips list what is left out, in the order of from. They are nil if nothing is left out.
// Errors are made of *field.Errors: a nil slice, an unknown address type, an invalid option, or a
// slice that has the managed-by label of meta, because copies of copies would never end. With an
// error, the other results are nil.
func CopySlice(from *discoveryv1.EndpointSlice, meta metav1.ObjectMeta,
	o CopyOptions) (*discoveryv1.EndpointSlice, []slicer.Skip, error) {
	if err := errors.Join(checkSource(from, &meta), o.validate()); err != nil {
		return nil, nil, err
	}
	c := copier{options: o, from: from, at: field.NewPath("from")}
	to := &discoveryv1.EndpointSlice{ObjectMeta: meta, AddressType: from.AddressType}
	var ok bool
	if to.Ports, ok = c.ports(); ok {
		c.fill(to)
	}
	if n := len(to.Endpoints); n > accept.MaxEndpoints {
		err := field.TooMany(c.at.Child("endpoints"), n, accept.MaxEndpoints)
		err.Detail += ": leave EachAddress off, or use FromSlices, which makes several slices"
		c.skips.add(slicer.Skip{Reason: OverLimit}, err)
		to.Endpoints = to.Endpoints[:accept.MaxEndpoints]
	}
	return to.DeepCopy(), c.skips, nil // the result shares no memory with from and meta
}

func checkSource(from *discoveryv1.EndpointSlice, meta *metav1.ObjectMeta) error {
	path := field.NewPath("from")
	if from == nil {
		return field.Required(path, "give the slice to copy")
	}
	var faults accept.Faults
	if !knownType(from.AddressType) {
		faults.Add(field.NotSupported(path.Child("addressType"), string(from.AddressType), endpoint.AddressTypes[:]))
	}
	if manager := from.Labels[discoveryv1.LabelManagedBy]; manager != "" &&
		manager == meta.Labels[discoveryv1.LabelManagedBy] {
		faults.Add(field.Forbidden(path.Child("metadata", "labels").Key(discoveryv1.LabelManagedBy),
			"is the manager of the copy too: leave out slices that you wrote yourself"))
	}
	return faults.Err()
}

// fill adds the endpoints that the API server accepts together in one slice, each of them once.
func (c *copier) fill(to *discoveryv1.EndpointSlice) {
	to.Endpoints = make([]discoveryv1.Endpoint, 0, len(c.from.Endpoints))
	copied := map[string]bool{} // by the encoding of the endpoint
	c.endpoints(func(e discoveryv1.Endpoint, index int) {
		own := c.from.AddressType
		if c.options.Transform != nil && len(e.Addresses) > 0 {
			own = endpoint.AddressType(e.Addresses[0])
		}
		if no := accept.Refuse(endpoint.OnlyIPv4(&e), &e, own, true); no != nil {
			err := no.Err(c.endpointAt(index))
			c.skip(slicer.SkipReason(no.Part), &e, err.Field, err)
			return
		}
		if len(to.Endpoints) == 0 {
			to.AddressType = own
		}
		if own != to.AddressType {
			c.skip(OtherAddressType, &e, c.endpointAt(index).String(),
				field.Invalid(c.endpointAt(index), e.Addresses[0],
					"is no "+string(to.AddressType)+
						" address as the first of the copy is: transform all endpoints to one type"))
			return
		}
		if code, err := e.Marshal(); err != nil || !copied[string(code)] {
			copied[string(code)] = true
			to.Endpoints = append(to.Endpoints, e)
		}
	})
}
