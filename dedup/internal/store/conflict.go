package store

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// resolve makes m.item the winner of at least two claims of slices of a namespace, with the others as its conflict: the one that
// the item had before if that says the same.
func (m *memory) resolve(s *Store, namespace string, before *view.Item) {
	claims := m.claims
	m.ranks, m.ages = m.ranks[:0], m.ages[:0]
	for _, c := range claims {
		m.ranks = append(m.ranks, decide.Claim{Usability: c.Endpoint.Usability})
		m.ages = append(m.ages, s.held[types.NamespacedName{Namespace: namespace, Name: c.Endpoint.Origin.Slice}].Age)
	}
	content.RankSources(m.ranks,
		func(i int) content.Age { return m.ages[i] },
		func(i, j int) int {
			return strings.Compare(claims[i].Endpoint.Origin.Slice, claims[j].Endpoint.Origin.Slice)
		})
	content.Rank(m.ranks,
		func(i int) content.Target { return claims[i].Endpoint.Target() },
		func(i, j int) int { return content.CompareFields(claims[i].Endpoint, claims[j].Endpoint) })
	winner, losses := decide.Decide(m.ranks)
	losers := make([]view.Loser, len(losses))
	for i, l := range losses {
		losers[i] = view.Loser{Claim: claims[l.Claim], Reason: l.Reason}
	}
	m.item = view.Item{Claim: claims[winner], Conflict: &view.Conflict{Losers: losers}}
	if before != nil && before.Conflict != nil && slices.Equal(before.Conflict.Losers, losers) {
		m.item.Conflict = before.Conflict
	}
}
