package services

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/slicewright/slicewright/internal/endpoint"
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
	table endpoint.Table // of more than fewNodes
	err   error          // the first error of nodes
}

const fewNodes = 8 // to search these in turn is faster than a table

// knownNode has what all endpoints on a Node have in common. Empty texts are not published.
type knownNode struct {
	name, zone string
	found      bool // the Node exists
}

// named returns the Node with a name. Endpoints may point to name and zone of the result. These
// never change: when the list of known Nodes grows, the old array stays in memory.
func (n *nodeTable) named(name string) *knownNode {
	if len(n.known) <= fewNodes {
		for i := range n.known {
			if n.known[i].name == name {
				return &n.known[i]
			}
		}
		if len(n.known) < fewNodes {
			return n.add(name)
		}
	}
	if n.table.Len() == 0 {
		n.table.Reset(cap(n.known))
		for i := range n.known {
			n.table.Add(n.table.Text(n.known[i].name), func(int32) bool { return false })
		}
	}
	i, isNew := n.table.Add(n.table.Text(name), func(i int32) bool { return n.known[i].name == name })
	if isNew {
		return n.add(name)
	}
	return &n.known[i]
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
