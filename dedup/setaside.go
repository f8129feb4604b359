package dedup

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What is said of things that are set aside, the same behind every door. Paths are those of the things.

func nilSlice(path *field.Path) Problem {
	return Problem{Reason: NilSlice, Err: field.Required(path, "give a slice, not nil")}
}

func sameName(path *field.Path, slice *discoveryv1.EndpointSlice) Problem {
	name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
	return Problem{
		Slice: name, Reason: SameName,
		Err: field.Invalid(path, name.String(), "is in the list twice; the newer one counts"),
	}
}

func unknownAddressType(path *field.Path, slice *discoveryv1.EndpointSlice) *field.Error {
	return field.NotSupported(path, slice.AddressType, addressTypes[:])
}

func noAddress(endpoint *field.Path) *field.Error {
	return field.Required(endpoint.Child("addresses"), "give the endpoint an address")
}

// hasMoreAddresses reports whether an endpoint of the slice has more than one address.
func hasMoreAddresses(slice *discoveryv1.EndpointSlice) bool {
	for i := range slice.Endpoints {
		if len(slice.Endpoints[i].Addresses) > 1 {
			return true
		}
	}
	return false
}

// moreAddresses is said once of a slice, whichever of its endpoints have more: endpoints may come and go without news.
func moreAddresses(endpoints *field.Path) *field.Error {
	return field.Forbidden(endpoints, "only the first address of each is read; set AllAddresses for a reader that can use the others")
}

func badAddress(endpoint *field.Path, index int, address string) *field.Error {
	return field.Invalid(endpoint.Child("addresses").Index(index), address, "must be an address of the slice's type")
}

func noNumber(path *field.Path) *field.Error {
	return field.Required(path, "a port without a number means all ports, which this reader drops")
}

func optionProblems(mistakes []*field.Error) Problems {
	problems := make(Problems, len(mistakes))
	for i, m := range mistakes {
		problems[i] = Problem{Reason: BadOption, Err: m}
	}
	return problems
}
