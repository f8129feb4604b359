package dedup

import (
	"cmp"
	"errors"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
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

// String is the slice, a colon, and the error, or the reason where there is no error.
func (p Problem) String() string { return p.error().Error() }

func (p Problem) error() error {
	err := cmp.Or(p.Err, errors.New(string(p.Reason)))
	if p.Slice.Name != "" {
		err = fmt.Errorf("%s: %w", p.Slice, err)
	}
	return err
}

// Problems are what was set aside, nil for nothing. What was used is good whatever they say, so that they are a value to
// look at and not an error to return for.
type Problems []Problem

// Err returns the first twenty problems as one error that joins them and says how many more there are, for a log or for a caller who
// takes no problem; nil if there are none. Each wraps its *field.Error.
func (p Problems) Err() error {
	const most = 20
	var all []error
	for i := range p[:min(len(p), most)] {
		all = append(all, p[i].error())
	}
	if len(p) > most {
		all = append(all, fmt.Errorf("and %d more that were set aside: the Problems have them all", len(p)-most))
	}
	return errors.Join(all...)
}

// ProblemReason says why something was set aside.
type ProblemReason string

const (
	// NoSlice: a nil pointer in place of a slice, an object that is none (Handle), or a slice without name or namespace, to which
	// no later event could refer.
	NoSlice ProblemReason = "NoSlice"
	// NoService: the slice does not say whose it is.
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
	// NoPort: slices have endpoints, and none of them has the port that was asked for (OnePort); or a slice has endpoints and no
	// ports, so that they are behind no service port (Index, Merge; see Options.AllPorts).
	NoPort ProblemReason = "NoPort"
	// MoreAddresses: endpoints of the slice have addresses beyond the first, which are not read (see Options.AllAddresses).
	MoreAddresses ProblemReason = "MoreAddresses"
	// BadOption: an option has a value that has no meaning, alone or beside the others, so that nothing was read.
	BadOption ProblemReason = "BadOption"
)

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
