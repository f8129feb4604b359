package content

import (
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Problem says which slice or part of a slice was skipped, and why. Reason is the text of a
// dedup.ProblemReason. All functions that read slices use the same words for the same problem.
type Problem struct {
	Slice  types.NamespacedName // empty if the slice has no name, and until InSlice fills it in
	Reason string
	Err    *field.Error
}

func problem(reason string, err *field.Error) Problem { return Problem{Reason: reason, Err: err} }

func UnknownAddressType(path *field.Path, t discoveryv1.AddressType) Problem {
	return problem("UnknownAddressType", field.NotSupported(path, string(t), endpoint.AddressTypes[:]))
}

func badAddress(path *field.Path, text string) Problem {
	must := "must be an address of the slice's type"
	if strings.Contains(text, "%") {
		must += ", without a zone (%), which only one node knows"
	}
	return problem("BadAddress", field.Invalid(path, text, must))
}

func NoNumber(path *field.Path) Problem {
	return problem("NoNumber", field.Required(path,
		"set the port's number; a port without one means all ports, and is skipped"))
}

func BadNumber(path *field.Path, value any, must string) Problem {
	return problem("BadNumber", field.Invalid(path, value, must))
}

// InSlice returns the problem with the name of its slice.
func (p Problem) InSlice(slice types.NamespacedName) Problem {
	p.Slice = slice
	return p
}

// Equal reports whether two problems of one slice are equal.
func (p Problem) Equal(q Problem) bool { return p.Reason == q.Reason && p.Err.Error() == q.Err.Error() }

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

// NoService is the problem of a slice that has no label of its Service. label is the key of that
// label, or empty if Options.Service decides.
func NoService(metadata *field.Path, label string) Problem {
	if label != "" {
		metadata = metadata.Child("labels").Key(label)
	}
	return problem("NoService", field.Required(metadata, "name the Service that the slice belongs to"))
}

// BadOption is the problem that an option or an argument is wrong.
func BadOption(err *field.Error) Problem { return problem("BadOption", err) }
