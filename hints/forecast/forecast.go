package forecast

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints/internal/vote"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// Source is traffic of one address type that comes from one place, such as a Node. Only the ratio
// of weights counts.
type Source struct {
	routing.Location
	Weight int64 // 0 or more
}

// Traffic is what endpoints would get, as [Forecast] computes it.
type Traffic struct {
	// Loads says, for each endpoint in the order of the input, how far its traffic is above the
	// mean. The mean is taken over the ready endpoints. If there are none, it is taken over the
	// endpoints that serve while they terminate, and if there are none of these either, over the
	// unready endpoints (Policy.LastResort). An endpoint without any traffic has -100%. A load is
	// rounded up, and is within a hundredth of a percent of the exact value.
	Loads []Overload
	// Worst is the index of the first endpoint with the highest load, or -1 if no endpoint gets
	// traffic.
	Worst int
	// Across is the share of the served traffic that leaves the zone of its source, in hundredths
	// of a percent, rounded up. Traffic from a source without a zone, or to an endpoint without a
	// zone, counts as leaving.
	Across int
	// Dropped has the indexes of the sources that no endpoint serves, in order. It is nil if there
	// are none.
	Dropped []int
}

// Forecast returns what each endpoint would get if each source divides its traffic evenly among the
// endpoints that [routing.Route] chooses for it. As for Route, pass the endpoints of one service
// port and address type.
//
//   - To see the outage of a zone, leave out the zone's endpoints. Leave out the sources in the
//     zone as well, or give them another place.
//   - To see the effect of other hints, return those hints from candidate.
//
// policy describes the traffic of all sources. If that traffic comes from outside the cluster and
// the policy is Local, leave Nodes without ready endpoints out of the sources, because load
// balancers send nothing to them.
//
// With Policy.AnyFamily, one endpoint of each target is chosen without regard to the place of the
// source, as for a reader whose place is not known. So the endpoints may differ from those that
// Route chooses, but only if the endpoints of one target are in several places.
//
// list and from may be nil, and are not changed. The time is linear in endpoints, sources and
// hints. The error consists of *field.Error values, in these cases: candidate is nil; the endpoints
// have several address types without Policy.AnyFamily; a weight is negative; the weights add up to
// more than 2^40.
func Forecast[E any](
	list []E, candidate func(E) routing.Candidate, from []Source, policy routing.Policy,
) (Traffic, error) {
	if candidate == nil {
		return Traffic{}, errors.Join(field.Required(field.NewPath("candidate"),
			"give a function that makes a Candidate of an endpoint, such as routing.CandidatesOf returns"))
	}
	if err := validateSources(from); err != nil {
		return Traffic{}, err
	}
	candidates := make([]vote.Candidate, len(list))
	for i := range list {
		candidates[i] = vote.Candidate(candidate(list[i]))
		if candidates[i].AddressType != candidates[0].AddressType && !policy.AnyFamily {
			path := field.NewPath("endpoints").Index(i)
			return Traffic{}, errors.Join(field.Invalid(path, candidates[i].AddressType,
				"must be of the address type of the first endpoint: "+
					"call Forecast for each address type, or set Policy.AnyFamily"))
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
			errs = append(errs, field.Invalid(path, s.Weight,
				"must not be negative: leave out a source that sends nothing"))
		} else if left -= s.Weight; left < 0 {
			errs = append(errs, field.Invalid(path, s.Weight,
				"the weights must add up to at most 2^40: only their ratio counts, so divide all of them"))
			break
		}
	}
	return errors.Join(errs...)
}

// mean is the load of an endpoint that carries its fair share. The load of an endpoint is at most
// 2^23 times the mean.
const mean = 1 << 40

// send divides the traffic of all sources among the endpoints.
func (g *groups) send(from []Source, endpoints int) Traffic {
	t := Traffic{Loads: make([]Overload, endpoints), Worst: -1}
	users := make([]audience, len(from))
	total := uint64(0)
	across := uint64(0)
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
		// Each of the k endpoints gets the part weight/k of total. The fair share is total/fair.
		part := allocate.Quotient(uint64(s.Weight)*fair, mean, total*k)
		for _, user := range users[i] {
			if user != nil {
				user.load += part
			}
		}
		across += allocate.Quotient(uint64(s.Weight)*(k-users[i].inZone(s.Zone)), mean, total*k)
	}
	for e, load := range g.loads(endpoints) {
		t.Loads[e] = Overload(hundredths(load)) - 10000
		if load > 0 && (t.Worst < 0 || t.Loads[e] > t.Loads[t.Worst]) {
			t.Worst = e
		}
	}
	t.Across = hundredths(across)
	return t
}

// loads returns the load of each endpoint, which is the sum of the loads of its groups.
func (g *groups) loads(endpoints int) []uint64 {
	loads := make([]uint64, endpoints)
	for _, member := range g.by {
		if member.load == 0 {
			continue
		}
		for _, e := range member.members {
			loads[e] += member.load
		}
	}
	return loads
}

// hundredths returns a load in hundredths of a percent of the mean, rounded up.
func hundredths(load uint64) int { return int(allocate.CeilQuotient(load, 10000, mean)) }
