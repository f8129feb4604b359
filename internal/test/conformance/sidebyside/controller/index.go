package controller

import (
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/services"
)

// index holds what a sync reads, where it finds it without a search: the Pods of a Service, its slices, and the Nodes with their
// weights. It also finds the Services of a Pod and of a Node, so that an event asks those and no others. The objects are the
// cache's own, which nobody changes.
type index struct {
	sync.RWMutex
	services map[client.ObjectKey]*corev1.Service
	selector grouped[label, *corev1.Service] // by one label of the selector
	labelled grouped[label, *corev1.Pod]     // by each label
	onNode   grouped[string, *corev1.Pod]
	slices   grouped[client.ObjectKey, *discoveryv1.EndpointSlice] // by Service
	nodes    map[string]*corev1.Node
	latest   *zones // nil when a Node has changed since
}

// label is a label in a namespace.
type label struct{ namespace, key, value string }

// zones are the Nodes by name and the weights of their zones at one time. Nobody changes them.
type zones struct {
	nodes   map[string]*corev1.Node
	weights hints.Weights
}

func newIndex() *index {
	return &index{
		services: map[client.ObjectKey]*corev1.Service{}, selector: grouped[label, *corev1.Service]{},
		labelled: grouped[label, *corev1.Pod]{}, onNode: grouped[string, *corev1.Pod]{},
		slices: grouped[client.ObjectKey, *discoveryv1.EndpointSlice]{}, nodes: map[string]*corev1.Node{},
	}
}

// grouped has objects by something that several share.
type grouped[K comparable, O client.Object] map[K]map[client.ObjectKey]O

func (g grouped[K, O]) add(key K, o O) {
	if g[key] == nil {
		g[key] = map[client.ObjectKey]O{}
	}
	g[key][client.ObjectKeyFromObject(o)] = o
}

func (g grouped[K, O]) remove(key K, o O) {
	delete(g[key], client.ObjectKeyFromObject(o))
	if len(g[key]) == 0 {
		delete(g, key)
	}
}

// setService notes a Service as it was and is, nil for one that was not there or is gone.
func (x *index) setService(was, is *corev1.Service) {
	x.Lock()
	defer x.Unlock()
	if was != nil {
		delete(x.services, client.ObjectKeyFromObject(was))
		x.selector.remove(firstOf(was), was)
	}
	if is != nil {
		x.services[client.ObjectKeyFromObject(is)] = is
		x.selector.add(firstOf(is), is)
	}
}

// firstOf is the first label of a Service's selector. A Service without a selector is filed where no Pod is.
func firstOf(svc *corev1.Service) label {
	first := ""
	for key := range svc.Spec.Selector {
		if first == "" || key < first {
			first = key
		}
	}
	return label{svc.Namespace, first, svc.Spec.Selector[first]}
}

// setPod notes a Pod as it was and is.
func (x *index) setPod(was, is *corev1.Pod) {
	x.Lock()
	defer x.Unlock()
	if was != nil && (is == nil || was.Spec.NodeName != is.Spec.NodeName || !maps.Equal(was.Labels, is.Labels)) {
		x.onNode.remove(was.Spec.NodeName, was)
		for key, value := range was.Labels {
			x.labelled.remove(label{was.Namespace, key, value}, was)
		}
	}
	if is != nil {
		x.onNode.add(is.Spec.NodeName, is)
		for key, value := range is.Labels {
			x.labelled.add(label{is.Namespace, key, value}, is)
		}
	}
}

// setSlice notes a slice as it was and is.
func (x *index) setSlice(was, is *discoveryv1.EndpointSlice) {
	x.Lock()
	defer x.Unlock()
	if was != nil {
		x.slices.remove(serviceOf(was), was)
	}
	if is != nil {
		x.slices.add(serviceOf(is), is)
	}
}

// setNode notes a Node as it was and is. Most writes of Nodes are heartbeats, which leave the zones as they are.
func (x *index) setNode(was, is *corev1.Node) {
	x.Lock()
	defer x.Unlock()
	if is != nil {
		x.nodes[is.Name] = is
	} else {
		delete(x.nodes, was.Name)
	}
	if services.NodeMatters(was, is) || hints.NodesMatter(was, is, nil) {
		x.latest = nil
	}
}

// selecting adds the Services that select a Pod; none for nil.
func (x *index) selecting(pod *corev1.Pod, to map[client.ObjectKey]bool) {
	if pod == nil {
		return
	}
	x.RLock()
	defer x.RUnlock()
	x.addSelecting(pod, to)
}

func (x *index) addSelecting(pod *corev1.Pod, to map[client.ObjectKey]bool) {
	for key, value := range pod.Labels {
		for name, svc := range x.selector[label{pod.Namespace, key, value}] {
			if services.Selects(svc, pod) {
				to[name] = true
			}
		}
	}
}

// using adds the Services with Pods on a Node.
func (x *index) using(node string, to map[client.ObjectKey]bool) {
	x.RLock()
	defer x.RUnlock()
	for _, pod := range x.onNode[node] {
		x.addSelecting(pod, to)
	}
}

// weighing adds the Services whose hints follow the weights of zones.
func (x *index) weighing(to map[client.ObjectKey]bool) {
	x.RLock()
	defer x.RUnlock()
	for name, svc := range x.services {
		if hints.ModeOf(svc) == hints.Proportional {
			to[name] = true
		}
	}
}

// read returns a Service, nil if it is not there, its slices, and its Pods, perhaps with others: those with the rarest label of
// the selector.
func (x *index) read(key client.ObjectKey) (svc *corev1.Service, pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice) {
	x.RLock()
	defer x.RUnlock()
	if svc = x.services[key]; svc == nil {
		return nil, nil, nil
	}
	var fewest map[client.ObjectKey]*corev1.Pod
	first := true
	for name, value := range svc.Spec.Selector {
		if these := x.labelled[label{key.Namespace, name, value}]; first || len(these) < len(fewest) {
			fewest, first = these, false
		}
	}
	return svc, slices.Collect(maps.Values(fewest)), slices.Collect(maps.Values(x.slices[key]))
}

// zones returns the Nodes and their weights, which are added up again only when a Node has changed.
func (x *index) zones() *zones {
	x.Lock()
	defer x.Unlock()
	if x.latest == nil {
		x.latest = &zones{nodes: maps.Clone(x.nodes), weights: hints.NodeWeights(slices.Collect(maps.Values(x.nodes)), nil)}
	}
	return x.latest
}
