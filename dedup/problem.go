package dedup

import (
	"errors"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Problem is something that was set aside so that the rest could be used.
type Problem struct {
	// Slice is the slice's namespace and name; empty where it has none.
	Slice types.NamespacedName
	// Reason says why it was set aside.
	Reason ProblemReason
	// Err is never nil in a Problem of this package, and wraps a *field.Error: the path inside the slice, such as
	// endpoints[7].addresses[0], the value and what to do about it. The path of a nil slice or of one without a name is its
	// index in the list, or "slice" for Upsert; that of a bad option starts with "options".
	Err error
}

// String is the slice, a colon, and the error, or the reason if there is no error. Text that comes from the slice is quoted if it
// would be misread.
func (p Problem) String() string {
	text := string(p.Reason)
	if p.Err != nil {
		text = p.Err.Error()
	}
	if p.Slice.Name != "" {
		text = quote.Name(p.Slice.Namespace, p.Slice.Name) + ": " + text
	}
	return text
}

// Problems are what was set aside, nil for nothing. What was used is good whatever they say, so they are a list of warnings and no
// error: log them, and use the result.
type Problems []Problem

// String is one line for each Problem, without a newline at the end. After twenty Problems, the last line is the number of the
// others. It is empty if there are none.
func (p Problems) String() string {
	const most = 20
	var lines []string
	for _, problem := range p[:min(len(p), most)] {
		lines = append(lines, problem.String())
	}
	if len(p) > most {
		lines = append(lines, fmt.Sprintf("and %d more: the Problems list all", len(p)-most))
	}
	return strings.Join(lines, "\n")
}

// ProblemReason says why something was set aside.
type ProblemReason string

const (
	// NoSlice: a nil pointer in place of a slice, an object that is none (Handle), or a slice without name or namespace, to which
	// no later event could refer.
	NoSlice ProblemReason = "NoSlice"
	// NoService: no label says what the slice belongs to.
	NoService ProblemReason = "NoService"
	// MixedServices: no Service is named, and the slices that were given belong to several; or one is named, and all slices
	// belong to others. Nothing was read (OnePort, Addresses).
	MixedServices ProblemReason = "MixedServices"
	// SameName: a list holds several slices of one name; the newest counts.
	SameName ProblemReason = "SameName"
	// UnknownAddressType: the slice is neither IPv4 nor IPv6 nor FQDN.
	UnknownAddressType ProblemReason = "UnknownAddressType"
	// BadAddress: the endpoint has no address, or one that is no IP of the slice's type, or an empty name.
	BadAddress ProblemReason = "BadAddress"
	// NoNumber: the port has no number, which means all ports (see Options.KeepAnyPort).
	NoNumber ProblemReason = "NoNumber"
	// BadNumber: the port's number is not 1 to 65535, or several ports of one name and protocol have different numbers; none of
	// them counts.
	BadNumber ProblemReason = "BadNumber"
	// NoPort: slices have endpoints, and none of them has the port that was asked for (OnePort).
	NoPort ProblemReason = "NoPort"
	// MoreAddresses: endpoints of the slice have addresses beyond the first, which are not read (see Options.AllAddresses).
	MoreAddresses ProblemReason = "MoreAddresses"
	// BadOption: an option has a value that has no meaning, alone or beside the others, so that nothing was read.
	BadOption ProblemReason = "BadOption"
)

// joined is mistakes as one error, each of them a *field.Error; nil if there are none.
func joined(list []content.Problem) error {
	var all []error
	for _, p := range list {
		all = append(all, p.Err)
	}
	return errors.Join(all...)
}

// problemsOf makes Problems of what the packages below have found.
func problemsOf(list []content.Problem) (all Problems) {
	for _, p := range list {
		all = append(all, Problem{Slice: p.Slice, Reason: ProblemReason(p.Reason), Err: p.Err})
	}
	return all
}

// addressTypeProblems names the address types that this version does not know.
func addressTypeProblems(types []discoveryv1.AddressType) (all []content.Problem) {
	for i, t := range types {
		if address.FamilyOf(t) == 0 {
			all = append(all, content.BadOption(field.NotSupported(field.NewPath("options", "addressTypes").Index(i), t, endpoint.AddressTypes[:])))
		}
	}
	return all
}
