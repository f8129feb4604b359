package dedup

import (
	"errors"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// typeMistakes returns what is wrong with options.addressTypes, nil for nothing.
func typeMistakes(types []discoveryv1.AddressType) (all []*field.Error) {
	for i, t := range types {
		if _, ok := address.FamilyOf(t); !ok {
			all = append(all, field.NotSupported(field.NewPath("options", "addressTypes").Index(i), t, content.AddressTypes))
		}
	}
	return all
}

// joined makes one error of mistakes, nil of none.
func joined(mistakes []*field.Error) error {
	all := make([]error, len(mistakes))
	for i, m := range mistakes {
		all[i] = m
	}
	return errors.Join(all...)
}
