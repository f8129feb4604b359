package hinting

import (
	"cmp"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/quote"
)

// Options says how the hints of one set of slices are decided. No function changes it.
type Options struct {
	// Mode says where hints come from. The zero value, None, removes all hints.
	Mode Mode
	// Limit is for SameZone: the percentage above the mean that an endpoint may be expected to
	// carry, from 1 to 1000.
	//
	//   - If the endpoints of a zone would carry more, or if the zone has no endpoints, endpoints
	//     of other zones that have room are shared with it. These endpoints get hints for several
	//     zones.
	//   - Existing hints stay up to 10 percentage points above the limit. With a limit of 50, they
	//     stay up to 60.
	//   - 0 means no limit: each endpoint gets a hint for its own zone, whatever it then carries,
	//     as in Kubernetes.
	//   - If no zone has a weight, there is no limit either, and a plan has the Skip NoWeights.
	//   - In any other mode a limit does nothing, and a plan has the Skip LimitUnused.
	Limit int
	// Weights say how much of the traffic each zone is expected to send. Only Proportional and
	// SameZone with a Limit read them. [NodeWeights] returns the weights that Kubernetes uses. A
	// caller with better numbers fills in Weights.Zones.
	Weights Weights
	// Thresholds say how much overload of a zone's endpoints Proportional accepts.
	Thresholds Thresholds
}

// Thresholds are percentages of overload: 20 means that an endpoint may get 1.2 times its fair
// share of the traffic, as far as the weights predict it. The zero value is 20/20/20, which are the
// constants of Kubernetes' topology cache (the removal threshold of 30 in KEP-2433 was never
// implemented). The recommended value is 10/20/30: if the number of endpoints or Nodes varies,
// hints then do not go on and off, and do not change for each Node.
//
// Give all three or none: {Stop: 30} alone is a mistake. An Aim of 0 is 0%, not the default.
// Endpoints then leave their zone until all zones are even.
//
// Whether Start or Stop applies is read from the slices: hints are on if a ready endpoint that
// stays has a hint for a zone.
type Thresholds struct {
	// Aim is the overload that an allocation is made for, if it can be met. An aim below Start and
	// Stop leaves room, so that the next change of endpoints or weights needs no write. Aim is at
	// most Start.
	Aim int
	// Start is the overload up to which hints are set if there are none. Start is at least 1.
	Start int
	// Stop is the overload up to which existing hints are kept. Above it, they are removed or
	// allocated again. Stop is at least Start and at most 10000.
	Stop int
}

// withDefaults returns 20/20/20, the constants of Kubernetes, for the zero value.
func (t Thresholds) withDefaults() Thresholds {
	return cmp.Or(t, Thresholds{Aim: 20, Start: 20, Stop: 20})
}

// Validate returns what is wrong with the options, or nil. The paths in the error start with path,
// which may be nil. The error consists of *field.Error values, joined by errors.Join, in the order
// mode, limit, thresholds, weights. Everything is checked whatever the mode is:
//
//   - an unknown mode
//   - a limit outside of 0 to 1000
//   - thresholds other than 0 <= Aim <= Start <= Stop <= 10000, or with a Start of 0, unless all
//     three are 0
//   - a weight that is not positive, or weights that add up to more than 2^40
func (o Options) Validate(path *field.Path) error {
	var errs []error
	if !slices.Contains(modes, o.Mode) {
		errs = append(errs, accept.NotSupported(path.Child("mode"), o.Mode, "None", modes))
	}
	if o.Limit < 0 || o.Limit > 1000 {
		errs = append(errs, field.Invalid(path.Child("limit"), o.Limit,
			"must be a percentage of 1 to 1000, or 0 for no limit"))
	}
	if o.Thresholds != (Thresholds{}) {
		errs = append(errs, o.Thresholds.validate(path.Child("thresholds"))...)
	}
	if len(o.Weights.Zones) > 0 {
		errs = append(errs, o.Weights.validate(path)...)
	}
	return errors.Join(errs...)
}

func (t Thresholds) validate(path *field.Path) (errs []error) {
	refuse := func(wrong bool, name string, value int, why string) {
		if wrong {
			errs = append(errs, field.Invalid(path.Child(name), value, why))
		}
	}
	refuse(t.Aim < 0, "aim", t.Aim, "must be a percentage of 0 or more")
	refuse(t.Aim > t.Start, "aim", t.Aim, "must be at most start: aim at less overload than you accept")
	if t.Start == 0 {
		errs = append(errs, field.Required(path.Child("start"),
			"give all three thresholds or none: start is the overload up to which hints are set if there are none"))
	}
	refuse(t.Stop < t.Start, "stop", t.Stop,
		"must be at least start, or hints would be removed as soon as they are set")
	refuse(t.Stop > 10000, "stop", t.Stop, "must be at most 10000 percent")
	return errs
}

func (w Weights) validate(path *field.Path) (errs []error) {
	left := int64(allocate.MaxTotal)
	at := func(zone string) *field.Path { return path.Child("weights", "zones").Key(quote.Text(zone)) }
	for _, zone := range w.appendNames(make([]string, 0, len(w.Zones))) {
		weight := w.Zones[zone]
		if weight <= 0 {
			errs = append(errs, field.Invalid(at(zone), weight,
				"must be positive: leave out a zone that is to get nothing"))
		} else if left -= weight; left < 0 {
			return append(errs, field.Invalid(at(zone), weight,
				"the weights must add up to at most 2^40: only their ratio counts, so divide all of them"))
		}
	}
	return errs
}

// appendNames appends the zones, sorted.
func (w Weights) appendNames(names []string) []string {
	for zone := range w.Zones {
		names = append(names, zone)
	}
	slices.Sort(names)
	return names
}
