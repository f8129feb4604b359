package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// found returns the winner of each address and port number, in order.
func (s *search) found() []Found {
	s.ports.Sort()
	list := s.ports.List
	if len(list) == 0 {
		return nil
	}
	all := make([]Found, 0, len(list))
	for len(list) > 0 {
		n := s.ports.Same(list)
		winner := &list[0]
		if n > 1 {
			winner.Index = s.decide(list[:n])
		}
		all = append(all, s.at(winner))
		list = list[n:]
	}
	return all
}

// decide returns the index of the winner of one address and port number.
func (s *search) decide(list []address.Port) int32 {
	if len(s.ranks) == 0 {
		s.rankSlices()
	}
	endpoint := func(i int) *discoveryv1.Endpoint {
		w := s.where[list[i].Index]
		return &s.slices[w.slice].Endpoints[w.endpoint]
	}
	s.claims = s.claims[:0]
	for i := range list {
		claim := s.ranks[s.where[list[i].Index].slice]
		claim.Usability = content.UsabilityOf(conditions.Of(endpoint(i).Conditions))
		s.claims = append(s.claims, claim)
	}
	content.Rank(s.claims,
		func(i int) content.Target { return content.TargetOf(endpoint(i)) },
		func(i, j int) int { return content.CompareFields(content.Of(endpoint(i)), content.Of(endpoint(j))) })
	return list[decide.Winner(s.claims)].Index
}

// rankSlices makes claims without endpoints of the slices that count.
func (s *search) rankSlices() {
	at := func(i int) *discoveryv1.EndpointSlice { return s.slices[s.order[i]] }
	inOrder := make([]decide.Claim, len(s.order))
	content.RankSources(inOrder,
		func(i int) content.Age { return content.AgeOf(at(i)) },
		func(i, j int) int { return compareSlices(at(i), at(j)) })
	s.ranks = slices.Grow(s.ranks, len(s.slices))[:len(s.slices)]
	for i, c := range inOrder {
		s.ranks[s.order[i]] = c
	}
}

// text is an address as it is spelled.
func (s *search) text(index int32) string {
	w := s.where[index]
	return s.slices[w.slice].Endpoints[w.endpoint].Addresses[w.address]
}

// at returns what is found at an address and port number.
func (s *search) at(p *address.Port) Found {
	w := s.where[p.Index]
	slice := s.slices[w.slice]
	e := &slice.Endpoints[w.endpoint]
	f := Found{Slice: slice, Endpoint: e, Address: e.Addresses[w.address], Port: int32(p.Number), AppProtocol: s.apps[w.slice]}
	switch {
	case !w.odd:
	case p.Host.IsName():
		f.Address = f.Address[:len(f.Address)-1]
	default:
		f.Address = endpoint.Canonical(f.Address)
	}
	return f
}
