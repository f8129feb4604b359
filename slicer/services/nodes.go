package services

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// NodesByName returns the node func of [Plan] for a list of Nodes. It returns nil for a name that
// no Node has. If several Nodes have the same name, the last one is used.
func NodesByName(nodes []*corev1.Node) func(name string) *corev1.Node {
	byName := make(map[string]*corev1.Node, len(nodes))
	for _, node := range nodes {
		if node != nil {
			byName[node.Name] = node
		}
	}
	return func(name string) *corev1.Node { return byName[name] }
}

// nodeTable remembers the zones of Nodes, because a call of the caller's function and a look at the
// label cost several times as much as a look into this table.
type nodeTable struct {
	table endpoint.Table
	known []knownNode
	ask   func(name string) *corev1.Node // if nil, every Node counts as found
}

// knownNode has what all endpoints on a Node have in common. Empty texts are not published.
type knownNode struct {
	name, zone string
	found      bool // the Node exists
	awaited    bool // the Node does not exist, and a Pod on it that is not being deleted waits for it
}

// named returns the Node with a name. Endpoints may point to name and zone of the result. These
// never change: when the list of known Nodes grows, the old array stays in memory.
func (n *nodeTable) named(name string) *knownNode {
	i, isNew := n.table.Add(n.table.Text(name), func(i int32) bool { return n.known[i].name == name })
	if isNew {
		n.known = append(n.known, knownNode{name: name, found: n.ask == nil})
		if at := &n.known[i]; n.ask != nil && name != "" {
			if object := n.ask(name); object != nil {
				at.zone, at.found = object.Labels[corev1.LabelTopologyZone], true
			}
		}
	}
	return &n.known[i]
}

// ErrNodesUnknown is the error (errors.Is) of [Plan], [PlanSelection] and [Input] if the Pods that
// would be published name two or more Nodes and none of these is found. A plan would remove every
// endpoint. Most often, the reason is that the cache of Nodes is not filled yet. If the Pods name
// only one Node and it is not found, there is no error, and each Pod gets a Skip (NodeMissing).
// Every other error of this package, ErrNotManaged included, contains a *field.Error, because only
// a change of the Service or the call helps.
var ErrNodesUnknown = errors.New("no Node is known")

// check returns ErrNodesUnknown if Pods would be published on several Nodes, and none of the Nodes
// that Pods name is known. Then either the cache of Nodes was never filled, or the cluster is about
// to delete these Pods. A plan would remove every endpoint.
func (n *nodeTable) check() error {
	var awaited []string
	for i := range n.known {
		at := &n.known[i]
		if at.found {
			return nil
		}
		if at.awaited {
			awaited = append(awaited, at.name)
		}
	}
	if len(awaited) < 2 {
		return nil
	}
	return fmt.Errorf("%w: node returns nil for each of the %d Nodes that Pods name, such as %q, so every endpoint "+
		"would be removed: "+
		"call again when the cache of Nodes is filled, and return every Node that exists, cordoned ones too; if "+
		"there are no Nodes, give a nil node",
		ErrNodesUnknown, len(awaited), slices.Min(awaited))
}

func (n *nodeTable) release() {
	clear(n.known)
	n.table.Reset(0)
	*n = nodeTable{known: n.known[:0], table: n.table}
}
