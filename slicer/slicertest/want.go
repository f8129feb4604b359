package slicertest

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// want is what Kubernetes publishes for a Service: each Pod that has not finished, with the addresses of the Service's
// families, on the numbers that the Pod's ports have. What a writer does not claim to publish is optional.
func (k *suite) want(s State) []Want {
	var list []Want
	for _, pod := range s.Pods {
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		node := s.Node(pod.Spec.NodeName)
		w := Want{Ports: podPorts(s.Service, pod), Optional: node == nil}
		serving, terminating := podReady(pod), pod.DeletionTimestamp != nil
		ready := s.Service.Spec.PublishNotReadyAddresses || serving && !terminating
		w.Endpoint.Conditions = discoveryv1.EndpointConditions{Ready: &ready, Serving: &serving, Terminating: &terminating}
		w.Optional = w.Optional || !serving && !k.Can("NotReady")
		if terminating && !k.Can("Terminating") {
			w.Optional, w.Endpoint.Conditions = true, discoveryv1.EndpointConditions{}
		}
		w.Endpoint.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}
		w.Endpoint.NodeName = &pod.Spec.NodeName
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

func podPorts(s *corev1.Service, pod *corev1.Pod) []discoveryv1.EndpointPort {
	var ports []discoveryv1.EndpointPort
	for _, p := range s.Spec.Ports {
		number := p.TargetPort.IntVal
		if p.TargetPort.Type == intstr.String {
			number = namedPort(pod, p.TargetPort.StrVal, p.Protocol)
		}
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &number, AppProtocol: p.AppProtocol})
	}
	return ports
}

func namedPort(pod *corev1.Pod, name string, protocol corev1.Protocol) int32 {
	for _, c := range pod.Spec.Containers {
		for _, p := range c.Ports {
			if p.Name == name && p.Protocol == protocol {
				return p.ContainerPort
			}
		}
	}
	return 0
}
