package dedup

import (
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/words"
)

// mistakes returns what is wrong with options, under a name, nil for nothing.
func (o *Options) mistakes(name string) []*field.Error {
	if addressesWords.Known(o.Addresses) && anyPortWords.Known(o.AnyPort) && freshnessWords.Known(o.Freshness) &&
		len(o.AddressTypes) == 0 && o.Significant&^allFields == 0 {
		return nil // makes no paths
	}
	at := field.NewPath(name)
	all := unknown(nil, at.Child("addresses"), o.Addresses, addressesWords)
	all = unknown(all, at.Child("anyPort"), o.AnyPort, anyPortWords)
	all = unknown(all, at.Child("freshness"), o.Freshness, freshnessWords)
	for i, t := range o.AddressTypes {
		if _, ok := familyOf(t); !ok {
			all = append(all, field.NotSupported(at.Child("addressTypes").Index(i), t, addressTypes[:]))
		}
	}
	if o.Significant&^allFields != 0 {
		all = append(all, field.Invalid(at.Child("significant"), uint8(o.Significant), "join only the Field constants"))
	}
	return all
}

// addressTypes are those that a slice may have.
var addressTypes = [...]discoveryv1.AddressType{
	discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN,
}

func unknown[E ~uint8](all []*field.Error, path *field.Path, v E, w words.Words[E]) []*field.Error {
	if w.Known(v) {
		return all
	}
	return append(all, field.NotSupported(path, w.Text(v), w.Names))
}

// joined makes one error of mistakes, nil of none.
func joined(mistakes []*field.Error) error {
	all := make([]error, len(mistakes))
	for i, m := range mistakes {
		all[i] = m
	}
	return errors.Join(all...)
}
