// Package sequence orders writes that wait for each other. It knows numbers only: nodes are 0 to n-1, in the order of
// their names, and a [Wait] says that one node comes later than another.
//
// Waits may contradict each other, so they have ranks:
//
//   - Strict waits always hold. They must not make a cycle among themselves.
//   - Firm waits hold, except inside a cycle of Strict and Firm waits. The nodes of such a cycle follow each other directly,
//     so that the contradiction is over as soon as possible.
//   - A [Choice] is a wait of one of several nodes for one of several others, no matter which. Choices are made one by one,
//     ordered by Later and then by Earlier. Of the waits that a choice allows, in the same order, the first one holds
//     that closes no cycle with the Strict waits, the Firm waits and the choices made so far. If each of them would
//     close one, the choice is dropped.
//   - Soft waits are looked at one by one, too. One that would close a cycle with the Strict waits, the Firm waits, the
//     choices and the Soft waits kept so far is dropped. The others hold. So a Soft wait never weakens any other, and in a
//     cycle of Soft waits alone the last by name is dropped.
//
// Of all orders that the waits allow, [Order] returns the one in which node 0 comes as early as possible, then node 1, and
// so on. Without waits that is 0, 1, 2 and so on.
//
// # Cost
//
// Order takes time linear in nodes and waits, apart from sorting, and never recurses. Choices and Soft waits need a word
// more. Whether one wait closes a cycle is a question of reachability, and no linear algorithm is known that answers many
// of them. Only a wait inside a cycle of all waits needs the answer. One search answers it for all Soft
// waits of a node, or for all waits of a node in a choice. The searches of one Order take at most searchLimit steps for
// each node, wait and node in a choice. When these are used up, the choices and the Soft waits inside cycles that are
// left are dropped. Up to searchLimit searches are never too many.
package sequence

import (
	"cmp"
	"slices"
)

// Rank says what becomes of a wait when waits contradict each other.
type Rank uint8

const (
	_ Rank = iota
	// Strict waits always hold.
	Strict
	// Firm waits hold, except inside a cycle of Strict and Firm waits.
	Firm
	// Soft waits hold, except those that would close a cycle.
	Soft
)

// Wait says that node Later comes after node Earlier. A node that waits for itself waits for nothing.
type Wait struct {
	Later, Earlier int
	Rank           Rank
}

// Choice says that at least one of the nodes Later comes after at least one of the nodes Earlier. One with a node that is
// in both lists, or with an empty list, says nothing.
type Choice struct {
	Later, Earlier []int
}

// Order returns the nodes 0 to n-1 in an order that meets the waits and choices, as the package comment says. The order of
// both lists, of the nodes in a choice, and repetitions do not count, and nothing of them is changed. Strict waits that
// make a cycle do not hold inside it; the result still has every node once.
func Order(n int, waits []Wait, choices []Choice) []int {
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = v
	}
	waits, choices = sorted(waits), sortedChoices(choices)
	if len(waits)+len(choices) == 0 {
		return nodes
	}
	cycles := components(n, ranked(waits, Firm))
	kept, _ := keep(cycles, waits, choices)
	outer := arrange(cycles, append(ranked(waits, Firm), kept...))
	strict := components(n, ranked(waits, Strict))
	inner := arrange(strict, slices.DeleteFunc(ranked(waits, Strict), func(w Wait) bool {
		return cycles.of[w.Later] != cycles.of[w.Earlier]
	}))
	slices.SortFunc(nodes, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(outer[cycles.of[a]], outer[cycles.of[b]]),
			cmp.Compare(inner[strict.of[a]], inner[strict.of[b]]),
			cmp.Compare(a, b),
		)
	})
	return nodes
}

// sorted copies the waits, by Later and Earlier.
func sorted(waits []Wait) []Wait {
	list := slices.Clone(waits)
	slices.SortFunc(list, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.Later, b.Later), cmp.Compare(a.Earlier, b.Earlier), cmp.Compare(a.Rank, b.Rank))
	})
	return slices.Compact(list)
}

// sortedChoices copies the choices, by Later and Earlier, without those that say nothing.
func sortedChoices(choices []Choice) []Choice {
	var list []Choice
	for _, c := range choices {
		c = Choice{slices.Sorted(slices.Values(c.Later)), slices.Sorted(slices.Values(c.Earlier))}
		if !overlap(c.Later, c.Earlier) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Choice) int {
		return cmp.Or(slices.Compare(a.Later, b.Later), slices.Compare(a.Earlier, b.Earlier))
	})
	return list
}

// overlap reports whether two sorted lists share a number.
func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(v int) bool {
		_, found := slices.BinarySearch(b, v)
		return found
	})
}

// ranked copies the waits up to a rank.
func ranked(waits []Wait, last Rank) []Wait {
	return slices.DeleteFunc(slices.Clone(waits), func(w Wait) bool { return w.Rank > last })
}
