package dedup

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// found is a claim in a list of slices.
type found struct {
	slice    *discoveryv1.EndpointSlice
	endpoint *discoveryv1.Endpoint
	age      *age
	merit    merit
	index    int32 // in search.where
}

func (f found) use() merit                { return f.merit }
func (f found) compareAge(g found) int    { return f.age.compare(*g.age) }
func (f found) compareSlice(g found) int  { return compareSlices(f.slice, g.slice) }
func (f found) compareFields(g found) int { return compareEndpoints(f.endpoint, g.endpoint) }

func (f found) target() Target {
	return targetOf(f.endpoint)
}

func targetOf(e *discoveryv1.Endpoint) Target {
	if t := e.TargetRef; t != nil {
		return Target{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, UID: t.UID}
	}
	return Target{}
}

// compareEndpoints is compareFields for endpoints that were not read into records.
func compareEndpoints(a, b *discoveryv1.Endpoint) int {
	r := reading{lasting: arena{lasting: true}}
	r.arena = &r.lasting
	x, y := r.arena.record(), r.arena.record()
	r.fill(x, a)
	r.fill(y, b)
	return compareFields(x, y)
}

// found returns the winner of each spot, in order.
func (s *search) found() []Found {
	list := s.spots.sort(s.names)
	if len(list) == 0 {
		return nil
	}
	all := make([]Found, 0, spotCount(list, s.names))
	for len(list) > 0 {
		n := same(list, s.names)
		winner := &list[0]
		if n > 1 {
			winner.index = s.decide(list[:n])
		}
		all = append(all, s.at(winner))
		list = list[n:]
	}
	return all
}

// decide returns the index of the winner of one spot.
func (s *search) decide(list []spot) int32 {
	if len(s.ages) == 0 {
		for _, slice := range s.slices {
			if slice == nil {
				slice = &discoveryv1.EndpointSlice{}
			}
			s.ages = append(s.ages, ageOf(slice))
		}
	}
	s.claims = s.claims[:0]
	for i := range list {
		w := s.where[list[i].index]
		slice := s.slices[w.slice]
		e := &slice.Endpoints[w.endpoint]
		s.claims = append(s.claims, found{slice, e, &s.ages[w.slice], meritOf(conditions.Of(e.Conditions)), list[i].index})
	}
	return s.claims[decide(s.claims)].index
}

// text is an address as it is spelled.
func (s *search) text(index int32) string {
	w := s.where[index]
	return s.slices[w.slice].Endpoints[w.endpoint].Addresses[w.address]
}

// at returns what is found at a spot.
func (s *search) at(p *spot) Found {
	w := s.where[p.index]
	slice := s.slices[w.slice]
	e := &slice.Endpoints[w.endpoint]
	f := Found{Slice: slice, Endpoint: e, Address: e.Addresses[w.address], Port: int32(p.number)}
	switch {
	case !w.odd:
	case p.host == (host{}):
		f.Address = f.Address[:len(f.Address)-1]
	default:
		f.Address = endpoint.Canonical(f.Address)
	}
	return f
}
