package content

import (
	"cmp"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Problem says which slice or part of a slice was skipped, and why. All functions that read slices
// use the same words for the same problem.
type Problem struct {
	Slice  types.NamespacedName // empty if the slice has no name
	Reason string
	Err    error
	Port   *PortName // nil if the problem is not about a port
}

func problem(reason string, err *field.Error) Problem { return Problem{Reason: reason, Err: err} }

func UnknownAddressType(path *field.Path, t discoveryv1.AddressType) Problem {
	return problem("UnknownAddressType", field.NotSupported(path, string(t), endpoint.AddressTypes[:]))
}

func noAddress(path *field.Path) Problem {
	return problem("BadAddress", field.Required(path, "give the endpoint an address"))
}

func moreAddresses(path *field.Path) Problem {
	return problem("MoreAddresses", field.Forbidden(path,
		"only the first address of each endpoint is read; set Options.AllAddresses if the reader can use the others"))
}

func badAddress(path *field.Path, text string) Problem {
	must := "must be an address of the slice's type"
	if strings.Contains(text, "%") {
		must += ", without a zone (%), which only one node knows"
	}
	return problem("BadAddress", field.Invalid(path, text, must))
}

func noNumber(path *field.Path) Problem {
	return problem("NoNumber", field.Required(path,
		"set the port's number; a port without one means all ports, and is skipped"))
}

func BadNumber(path *field.Path, value any, must string) Problem {
	return problem("BadNumber", field.Invalid(path, value, must))
}

// about returns the problem with the port that it is about.
func (p Problem) about(port PortName) Problem {
	p.Port = &port
	return p
}

// InSlice returns the problem with the name of its slice.
func (p Problem) InSlice(slice types.NamespacedName) Problem {
	p.Slice = slice
	return p
}

func NilSlice(path *field.Path) Problem {
	return problem("NoSlice", field.Required(path, "give a slice, not nil"))
}

// NotASlice is the problem of an event whose object is not a slice.
func NotASlice(what string) Problem {
	return problem("NoSlice", field.Required(field.NewPath("slice"), "give an *EndpointSlice, not "+what))
}

// NilIndex is the problem that a method of a nil Index was called.
func NilIndex() Problem {
	return BadOption(field.Required(field.NewPath("index"),
		"the Index is nil: use the Index of NewIndex only if its error is nil"))
}

func Unnamed(path *field.Path, slice *discoveryv1.EndpointSlice) Problem {
	return problem("NoSlice", field.Required(path.Child("metadata"),
		"give the slice a name and a namespace")).InSlice(NameOf(slice))
}

func SameName(path *field.Path, slice *discoveryv1.EndpointSlice) Problem {
	name := NameOf(slice)
	return problem("SameName", field.Invalid(path, name.String(),
		"is in the list more than once, and only the newest is read; pass each slice once")).InSlice(name)
}

// NoService is the problem of a slice that does not have the label with the name of its Service.
func NoService(slice *discoveryv1.EndpointSlice, label string) Problem {
	return problem("NoService", field.Required(field.NewPath("metadata", "labels").Key(label),
		"name the Service that the slice belongs to")).InSlice(NameOf(slice))
}

// BadOption is the problem that an option or an argument is wrong.
func BadOption(err *field.Error) Problem { return problem("BadOption", err) }

// MixedServices is the problem of a slice in a list that belongs to another Service than others.
func MixedServices(slice, other *discoveryv1.EndpointSlice, at *field.Path) Problem {
	return problem("MixedServices", field.Invalid(at.Child("metadata"), ownerOf(slice),
		"other slices belong to "+ownerOf(other)+": pass the slices of one Service")).InSlice(NameOf(slice))
}

// ownerOf returns what the labels of a slice say that it belongs to.
func ownerOf(slice *discoveryv1.EndpointSlice) string {
	name := slice.Labels[discoveryv1.LabelServiceName]
	if imported := slice.Labels[endpoint.LabelImport]; name == "" && imported != "" {
		return "import " + quote.Name(slice.Namespace, imported)
	}
	return quote.Name(slice.Namespace, name)
}

// NoPort is the problem that no slice has a port. has is a text with the ports that slices have.
func NoPort(name PortName, has string) Problem {
	err := field.NotFound(field.NewPath("port"), name.String())
	err.Detail = "the slices have " + cmp.Or(has, "no ports")
	return problem("NoPort", err)
}
