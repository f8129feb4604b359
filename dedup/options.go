package dedup

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Options say which slices and endpoints are read. The zero value reads what kube-proxy reads.
type Options struct {
	// ServiceLabel is the label with the name of the Service. If empty, it is
	// kubernetes.io/service-name. Slices of ServiceImports have
	// multicluster.kubernetes.io/service-name. Use an Index for each label. To read fewer slices,
	// select them in the informer. OnePort uses the label only to report slices of other Services.
	ServiceLabel string
	// AddressTypes are the types that are read. If empty, IPv4 and IPv6.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses reads all addresses of an endpoint, not only the first.
	AllAddresses bool
	// AnyPort reads ports without a number as number 0. If false, such a port is a Warning.
	AnyPort bool
	// Labels are the labels of slices that Endpoint.Labels has.
	Labels []string
	// Else is for OnePort. If a slice does not have the port or its number, Else returns the number
	// to use, such as that of targetPort, or 0 to leave the slice out. It must not change the
	// slice.
	Else func(slice *discoveryv1.EndpointSlice) int32
}

// read returns the options in the form of package content, and the mistakes in them.
func (o *Options) read() (c content.Options, problems []content.Problem) {
	c = content.Options{
		Label: o.ServiceLabel, Families: address.Families(o.AddressTypes), AllAddresses: o.AllAddresses,
		AnyPort: o.AnyPort, Labels: slices.Clone(o.Labels),
	}
	path := field.NewPath("options")
	label := func(at *field.Path, key string) {
		if faults := validation.IsQualifiedName(key); len(faults) > 0 {
			problems = append(problems, content.BadOption(field.Invalid(at, key, strings.Join(faults, "; "))))
		}
	}
	if c.Label == "" {
		c.Label = discoveryv1.LabelServiceName
	} else {
		label(path.Child("serviceLabel"), c.Label)
	}
	for i, t := range o.AddressTypes {
		if address.FamilyOf(t) == 0 {
			problems = append(problems, content.BadOption(field.NotSupported(path.Child("addressTypes").Index(i),
				string(t), endpoint.AddressTypes[:])))
		}
	}
	for i, key := range o.Labels {
		label(path.Child("labels").Index(i), key)
	}
	return c, problems
}

// serviceOf returns the name of the Service that a slice belongs to, or "". Unless another label
// may say what the slice belongs to, it should have the label of the Service. missing reports that
// it has no such label.
func serviceOf(slice *discoveryv1.EndpointSlice, label string) (name string, missing bool) {
	if name = slice.Labels[label]; name != "" {
		return name, false
	}
	for key := range slice.Labels {
		if key != label && key != discoveryv1.LabelManagedBy {
			return "", false
		}
	}
	return "", true
}

// contentOf returns the content of a slice, or nil if the slice is not read: it belongs to no
// Service, and need not.
func contentOf(slice *discoveryv1.EndpointSlice, o *content.Options) *content.Slice {
	name, missing := serviceOf(slice, o.Label)
	switch {
	case name != "":
		r := content.Reader{Options: o}
		return r.Of(nil, slice, name)
	case missing:
		s := &content.Slice{API: slice, Origin: content.OriginOf(slice)}
		s.Service.Namespace = slice.Namespace
		s.Problems = []content.Problem{content.NoService(slice, o.Label)}
		return s
	default:
		return nil
	}
}
