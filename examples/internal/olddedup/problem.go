package dedup

import (
	"errors"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Problem is something that was skipped because of a mistake, and why. The rest was used.
type Problem struct {
	// Slice is the namespace and name of the slice. It is empty if the problem is not about one
	// named slice.
	Slice types.NamespacedName
	// Reason is the kind of mistake.
	Reason ProblemReason
	// Err wraps a *field.Error: the path, the value and what to do. This package never returns a
	// Problem with a nil Err.
	//
	//   - The path is inside the slice, such as endpoints[7].addresses[0].
	//   - For a nil slice, a slice without a name, and a name that is in a list twice, the path
	//     starts with the index in the list. If the slice was an event of an Index, the path starts
	//     with "slice".
	//   - For a mistake in an option, the path starts with "options".
	Err error
}

// String returns the slice, a colon and the error, or the reason if Err is nil. Text of the slice
// that could be misread is quoted.
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

// Problems are the warnings of a call. They are nil if there are none. They are not an error,
// because the rest of the result is right: log them, and use the result.
type Problems []Problem

// String returns one line for each Problem, without a newline at the end. After twenty Problems,
// the last line is the number of the others. It is empty if there are none.
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

// ProblemReason is the kind of mistake in a Problem.
type ProblemReason string

const (
	// NoSlice: a slice is nil, or is another kind of object (Handle), or has no name or no
	// namespace, so that later events could not identify it.
	NoSlice ProblemReason = "NoSlice"
	// NoService: no label of the slice says what it belongs to.
	NoService ProblemReason = "NoService"
	// MixedServices: the options name no Service and the slices belong to several. Or the options
	// name a Service and all slices belong to other Services. Nothing was read (OnePort, Addresses,
	// Targets).
	MixedServices ProblemReason = "MixedServices"
	// SameName: a list has several slices with the same name. The newest one was read.
	SameName ProblemReason = "SameName"
	// UnknownAddressType: the slice's addressType is not IPv4, IPv6 or FQDN.
	UnknownAddressType ProblemReason = "UnknownAddressType"
	// BadAddress: the endpoint has no address, or an address that is not an IP address of the
	// slice's type, or in an FQDN slice an empty name.
	BadAddress ProblemReason = "BadAddress"
	// NoNumber: the port has no number, which discovery/v1 does not define (v1beta1: all ports).
	// See Options.KeepAnyPort and PortOptions.Else.
	NoNumber ProblemReason = "NoNumber"
	// BadNumber: the port number is not 1 to 65535, or ports with the same name and protocol have
	// different numbers. All of these ports were skipped.
	BadNumber ProblemReason = "BadNumber"
	// NoPort: some slices have endpoints, but none of these slices has the port that the options
	// name (OnePort).
	NoPort ProblemReason = "NoPort"
	// MoreAddresses: some endpoints of the slice have more than one address. Only the first was
	// read. See Options.AllAddresses.
	MoreAddresses ProblemReason = "MoreAddresses"
	// BadOption: an option or an argument is wrong, by itself or together with the others. Nothing
	// was read.
	BadOption ProblemReason = "BadOption"
)

// joined returns one error that joins a *field.Error for each mistake, and nil if there are none.
func joined(list []content.Problem) error {
	var all []error
	for _, p := range list {
		all = append(all, p.Err)
	}
	return errors.Join(all...)
}

// problemsOf returns the problems in the form that callers see.
func problemsOf(list []content.Problem) (all Problems) {
	for _, p := range list {
		all = append(all, Problem{Slice: p.Slice, Reason: ProblemReason(p.Reason), Err: p.Err})
	}
	return all
}

// addressTypeProblems returns a problem for each unknown address type.
func addressTypeProblems(list []discoveryv1.AddressType) (all []content.Problem) {
	for i, t := range list {
		if address.FamilyOf(t) == 0 {
			all = append(all, content.BadOption(field.NotSupported(field.NewPath("options", "addressTypes").Index(i),
				string(t), endpoint.AddressTypes[:])))
		}
	}
	return all
}
