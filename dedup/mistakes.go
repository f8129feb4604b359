package dedup

import (
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// typeMistakes returns what is wrong with options.addressTypes, nil for nothing.
func typeMistakes(types []discoveryv1.AddressType) (all []*field.Error) {
	for i, t := range types {
		if _, ok := familyOf(t); !ok {
			all = append(all, field.NotSupported(field.NewPath("options", "addressTypes").Index(i), t, addressTypes[:]))
		}
	}
	return all
}

// addressTypes are those that a slice may have.
var addressTypes = [...]discoveryv1.AddressType{
	discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN,
}

// joined makes one error of mistakes, nil of none.
func joined(mistakes []*field.Error) error {
	all := make([]error, len(mistakes))
	for i, m := range mistakes {
		all[i] = m
	}
	return errors.Join(all...)
}
