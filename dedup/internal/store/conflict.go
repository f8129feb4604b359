package store

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/persist"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// resolve decides between at least two endpoints of m.claims, which slices of a namespace have under one port number.
func (m *memory) resolve(s *Store, namespace string, number uint16) *view.Conflict {
	claims := m.claims
	m.ranks = m.ranks[:0]
	for _, e := range claims {
		m.ranks = append(m.ranks, decide.Claim{Usability: e.Usability})
	}
	content.RankTargets(m.ranks, func(i int) content.Target { return claims[i].Target })
	m.ages = m.ages[:0]
	for _, e := range claims {
		m.ages = append(m.ages, s.held[types.NamespacedName{Namespace: namespace, Name: e.Origin.Slice}].Age)
	}
	decide.Rank(len(claims), func(i, j int) int { return m.ages[i].Compare(m.ages[j]) },
		func(i int, rank int32) { m.ranks[i].Age = rank })
	twice := false // one slice has the address twice
	decide.Rank(len(claims), func(i, j int) int {
		twice = twice || i != j && claims[i].Origin == claims[j].Origin
		return strings.Compare(claims[i].Origin.Slice, claims[j].Origin.Slice)
	}, func(i int, rank int32) { m.ranks[i].Slice = rank })
	if twice {
		decide.Rank(len(claims), func(i, j int) int { return content.CompareFields(claims[i], claims[j]) },
			func(i int, rank int32) { m.ranks[i].Fields = rank })
	}
	winner, losers := decide.Decide(m.ranks)
	c := &view.Conflict{
		Item:   view.Item{Endpoint: claims[winner], Number: number, Conflict: true},
		Losers: make([]view.Loser, len(losers)),
	}
	for i, l := range losers {
		c.Losers[i] = view.Loser{Endpoint: claims[l.Claim], Reason: l.Reason}
	}
	return c
}

// replace notes that a conflict takes the place of another one; nil for none.
func (m *memory) replace(before, after *view.Conflict) {
	switch {
	case before == nil && after == nil:
	case after == nil:
		m.conflicts = append(m.conflicts, persist.Edit[*view.Conflict]{Element: before, Remove: true})
	case before == nil || before.Item != after.Item || !slices.Equal(before.Losers, after.Losers):
		m.conflicts = append(m.conflicts, persist.Edit[*view.Conflict]{Element: after})
	}
}
