package services

import (
	"fmt"
	"hash/maphash"
	"math/bits"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Nodes finds a Node by name. client-go's NodeLister is a Nodes. An error other than NotFound is
// the error of FromPods.
type Nodes interface {
	Get(name string) (*corev1.Node, error)
}

// NodesByName returns the Nodes of a list.
func NodesByName(nodes []*corev1.Node) Nodes {
	byName := make(nodeMap, len(nodes))
	for _, node := range nodes {
		if node != nil {
			byName[node.Name] = node
		}
	}
	return byName
}

type nodeMap map[string]*corev1.Node

func (m nodeMap) Get(name string) (*corev1.Node, error) {
	if node := m[name]; node != nil {
		return node, nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "nodes"}, name)
}

// nodeTable remembers the zones of Nodes, because a call of Nodes and a look at the label cost
// several times as much as a look into this table.
type nodeTable struct {
	nodes Nodes // if nil, every Node counts as found
	known []knownNode
	slots []int32 // of more than fewNodes: by hash, the index in known plus 1; a power of two, at most half full
	err   error   // the first error of nodes
}

const fewNodes = 8 // to search these in turn is faster than a table

var seed = maphash.MakeSeed()

// knownNode has what all endpoints on a Node have in common. Empty texts are not published.
type knownNode struct {
	name, zone string
	found      bool // the Node exists
}

// named returns the Node with a name. Endpoints may point to name and zone of the result. These
// never change: when the list of known Nodes grows, the old array stays in memory.
func (n *nodeTable) named(name string) *knownNode {
	if len(n.known) < fewNodes {
		for i := range n.known {
			if n.known[i].name == name {
				return &n.known[i]
			}
		}
		return n.add(name)
	}
	if 2*len(n.known) >= len(n.slots) {
		n.slots = make([]int32, 1<<bits.Len(uint(2*max(cap(n.known), 2*len(n.known)))))
		for i := range n.known {
			*n.slot(n.known[i].name) = int32(i + 1)
		}
	}
	slot := n.slot(name)
	if *slot > 0 {
		return &n.known[*slot-1]
	}
	*slot = int32(len(n.known) + 1)
	return n.add(name)
}

// slot returns where the index of a Node is, or is to be put.
func (n *nodeTable) slot(name string) *int32 {
	mask := uint64(len(n.slots) - 1)
	for at := maphash.String(seed, name) & mask; ; at = (at + 1) & mask {
		if i := n.slots[at]; i == 0 || n.known[i-1].name == name {
			return &n.slots[at]
		}
	}
}

func (n *nodeTable) add(name string) *knownNode {
	at := knownNode{name: name, found: n.nodes == nil}
	if n.nodes != nil && name != "" {
		switch node, err := n.nodes.Get(name); {
		case err == nil && node != nil:
			at.zone, at.found = node.Labels[corev1.LabelTopologyZone], true
		case err != nil && !apierrors.IsNotFound(err) && n.err == nil:
			n.err = fmt.Errorf("nodes: %w", err)
		}
	}
	n.known = append(n.known, at)
	return &n.known[len(n.known)-1]
}
