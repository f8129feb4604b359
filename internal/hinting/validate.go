package hinting

import (
	"errors"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/hinting/allocate"
	"github.com/slicewright/slicewright/internal/quote"
)

// Validate returns what is wrong with the options, or nil. The paths in the error start with path,
// which may be nil. The error consists of *field.Error values, joined by errors.Join, in the order
// mode, limit, weights. Everything is checked whatever the mode is.
func Validate(o Options, path *field.Path) error {
	var errs []error
	if !slices.Contains(modes, o.Mode) {
		errs = append(errs, accept.NotSupported(path.Child("mode"), o.Mode, "None", modes))
	}
	if o.Limit < 0 || o.Limit > 1000 {
		errs = append(errs, field.Invalid(path.Child("limit"), o.Limit,
			"must be a percentage of 1 to 1000, or 0 for no limit"))
	}
	if !o.Weights.valid() {
		errs = append(errs, o.Weights.validate(path)...)
	}
	return errors.Join(errs...)
}

// valid reports whether validate would find nothing, without sorting the zones.
func (w Weights) valid() bool {
	left := int64(allocate.MaxTotal)
	for _, weight := range w.Zones {
		if left -= weight; weight <= 0 || left < 0 {
			return false
		}
	}
	return true
}

func (w Weights) validate(path *field.Path) (errs []error) {
	left := int64(allocate.MaxTotal)
	for _, zone := range w.names() {
		at, weight := path.Child("weights", "zones").Key(quote.Text(zone)), w.Zones[zone]
		if weight <= 0 {
			errs = append(errs, field.Invalid(at, weight, "must be positive: leave out a zone that is to get nothing"))
		} else if left -= weight; left < 0 {
			errs = append(errs, field.Invalid(at, weight,
				"the weights must add up to at most 2^40: only their ratio counts, so divide all of them"))
			break
		}
	}
	return errs
}

// names returns the zones, sorted.
func (w Weights) names() []string {
	if len(w.Zones) == 0 {
		return nil
	}
	names := slices.AppendSeq(make([]string, 0, len(w.Zones)), maps.Keys(w.Zones))
	slices.Sort(names)
	return names
}
