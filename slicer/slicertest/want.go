package slicertest

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// want is what Kubernetes publishes for a Service: each Pod that has not finished, with the addresses of the Service's
// families, on the numbers that the Pod's ports have. What a writer does not claim to publish is optional.
func (k *kit) want(s State) []Want {
	var list []Want
	for _, pod := range s.Pods {
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		terminating := pod.DeletionTimestamp != nil
		ready := s.Service.Spec.PublishNotReadyAddresses || podReady(pod) && !terminating
		w := Want{Ports: podPorts(s.Service, pod), Ready: &ready, Optional: s.Node(pod.Spec.NodeName) == nil}
		if !podReady(pod) && k.without[NotReady] {
			w.Optional = true
		}
		if terminating && k.without[Terminating] {
			w.Optional, w.Ready = true, nil
		}
		for _, ip := range pod.Status.PodIPs {
			w.Address, w.AddressType = ip.IP, discoveryv1.AddressTypeIPv4
			if strings.Contains(ip.IP, ":") {
				w.AddressType = discoveryv1.AddressTypeIPv6
			}
			for _, family := range s.Service.Spec.IPFamilies {
				if string(family) == string(w.AddressType) {
					list = append(list, w)
				}
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
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Protocol: &p.Protocol, Port: &number})
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
