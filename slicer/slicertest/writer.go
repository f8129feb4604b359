package slicertest

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/conditions"
)

// State is what the writer's informers show. All objects are shared, so a writer must not change
// them. Lists are in no particular order.
type State struct {
	// Key is the namespace and name of the Service that is to be reconciled.
	Key types.NamespacedName
	// Service is nil if it was deleted. Its UID changes when it is created again.
	Service *corev1.Service
	// Pods are the Pods that the Service selects, in any phase.
	Pods []*corev1.Pod
	// Nodes are the Nodes that exist. The Node of a Pod may be missing.
	Nodes []*corev1.Node
	// Slices has every slice, of every manager and namespace. Own has those of the writer for the
	// Service. Both may be late, but they are never older than in an earlier call.
	Slices, Own []*discoveryv1.EndpointSlice
	// Deleted are the writer's slices whose deletion the informer has shown since the last call,
	// each in its last state. Any client may have deleted them. Writers that wait for the deletions
	// that they have sent need this list, as Kubernetes' controller does.
	Deleted []*discoveryv1.EndpointSlice
}

// nodeOf returns the Node with this name, or nil if there is none.
func nodeOf(list []*corev1.Node, name string) *corev1.Node {
	for _, n := range list {
		if n != nil && n.Name == name {
			return n
		}
	}
	return nil
}

// Want is one endpoint that the slices should hold.
type Want struct {
	// AddressType is the address type of the slice.
	AddressType discoveryv1.AddressType
	// Endpoint has at least one address. Only the first one is compared, in any spelling.
	// Conditions, zone, nodeName, hostname and targetRef are compared unless they are nil. An empty
	// hostname means that there is none. Hints are not compared, but each must name a zone or Node
	// that exists.
	Endpoint discoveryv1.Endpoint
	// Ports are in any order. A name or protocol that is nil is the API server's default.
	Ports []discoveryv1.EndpointPort
	// Labels are labels that the slice of the endpoint must have, such as the cluster of an
	// imported endpoint. If nil, any labels are right.
	Labels map[string]string
	// Optional is true for an endpoint that may be missing.
	Optional bool
}

// want returns the endpoints that Kubernetes publishes for a Service: each Pod that has not
// finished, with its addresses of the Service's families and the numbers of its ports. An endpoint
// that the writer does not claim to publish is optional.
func (k *suite) want(s State) []Want {
	var list []Want
	for _, pod := range s.Pods {
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		node := nodeOf(s.Nodes, pod.Spec.NodeName)
		ports := podPorts(s.Service, pod)
		serving, terminating := conditions.FromPod(pod, false).Serving, pod.DeletionTimestamp != nil
		ready := s.Service.Spec.PublishNotReadyAddresses || serving && !terminating
		w := Want{Ports: ports, Endpoint: discoveryv1.Endpoint{
			Conditions: discoveryv1.EndpointConditions{Ready: &ready, Serving: &serving, Terminating: &terminating},
			TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			NodeName:   &pod.Spec.NodeName, Hostname: new(string),
		}}
		w.Optional = node == nil || len(ports) == 0 || !serving && !k.Can("NotReady")
		if terminating && !k.Can("Terminating") {
			w.Optional, w.Endpoint.Conditions = true, discoveryv1.EndpointConditions{}
		}
		if pod.Spec.Subdomain == s.Service.Name {
			w.Endpoint.Hostname = &pod.Spec.Hostname
		}
		if node != nil {
			zone := node.Labels[corev1.LabelTopologyZone]
			w.Endpoint.Zone = &zone
		}
		for _, ip := range pod.Status.PodIPs {
			w.Endpoint.Addresses, w.AddressType = []string{ip.IP}, discoveryv1.AddressTypeIPv4
			if strings.Contains(ip.IP, ":") {
				w.AddressType = discoveryv1.AddressTypeIPv6
			}
			if slices.Contains(s.Service.Spec.IPFamilies, corev1.IPFamily(w.AddressType)) {
				list = append(list, w)
			}
		}
	}
	return list
}

// declared returns the number of a named port of a Pod, or 0 if no container that runs has it.
func declared(pod *corev1.Pod, name string, protocol corev1.Protocol) int32 {
	runs := slices.Clone(pod.Spec.Containers)
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			runs = append(runs, c)
		}
	}
	for _, c := range runs {
		for _, p := range c.Ports {
			if p.Name == name && p.Protocol == protocol {
				return p.ContainerPort
			}
		}
	}
	return 0
}

// podPorts returns the ports of an endpoint. A named port that the Pod does not have is left out.
func podPorts(s *corev1.Service, pod *corev1.Pod) []discoveryv1.EndpointPort {
	var ports []discoveryv1.EndpointPort
	for _, p := range s.Spec.Ports {
		number := p.TargetPort.IntVal
		if p.TargetPort.Type == intstr.String {
			if number = declared(pod, p.TargetPort.StrVal, p.Protocol); number == 0 {
				continue
			}
		}
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &number,
			AppProtocol: p.AppProtocol})
	}
	return ports
}
