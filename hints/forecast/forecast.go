package forecast

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/hints/internal/vote"
	"github.com/slicewright/slicewright/hints/routing"
)

// Source is traffic of one address type that comes from one place, such as a Node. Only the ratio of
// weights counts.
type Source struct {
	routing.Location
	Weight int64 // 0 or more
}

// Traffic is what endpoints would get.
type Traffic struct {
	// Loads has for each endpoint, in the order of the input, how far its traffic is above the mean of the
	// ready endpoints. If none is ready, the mean is that of those that serve while they terminate; if
	// there is none either, that of the last resort. Without any traffic it is -100%. A load is rounded
	// up, and within a hundredth of a percent of exact.
	Loads []hints.Overload
	// Worst is the first endpoint with the highest load, -1 if no endpoint gets traffic.
	Worst int
	// Across is the share of the served traffic that leaves the zone of its source, in hundredths of a
	// percent, rounded up. Traffic from a source or to an endpoint without a zone counts as leaving.
	Across int
	// Dropped are the indexes of the sources that no endpoint serves, in order; nil if there are none.
	Dropped []int
}

// Forecast says what each endpoint would get if every source divides its traffic evenly among the
// endpoints that [routing.Route] chooses there. The endpoints are those of one service port and address
// type, as for Route. To see an outage, leave out its endpoints, and leave out its sources or give them
// another place. To see other hints, let candidate return those.
//
// All sources send the kind of traffic that the policy is for. If that is traffic from outside and the
// policy is Local, load balancers send nothing to a Node without ready endpoints: leave these Nodes out
// of the sources.
//
// With Policy.AnyFamily, each target is used by the endpoint that a reader at an unknown place uses.
// This differs from Route only if the endpoints of one target are in several places.
//
// list and from may be nil, and are not changed. The cost is linear in both, and in hints. The
// error is made of *field.Error values: no candidate function, endpoints of several address types without
// Policy.AnyFamily, weights that are negative or add up to more than 2^40.
func Forecast[E any](list []E, candidate func(E) routing.Candidate, from []Source, policy routing.Policy) (Traffic, error) {
	if candidate == nil {
		return Traffic{}, errors.Join(field.Required(field.NewPath("candidate"),
			"give a function that reads an endpoint, such as routing.CandidatesOf returns"))
	}
	if err := validateSources(from); err != nil {
		return Traffic{}, err
	}
	candidates := make([]vote.Candidate, len(list))
	for i := range list {
		candidates[i] = vote.Candidate(candidate(list[i]))
		if candidates[i].AddressType != candidates[0].AddressType && !policy.AnyFamily {
			return Traffic{}, errors.Join(field.Invalid(field.NewPath("endpoints").Index(i), candidates[i].AddressType,
				"must be of the address type of the first endpoint: forecast address types apart, or set Policy.AnyFamily"))
		}
	}
	return newGroups(candidates, policy).send(from, len(list)), nil
}

func validateSources(from []Source) error {
	var errs []error
	left := int64(allocate.MaxTotal)
	for i, s := range from {
		path := field.NewPath("from").Index(i).Child("weight")
		if s.Weight < 0 {
			errs = append(errs, field.Invalid(path, s.Weight, "must not be negative: leave out a source that sends nothing"))
		} else if left -= s.Weight; left < 0 {
			errs = append(errs, field.Invalid(path, s.Weight, "the weights must add up to at most 2^40: only their ratio counts, so divide all of them"))
			break
		}
	}
	return errors.Join(errs...)
}

// mean is the load of an endpoint that carries its fair share. The load of an endpoint is at most 2^23
// times as much.
const mean = 1 << 40

// send divides the traffic of all sources.
func (g *groups) send(from []Source, endpoints int) Traffic {
	t := Traffic{Loads: make([]hints.Overload, endpoints), Worst: -1}
	users, total, across := make([]audience, len(from)), uint64(0), uint64(0)
	for i, s := range from {
		if users[i] = g.audience(vote.Location(s.Location)); users[i].size() == 0 {
			t.Dropped = append(t.Dropped, i)
			continue
		}
		total += uint64(s.Weight)
	}
	fair := uint64(g.all().size())
	for i, s := range from {
		k := uint64(users[i].size())
		if k == 0 || s.Weight == 0 {
			continue
		}
		part := allocate.Quotient(uint64(s.Weight)*fair, mean, total*k)
		for _, group := range users[i] {
			if group != nil {
				group.load += part
			}
		}
		across += allocate.Quotient(uint64(s.Weight)*(k-users[i].inZone(s.Zone)), mean, total*k)
	}
	for e, load := range g.loads(endpoints) {
		if t.Loads[e] = hints.Overload(hundredths(load)) - 10000; load > 0 && (t.Worst < 0 || t.Loads[e] > t.Loads[t.Worst]) {
			t.Worst = e
		}
	}
	t.Across = hundredths(across)
	return t
}

// loads adds up what the groups of each endpoint get.
func (g *groups) loads(endpoints int) []uint64 {
	loads := make([]uint64, endpoints)
	for _, group := range g.by {
		if group.load == 0 {
			continue
		}
		for _, e := range group.members {
			loads[e] += group.load
		}
	}
	return loads
}

// hundredths returns parts of the mean in hundredths of a percent, rounded up.
func hundredths(load uint64) int { return int(allocate.CeilQuotient(load, 10000, mean)) }
