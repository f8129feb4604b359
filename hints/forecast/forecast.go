package forecast

import (
	"cmp"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/hints/internal/vote"
	"github.com/slicewright/slicewright/hints/routing"
)

// Source is traffic of one address type that comes from one place, such as a Node. Only the ratio of weights counts.
type Source struct {
	routing.Location
	Weight int64 // 0 or more
}

// Traffic is what endpoints would get.
type Traffic struct {
	// Loads has for each endpoint, in the order of the input, how far its traffic is above the mean of the ready endpoints
	// (if none is ready, of those that serve while they terminate). Without any traffic it is -100%. A load is rounded up,
	// and within a hundredth of a percent of exact.
	Loads []hints.Overload
	// Worst is the first endpoint with the highest load, -1 if no endpoint gets traffic.
	Worst int
	// Across is the share of the served traffic that leaves the zone of its source, in hundredths of a percent, rounded up.
	// Traffic from a source or to an endpoint without zone counts as leaving.
	Across int
	// Dropped are the sources that no endpoint serves, in order; nil: none.
	Dropped []int
}

// Forecast says what each endpoint would get if every source divides its traffic evenly among the endpoints that [Route] chooses
// there. The endpoints are those of one service port and address type, as for Route. To see an outage, leave out its endpoints, and
// its sources or give them another place. To see other hints, let candidate give those.
//
// The traffic is from inside the cluster: Policy.External and ExternalLocal make no difference. Where ExternalLocal is set, load
// balancers send nothing to a Node without ready endpoints: set InternalLocal, and let only the other Nodes be sources.
//
// endpoints and sources may be nil, and are not changed. The cost is linear in both, and in hints. The error is made of *field.Error
// values: no candidate function, endpoints of several address types without Policy.AnyFamily, weights that are negative or add up to
// more than 2^40.
func Forecast[E any](endpoints []E, candidate func(E) routing.Candidate, from []Source, policy routing.Policy) (Traffic, error) {
	policy.External = false
	if candidate == nil {
		return Traffic{}, errors.Join(field.Required(field.NewPath("candidate"), "give a function that reads an endpoint, such as CandidatesOf returns"))
	}
	if err := validateSources(from); err != nil {
		return Traffic{}, err
	}
	f := &forecast{vote: vote.New(vote.Location{}, vote.Policy(policy)), at: map[spot]*audience{}}
	for i := range endpoints {
		c := candidate(endpoints[i])
		if i == 0 {
			f.vote.Family = c.AddressType
		}
		if c.AddressType != f.vote.Family && !policy.AnyFamily {
			return Traffic{}, errors.Join(field.Invalid(field.NewPath("endpoints").Index(i), c.AddressType,
				"must be of the address type of the first endpoint: forecast address types apart, or set Policy.AnyFamily"))
		}
		f.add((*vote.Candidate)(&c), i)
	}
	return f.send(from, len(endpoints)), nil
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

// forecast knows who may use which endpoints. One vote counts the endpoints, and decides for each source by what is at its place.
type forecast struct {
	vote vote.Vote
	at   map[spot]*audience

	nobody audience
}

// spot is a role and the node or zone that it is for; vote.IsReady and vote.IsDraining are for all.
type spot struct {
	role vote.Role
	name string
}

// audience is endpoints among which some sources divide their traffic.
type audience struct {
	members []int
	inZone  map[string]uint64 // members that have a zone, by it
	named   bool              // a voter's hint is for the node or zone
	weight  int64             // of the sources
}

// add counts an endpoint.
func (f *forecast) add(c *vote.Candidate, i int) {
	all, here := vote.IsReady, vote.ReadyHere
	switch role := f.vote.Take(c, i); {
	case role&vote.IsDraining != 0:
		all, here = vote.IsDraining, vote.DrainingHere
	case role&vote.IsReady == 0:
		return
	}
	join := func(role vote.Role, name string, votes bool) {
		a := f.at[spot{role, name}]
		if a == nil {
			a = &audience{inZone: map[string]uint64{}}
			f.at[spot{role, name}] = a
		}
		if len(a.members) > 0 && a.members[len(a.members)-1] == i {
			return // a hint that is there twice
		}
		a.members, a.named = append(a.members, i), a.named || votes
		if c.Zone != "" {
			a.inZone[c.Zone]++
		}
	}
	join(all, "", false)
	if f.vote.Policy.InternalLocal && c.NodeName != "" {
		join(here, c.NodeName, false)
	}
	if all == vote.IsReady && f.vote.Policy.PreferZone {
		join(vote.ForZone, c.Zone, false)
	} else if all == vote.IsReady {
		for _, hint := range c.ForNodes {
			join(vote.ForNode, hint.Name, !c.NoVote)
		}
		for _, hint := range c.ForZones {
			join(vote.ForZone, hint.Name, !c.NoVote)
		}
	}
}

// of returns the endpoints with a role at a place.
func (f *forecast) of(role vote.Role, name string) *audience {
	return cmp.Or(f.at[spot{role, name}], &f.nobody)
}

// audience returns the endpoints that a place uses.
func (f *forecast) audience(at vote.Location) *audience {
	v, node, zone, here := f.vote, f.of(vote.ForNode, at.NodeName), f.of(vote.ForZone, at.Zone), f.of(vote.ReadyHere, at.NodeName)
	v.At, v.Node.Named, v.Zone.Named = at, node.named, zone.named
	if len(zone.members) > 0 && at.Zone != "" {
		v.Seen |= vote.ForZone
	}
	if len(here.members) > 0 {
		v.Seen |= vote.ReadyHere
	}
	v.Decide()
	switch role := v.Lists[vote.AllList]; role {
	case vote.ForNode, vote.ReadyHere, vote.DrainingHere:
		return f.of(role, at.NodeName)
	case vote.ForZone:
		return zone
	default:
		return f.of(role, "")
	}
}

// mean is the load of an endpoint that carries its fair share. The load of an endpoint is at most 2^23 times as much.
const mean = 1 << 40

// send divides the traffic of all sources.
func (f *forecast) send(from []Source, endpoints int) Traffic {
	t := Traffic{Loads: make([]hints.Overload, endpoints), Worst: -1}
	users, loads, total, across := make([]*audience, len(from)), make([]uint64, endpoints), uint64(0), uint64(0)
	for i, s := range from {
		if users[i] = f.audience(vote.Location(s.Location)); len(users[i].members) == 0 {
			t.Dropped = append(t.Dropped, i)
			continue
		}
		users[i].weight += s.Weight
		total += uint64(s.Weight)
	}
	fair := len(cmp.Or(f.at[spot{vote.IsReady, ""}], f.of(vote.IsDraining, "")).members)
	for i, s := range from {
		a := users[i]
		k := uint64(len(a.members))
		if k == 0 || s.Weight == 0 {
			continue
		}
		across += allocate.Quotient(uint64(s.Weight)*(k-a.inZone[s.Zone]), mean, total*k)
		part := allocate.Quotient(uint64(a.weight)*uint64(fair), mean, total*k)
		if a.weight = 0; part > 0 { // once for all of its sources
			for _, e := range a.members {
				loads[e] += part
			}
		}
	}
	for e, load := range loads {
		if t.Loads[e] = hints.Overload(hundredths(load)) - 10000; load > 0 && (t.Worst < 0 || t.Loads[e] > t.Loads[t.Worst]) {
			t.Worst = e
		}
	}
	t.Across = hundredths(across)
	return t
}

// hundredths returns parts of the mean in hundredths of a percent, rounded up.
func hundredths(load uint64) int { return int(allocate.CeilQuotient(load, 10000, mean)) }
