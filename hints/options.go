package hints

import (
	"cmp"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/internal/accept"
)

// Options says how the hints of one set of slices are decided. It is plain data; nothing in it is ever changed.
type Options struct {
	// Mode says where hints come from. The zero value, None, removes all.
	Mode Mode
	// Limit is for SameZone: how many percent above the mean an endpoint may be expected to carry,
	// 1 to 1000; hints that are there stay up to 10 points more, with a limit of 50 up to 60. A
	// zone whose own endpoints would carry more, or that has none, borrows endpoints of other zones
	// that have room, and these are hinted to several zones. 0: every endpoint is hinted to its own
	// zone, whatever it then carries, as Kubernetes does. This is also done if no zone has a
	// weight; a plan then has the Skip NoWeights. In any other mode a limit does nothing, and a
	// plan has the Skip LimitUnused.
	Limit int
	// Weights say how much of the traffic each zone is expected to send. Only Proportional and SameZone with a Limit read
	// them; see [NodeWeights] for those that Kubernetes takes, or fill Weights.Zones.
	Weights Weights
	// Thresholds say how much overload of a zone's endpoints Proportional accepts.
	Thresholds Thresholds
}

// Thresholds are percents of overload: 20 means that an endpoint may get 1.2 times its fair share of the traffic, as far as
// the weights foretell it. The zero value is 20/20/20, which is what Kubernetes' topology cache does (KEP-2433's "remove at
// 30" was never built). 10/20/30 is recommended: hints of a Service whose number of endpoints or Nodes varies then neither
// come and go nor change for every Node.
//
// Give all three or none. {Stop: 30} alone is a mistake. An Aim of 0 is 0%, not the default: endpoints then leave their zone
// until all zones are even.
//
// Which thresholds apply is read from the slices: hints are on if a ready endpoint that stays has a hint for a zone.
type Thresholds struct {
	// Aim is what an allocation is made for, where that is possible: with room below Start and Stop, the next change
	// of the endpoints or weights needs no write. At most Start.
	Aim int
	// Start is the overload up to which hints are put where there are none. At least 1.
	Start int
	// Stop is the overload up to which hints that are there are kept, and above which they are removed or allocated
	// again. At least Start, at most 10000.
	Stop int
}

// withDefaults makes the zero value 20/20/20, Kubernetes' constant.
func (t Thresholds) withDefaults() Thresholds {
	return cmp.Or(t, Thresholds{Aim: 20, Start: 20, Stop: 20})
}

// Validate returns what is wrong with the options, nil if nothing is: *field.Error values joined by errors.Join, in the order mode,
// limit, thresholds, weights, with path in front of their fields (nil: none). Whatever the mode, all of it is checked: an unknown
// mode, a limit outside 0 to 1000, a weight that is negative or zero, weights that add up to more than 2^40, and thresholds other
// than 0 <= Aim <= Start <= Stop <= 10000 with a Start above 0.
func (o Options) Validate(path *field.Path) error {
	var errs []error
	if !slices.Contains(modes, o.Mode) {
		errs = append(errs, accept.NotSupported(path.Child("mode"), o.Mode, "None", modes))
	}
	if o.Limit < 0 || o.Limit > 1000 {
		errs = append(errs, field.Invalid(path.Child("limit"), o.Limit, "must be a percentage of 1 to 1000, or 0 for no limit"))
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
		errs = append(errs, field.Required(path.Child("start"), "give all three thresholds or none: up to which overload are hints put where there are none?"))
	}
	refuse(t.Stop < t.Start, "stop", t.Stop, "must be at least start, or hints would be removed as soon as they are put")
	refuse(t.Stop > 10000, "stop", t.Stop, "must be at most 10000 percent")
	return errs
}

func (w Weights) validate(path *field.Path) (errs []error) {
	left, at := int64(allocate.MaxTotal), func(zone string) *field.Path { return path.Child("weights", "zones").Key(zone) }
	for _, zone := range w.appendNames(make([]string, 0, len(w.Zones))) {
		weight := w.Zones[zone]
		if weight <= 0 {
			errs = append(errs, field.Invalid(at(zone), weight, "must be positive: leave out a zone that shall get nothing"))
		} else if left -= weight; left < 0 {
			return append(errs, field.Invalid(at(zone), weight, "the weights must add up to at most 2^40: only their ratio counts, so divide all of them"))
		}
	}
	return errs
}

// appendNames appends the zones in order.
func (w Weights) appendNames(names []string) []string {
	for zone := range w.Zones {
		names = append(names, zone)
	}
	slices.Sort(names)
	return names
}
