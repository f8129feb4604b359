package hints

import (
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Config says how the hints of one set of slices are decided. It is plain data; nothing in it is ever changed.
type Config struct {
	// Mode says where hints come from. The zero value, None, removes all.
	Mode Mode
	// Weights say how much of the traffic each zone is expected to send. Only Proportional reads them; see
	// [NodeWeights] for those that Kubernetes takes, or fill Weights.Zones.
	Weights Weights
	// Thresholds say how much overload of a zone's endpoints Proportional accepts.
	Thresholds Thresholds
}

// Thresholds are percents of overload: 20 means that an endpoint may get 1.2 times its fair share of the traffic, as
// far as the weights foretell it. The zero value is 20/20/20, which is what Kubernetes' topology cache does (the KEP's
// "remove at 30" was never built). 10/20/30 is recommended: a service of which the number of endpoints or Nodes varies
// then neither flaps between hints and no hints nor rewrites slices for every Node.
//
// Fill in all three or none: a 0 beside others is 0%, not the default. {Stop: 30} puts hints only where no zone is above
// its share at all, which is seldom possible, and keeps them up to 30%.
//
// Which thresholds apply is read from the slices: hints are on where a ready endpoint that stays holds a zone hint.
type Thresholds struct {
	// Aim is what an allocation is made for, where that is possible: with room below Start and Stop, the next change
	// of the endpoints or weights needs no write. At most Start.
	Aim int
	// Start is the overload up to which hints are put where there are none.
	Start int
	// Stop is the overload up to which hints that are there are kept, and above which they are removed or allocated
	// again. At least Start, at most MaxThreshold.
	Stop int
}

// MaxThreshold is the largest percentage in Thresholds.
const MaxThreshold = 10000

// MaxWeight is the largest weight of one zone.
const MaxWeight = 1 << 62

// Kubernetes' constant.
const defaultThreshold = 20

// withDefaults makes the zero value 20/20/20.
func (t Thresholds) withDefaults() Thresholds {
	if t == (Thresholds{}) {
		return Thresholds{Aim: defaultThreshold, Start: defaultThreshold, Stop: defaultThreshold}
	}
	return t
}

// Validate returns what is wrong with the configuration, nil when nothing is: *field.Error values joined by
// errors.Join, sorted by field, with path in front of their fields (nil: none). Whatever the mode, all of it is checked:
// an unknown mode, a weight that is negative, zero or above MaxWeight, and thresholds other than
// 0 <= Aim <= Start <= Stop <= MaxThreshold.
func (c Config) Validate(path *field.Path) error {
	var errs []error
	if !modeWords.Known(c.Mode) {
		errs = append(errs, field.NotSupported(path.Child("mode"), c.Mode.String(), modeWords.Names))
	}
	errs = append(errs, c.Thresholds.validate(path.Child("thresholds"))...)
	errs = append(errs, c.Weights.validate(path.Child("weights"))...)
	return errors.Join(errs...)
}

func (t Thresholds) validate(path *field.Path) []error {
	var errs []error
	if t.Aim < 0 {
		errs = append(errs, field.Invalid(path.Child("aim"), t.Aim, "must be a percentage of 0 or more"))
	}
	if t.Aim > t.Start {
		errs = append(errs, field.Invalid(path.Child("aim"), t.Aim, "must be at most start: aim at less overload than you accept"))
	}
	if t.Stop < t.Start {
		errs = append(errs, field.Invalid(path.Child("stop"), t.Stop, "must be at least start, or hints would be removed as soon as they are put"))
	}
	if t.Stop > MaxThreshold {
		errs = append(errs, field.Invalid(path.Child("stop"), t.Stop, "must be at most 10000 percent"))
	}
	return errs
}

func (w Weights) validate(path *field.Path) []error {
	var errs []error
	for _, zone := range w.names() {
		switch weight := w.Zones[zone]; {
		case weight <= 0:
			errs = append(errs, field.Invalid(path.Child("zones").Key(zone), weight, "must be positive: leave out a zone that shall get nothing"))
		case weight > MaxWeight:
			errs = append(errs, field.Invalid(path.Child("zones").Key(zone), weight, "must be at most 2^62: only the ratio of the weights counts, so divide all of them"))
		}
	}
	return errs
}

// names returns the zones in order.
func (w Weights) names() []string {
	names := make([]string, 0, len(w.Zones))
	for zone := range w.Zones {
		names = append(names, zone)
	}
	slices.Sort(names)
	return names
}
