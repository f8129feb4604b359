package hints

import (
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints/internal/allocate"
)

// Source is traffic of one address type that comes from one place, such as a Node. Only the ratio of weights counts.
type Source struct {
	Location
	Weight int64 // 0 or more
}

// Traffic is what endpoints would get.
type Traffic struct {
	// Loads has for each endpoint, in the order of the input, how far its traffic is above the mean of the ready endpoints
	// (if none is ready, of those that serve while they terminate). Without any traffic it is -100%. A load is rounded up,
	// and within a hundredth of a percent of exact.
	Loads []Overload
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
func Forecast[E any](endpoints []E, candidate func(E) Candidate, from []Source, policy Policy) (Traffic, error) {
	policy.External = false
	if candidate == nil {
		return Traffic{}, errors.Join(field.Required(field.NewPath("candidate"), "give a function that reads an endpoint, such as CandidateOf does"))
	}
	if err := validateSources(from); err != nil {
		return Traffic{}, err
	}
	f := newForecast(policy, len(endpoints))
	for i := range endpoints {
		c := candidate(endpoints[i])
		if i == 0 {
			f.family = c.AddressType
		}
		if c.AddressType != f.family && !policy.AnyFamily {
			return Traffic{}, errors.Join(field.Invalid(field.NewPath("endpoints").Index(i), c.AddressType,
				"must be of the address type of the first endpoint: forecast address types apart, or set Policy.AnyFamily"))
		}
		f.add(&c, i)
	}
	return f.send(from), nil
}

func validateSources(from []Source) error {
	var errs []error
	sum := int64(0)
	for i := range from {
		path, weight := field.NewPath("from").Index(i).Child("weight"), from[i].Weight
		if weight < 0 {
			errs = append(errs, field.Invalid(path, weight, "must not be negative: leave out a source that sends nothing"))
			continue
		}
		if weight > allocate.MaxTotal-sum {
			errs = append(errs, field.Invalid(path, weight, "the weights must add up to at most 2^40: only their ratio counts, so divide all of them"))
			break
		}
		sum += weight
	}
	return errors.Join(errs...)
}

// audience is endpoints among which some sources divide their traffic.
type audience struct {
	members []int
	named   bool  // a voter's hint is for the node or zone that these endpoints are hinted to
	weight  int64 // of the sources
	zones   map[string]int
}

// inZone returns how many members are in a zone that is not empty.
func (a *audience) inZone(f *forecast, zone string) int {
	if a.zones == nil {
		a.zones = map[string]int{}
		for _, i := range a.members {
			a.zones[f.zone[i]]++
		}
	}
	if zone == "" {
		return 0
	}
	return a.zones[zone]
}

// forecast knows who may use which endpoints. One vote counts the endpoints, and decides for each source by what is at its place.
type forecast struct {
	family discoveryv1.AddressType
	vote   vote
	zone   []string // by endpoint

	ready, draining         audience
	byNode, byZone          map[string]*audience // hinted there; with PreferZone: in the zone
	readyHere, drainingHere map[string]*audience // on the node
}

func newForecast(p Policy, endpoints int) *forecast {
	return &forecast{vote: newVote(Location{}, p), zone: make([]string, 0, endpoints),
		byNode: map[string]*audience{}, byZone: map[string]*audience{}, readyHere: map[string]*audience{}, drainingHere: map[string]*audience{}}
}

// join makes an endpoint a member of the audience at a place, once.
func join(at map[string]*audience, place string, endpoint int, votes bool) {
	if place == "" {
		return
	}
	a := at[place]
	if a == nil {
		a = &audience{}
		at[place] = a
	}
	a.named = a.named || votes
	if len(a.members) == 0 || a.members[len(a.members)-1] != endpoint {
		a.members = append(a.members, endpoint)
	}
}

// add counts an endpoint.
func (f *forecast) add(c *Candidate, i int) {
	f.zone = append(f.zone, c.Zone)
	switch role := f.vote.take(c, i); {
	case role&isReady != 0:
		f.ready.members = append(f.ready.members, i)
		if f.vote.local {
			join(f.readyHere, c.NodeName, i, false)
		}
		if f.vote.policy.PreferZone {
			join(f.byZone, c.Zone, i, false)
			return
		}
		for _, hint := range c.ForNodes {
			join(f.byNode, hint.Name, i, !c.NoVote)
		}
		for _, hint := range c.ForZones {
			join(f.byZone, hint.Name, i, !c.NoVote)
		}
	case role&isDraining != 0:
		f.draining.members = append(f.draining.members, i)
		if f.vote.local {
			join(f.drainingHere, c.NodeName, i, false)
		}
	}
}

// audience returns the endpoints that a place uses, nil for none.
func (f *forecast) audience(at Location) *audience {
	if f.vote.policy.InternalLocal {
		if a := f.readyHere[at.NodeName]; a != nil {
			return a
		}
		return f.drainingHere[at.NodeName]
	}
	v, node, zone := f.vote, f.byNode[at.NodeName], f.byZone[at.Zone]
	v.at = at
	v.node.named, v.zone.named = node != nil && node.named, zone != nil && zone.named
	if v.seen &^= forZone; zone != nil {
		v.seen |= forZone
	}
	switch v.decide().Scope {
	case ScopeNode:
		return node
	case ScopeZone:
		return zone
	case ScopeAll:
		return &f.ready
	case ScopeDraining:
		return &f.draining
	default:
		return nil
	}
}

// mean is the load of an endpoint that carries its fair share. The load of an endpoint is at most 2^23 times as much.
const mean = 1 << 40

// send divides the traffic of all sources.
func (f *forecast) send(from []Source) Traffic {
	t := Traffic{Loads: make([]Overload, len(f.zone)), Worst: -1}
	users := make([]*audience, len(from))
	total := uint64(0)
	for i, s := range from {
		if users[i] = f.audience(s.Location); users[i] == nil {
			t.Dropped = append(t.Dropped, i)
			continue
		}
		users[i].weight += s.Weight
		total += uint64(s.Weight)
	}
	loads := make([]uint64, len(f.zone))
	fair := max(len(f.ready.members), 1)
	if len(f.ready.members) == 0 {
		fair = max(len(f.draining.members), 1)
	}
	across := uint64(0) // in parts of 2^40
	for i, s := range from {
		a := users[i]
		if a == nil || s.Weight == 0 {
			continue
		}
		k := uint64(len(a.members))
		across += allocate.Quotient(uint64(s.Weight)*(k-uint64(a.inZone(f, s.Zone))), mean, total*k)
		if a.weight > 0 { // for all of its sources
			part := allocate.Quotient(uint64(a.weight)*uint64(fair), mean, total*k)
			for _, e := range a.members {
				loads[e] += part
			}
			a.weight = 0
		}
	}
	for e, load := range loads {
		if t.Loads[e] = Overload(hundredths(load)) - 10000; load > 0 && (t.Worst < 0 || t.Loads[e] > t.Loads[t.Worst]) {
			t.Worst = e
		}
	}
	t.Across = hundredths(across)
	return t
}

// hundredths returns parts of the mean in hundredths of a percent, rounded up.
func hundredths(load uint64) int { return int(allocate.CeilQuotient(load, 10000, mean)) }
