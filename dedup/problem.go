package dedup

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Problem is something that was set aside so that the rest could be used.
type Problem struct {
	// Slice is the slice's namespace and name; empty where it has none.
	Slice  types.NamespacedName
	Reason ProblemReason
	// Err has the path inside the slice (endpoints[7].addresses[0]), the value and what to do about it. The path of a
	// nil slice or one without a name is its place in the list, or "slice" for Upsert; that of a bad option starts with
	// "options".
	Err *field.Error
}

// String is the slice, a colon, and the error, or the reason where there is no error.
func (p Problem) String() string {
	what := p.Reason.String()
	if p.Err != nil {
		what = p.Err.Error()
	}
	if p.Slice.Name == "" {
		return what
	}
	return p.Slice.String() + ": " + what
}

// ProblemReason says why something was set aside.
type ProblemReason uint8

const (
	// NilSlice: a nil pointer in place of a slice.
	NilSlice ProblemReason = iota
	// NoName: the slice has no name or no namespace, so that no later event could refer to it.
	NoName
	// NoService: the slice does not say whose it is.
	NoService
	// SameName: a list holds several slices of one name; the newest counts.
	SameName
	// UnknownAddressType: the slice is neither IPv4 nor IPv6 nor FQDN.
	UnknownAddressType
	// NoAddress: the endpoint has no address.
	NoAddress
	// BadAddress: the address is no IP, or an empty name.
	BadAddress
	// WrongFamily: the address is an IP of the other family.
	WrongFamily
	// NoNumber: the port has no number, which means all ports (DropAnyPort).
	NoNumber
	// BadNumber: the port's number is not 1 to 65535.
	BadNumber
	// SamePort: several ports of one name and protocol with different numbers; none of them counts.
	SamePort
	// BadOption: an option has a value that this version does not know, so that nothing was read.
	BadOption
)
