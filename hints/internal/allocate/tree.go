package allocate

import "slices"

// none is the number of no crew.
const none = -1

// tree is a tournament of crews by their known loads: each leaf is a crew, and each node above
// knows the winners of the leaves below. Ties go to the crew that comes first.
type tree struct {
	// nodes[1] is the root, nodes[2*i] and nodes[2*i+1] are below nodes[i], and the second half are
	// the leaves.
	nodes []node
}

// node is the winners of some crews, each a number of a crew or none.
type node struct {
	busiest  int32               // the highest load
	roomiest int32               // the lowest load of the crews that may serve more zones
	others   [MaxNames - 1]int32 // for each zone of roomiest: the lowest load of those that may serve it
}

// nobody is the node of no crews.
var nobody = node{busiest: none, roomiest: none, others: [MaxNames - 1]int32{none, none, none, none, none, none, none}}

// root returns the winners of all crews.
func (t *tree) root() *node { return &t.nodes[1] }

// without returns the crew with the lowest load of those that may serve the zone and do not yet.
func (n *node) without(crews []crew, zone int) int32 {
	if n.roomiest != none {
		if at := slices.Index(crews[n.roomiest].zones, zone); at >= 0 {
			return n.others[at]
		}
	}
	return n.roomiest
}

// has reports whether the crew is a winner.
func (n *node) has(number int32) bool {
	return n.busiest == number || n.roomiest == number || slices.Contains(n.others[:], number)
}

// update plays the games again that a crew takes part in, until one has the same winners without
// it.
func (t *tree) update(crews []crew, number int) {
	if width := len(t.nodes) / 2; number >= width {
		t.grow(crews, max(1, 2*width))
		return
	}
	at := len(t.nodes)/2 + number
	t.nodes[at] = leaf(crews, number)
	for at /= 2; at > 0; at /= 2 {
		before := t.nodes[at]
		t.play(crews, at)
		if t.nodes[at] == before && !before.has(int32(number)) {
			return
		}
	}
}

// grow makes a tree for so many crews.
func (t *tree) grow(crews []crew, width int) {
	t.nodes = slices.Repeat([]node{nobody}, 2*width)
	for number := range min(width, len(crews)) {
		t.nodes[width+number] = leaf(crews, number)
	}
	for at := width - 1; at > 0; at-- {
		t.play(crews, at)
	}
}

// leaf returns the node of one crew.
func leaf(crews []crew, number int) node {
	n, c := nobody, &crews[number]
	if c.count > 0 {
		n.busiest = int32(number)
	}
	if c.mayServe() {
		n.roomiest = int32(number)
	}
	return n
}

// play sets the winners of a node from those of its children.
func (t *tree) play(crews []crew, at int) {
	left, right, n := &t.nodes[2*at], &t.nodes[2*at+1], nobody
	n.busiest = left.busiest
	if b := right.busiest; b != none && (n.busiest == none || crews[b].known > crews[n.busiest].known) {
		n.busiest = b
	}
	n.roomiest = lower(crews, left.roomiest, right.roomiest)
	if n.roomiest != none {
		for i, z := range crews[n.roomiest].zones {
			n.others[i] = lower(crews, left.without(crews, z), right.without(crews, z))
		}
	}
	t.nodes[at] = n
}

// lower returns the crew with the lower load of two, of which each may be none.
func lower(crews []crew, a, b int32) int32 {
	if a == none || b != none && crews[b].known < crews[a].known {
		return b
	}
	return a
}
