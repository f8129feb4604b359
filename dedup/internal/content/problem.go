package content

import (
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Problem is a part of a slice, or a slice, that was set aside. The reason is the text of a dedup.ProblemReason. Index, Merge, OnePort
// and Addresses word the same problem in the same way.
type Problem struct {
	Slice  types.NamespacedName // empty where it has no name, and while the slice is read
	Reason string
	Err    *field.Error
}

func problem(reason string, err *field.Error) Problem { return Problem{Reason: reason, Err: err} }

func UnknownAddressType(path *field.Path, t discoveryv1.AddressType) Problem {
	return problem("UnknownAddressType", field.NotSupported(path, t, endpoint.AddressTypes[:]))
}

func badAddress(path *field.Path, text string) Problem {
	must := "must be an address of the slice's type"
	if strings.Contains(text, "%") {
		must += ", without a zone (%), which only one node knows"
	}
	return problem("BadAddress", field.Invalid(path, text, must))
}

func NoNumber(path *field.Path) Problem {
	return problem("NoNumber", field.Required(path, "a port without a number means all ports, which this reader drops"))
}

func BadNumber(path *field.Path, value any, must string) Problem {
	return problem("BadNumber", field.Invalid(path, value, must))
}

// Of returns the problem as one of a slice.
func (p Problem) Of(slice types.NamespacedName) Problem {
	p.Slice = slice
	return p
}

// Equal reports whether two problems of one slice say the same.
func (p Problem) Equal(q Problem) bool { return p.Reason == q.Reason && p.Err.Error() == q.Err.Error() }

func NilSlice(path *field.Path) Problem {
	return problem("NoSlice", field.Required(path, "give a slice, not nil"))
}

// NotASlice is about something else in place of a slice.
func NotASlice(what string) Problem {
	return problem("NoSlice", field.Required(field.NewPath("slice"), "give an *EndpointSlice, not "+what))
}

// NilIndex is about a call of a method of no Index.
func NilIndex() Problem {
	return BadOption(field.Required(field.NewPath("index"), "the Index is nil: use the Index of NewIndex only if its error is nil"))
}

func Unnamed(path *field.Path, slice *discoveryv1.EndpointSlice) Problem {
	return problem("NoSlice", field.Required(path.Child("metadata"), "give the slice a name and a namespace")).Of(NameOf(slice))
}

func SameName(path *field.Path, slice *discoveryv1.EndpointSlice) Problem {
	name := NameOf(slice)
	return problem("SameName", field.Invalid(path, name.String(), "is in the list twice; the newer one counts")).Of(name)
}

// NoService is about a slice that does not say whose it is; label is the one that should, if there is one.
func NoService(metadata *field.Path, label string) Problem {
	if label != "" {
		metadata = metadata.Child("labels").Key(label)
	}
	return problem("NoService", field.Required(metadata, "name the Service that the slice belongs to"))
}

// BadOption is about an option that is a mistake of the caller's.
func BadOption(err *field.Error) Problem { return problem("BadOption", err) }
