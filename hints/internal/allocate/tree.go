package allocate

import "slices"

// none is not the index of any group.
const none = -1

// tree is a tournament of groups by their lastLoad. Each leaf is a group, and each node above knows
// the winners of the leaves below. Ties go to the group that comes first.
type tree struct {
	// nodes[1] is the root, nodes[2*i] and nodes[2*i+1] are below nodes[i], and the second half of
	// nodes are the leaves.
	nodes []node
}

// node has the winners of the groups below it. Each winner is the index of a group, or none.
type node struct {
	busiest  int32 // the highest load
	roomiest int32 // the lowest load of the groups that may serve more zones
	// others has an entry for each zone that roomiest serves: the group with the lowest load of all
	// groups that may serve more zones and do not serve this one yet.
	others [MaxNames - 1]int32
}

// noWinners is the node without any group.
var noWinners = node{
	busiest: none, roomiest: none,
	others: [MaxNames - 1]int32{none, none, none, none, none, none, none},
}

// root returns the winners of all groups.
func (t *tree) root() *node { return &t.nodes[1] }

// without returns the group with the lowest load of all groups that may serve the zone and do not
// serve it yet, or none.
func (n *node) without(groups []group, zone int) int32 {
	if n.roomiest != none {
		if at := slices.Index(groups[n.roomiest].zones, zone); at >= 0 {
			return n.others[at]
		}
	}
	return n.roomiest
}

// has reports whether the group is a winner.
func (n *node) has(number int32) bool {
	return n.busiest == number || n.roomiest == number || slices.Contains(n.others[:], number)
}

// update plays all games of a group again, from the leaf up. It stops at a node whose winners do
// not change and do not include the group.
func (t *tree) update(groups []group, number int) {
	if width := len(t.nodes) / 2; number >= width {
		t.grow(groups, max(1, 2*width))
		return
	}
	at := len(t.nodes)/2 + number
	t.nodes[at] = leaf(groups, number)
	for at /= 2; at > 0; at /= 2 {
		before := t.nodes[at]
		t.play(groups, at)
		if t.nodes[at] == before && !before.has(int32(number)) {
			return
		}
	}
}

// grow makes a tree with room for width groups.
func (t *tree) grow(groups []group, width int) {
	t.nodes = slices.Repeat([]node{noWinners}, 2*width)
	for number := range min(width, len(groups)) {
		t.nodes[width+number] = leaf(groups, number)
	}
	for at := width - 1; at > 0; at-- {
		t.play(groups, at)
	}
}

// leaf returns the node of one group.
func leaf(groups []group, number int) node {
	n, c := noWinners, &groups[number]
	if c.count > 0 {
		n.busiest = int32(number)
	}
	if c.mayServe() {
		n.roomiest = int32(number)
	}
	return n
}

// play computes the winners of a node from the winners of its children.
func (t *tree) play(groups []group, at int) {
	left, right := &t.nodes[2*at], &t.nodes[2*at+1]
	n := noWinners
	n.busiest = left.busiest
	if b := right.busiest; b != none && (n.busiest == none || groups[b].lastLoad > groups[n.busiest].lastLoad) {
		n.busiest = b
	}
	n.roomiest = lower(groups, left.roomiest, right.roomiest)
	if n.roomiest != none {
		for i, z := range groups[n.roomiest].zones {
			n.others[i] = lower(groups, left.without(groups, z), right.without(groups, z))
		}
	}
	t.nodes[at] = n
}

// lower returns the group with the lower load. Each of the two groups may be none.
func lower(groups []group, a, b int32) int32 {
	if a == none || b != none && groups[b].lastLoad < groups[a].lastLoad {
		return b
	}
	return a
}
