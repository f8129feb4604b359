package main

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const controlPlaneManager = "endpointslice-controller.k8s.io"

// service adds a Service that selects app's Pods, as the API server defaults it.
func (c *cluster) service(namespace, app, clusterIP string, ports ...corev1.ServicePort) *corev1.Service {
	s := &corev1.Service{ObjectMeta: meta("Service", namespace, app, ago(90*24*time.Hour))}
	s.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Service"))
	s.Labels = map[string]string{"app.kubernetes.io/name": app, "app.kubernetes.io/part-of": namespace}
	s.Spec = corev1.ServiceSpec{
		Type: corev1.ServiceTypeClusterIP, ClusterIP: clusterIP, ClusterIPs: []string{clusterIP},
		IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, IPFamilyPolicy: ptr(corev1.IPFamilyPolicySingleStack),
		InternalTrafficPolicy: ptr(corev1.ServiceInternalTrafficPolicyCluster),
		SessionAffinity:       corev1.ServiceAffinityNone,
		Selector:              map[string]string{"app.kubernetes.io/name": app},
		Ports:                 ports,
	}
	c.services = append(c.services, s)
	return s
}

// servicePort is a TCP port; target is a number or the name of a container's port.
func servicePort(name string, port int32, target any) corev1.ServicePort {
	to := intstr.IntOrString{}
	switch target := target.(type) {
	case int:
		to = intstr.FromInt(target)
	case string:
		to = intstr.FromString(target)
	}
	return corev1.ServicePort{Name: name, Port: port, TargetPort: to, Protocol: corev1.ProtocolTCP}
}

// slice adds a slice of the Service as the control plane writes it.
func (c *cluster) slice(s *corev1.Service, family discoveryv1.AddressType, ports []discoveryv1.EndpointPort, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	created := ago(90*24*time.Hour - 2*time.Second)
	name := s.Name + "-" + suffix(s.Namespace, s.Name, len(c.slices))
	out := &discoveryv1.EndpointSlice{ObjectMeta: meta("EndpointSlice", s.Namespace, name, created)}
	out.SetGroupVersionKind(discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice"))
	out.GenerateName, out.Generation = s.Name+"-", int64(40+number(90, name))
	out.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: ago(4 * time.Minute).UTC().Format(time.RFC3339)}
	out.Labels = maps.Clone(s.Labels)
	out.Labels[discoveryv1.LabelServiceName], out.Labels[discoveryv1.LabelManagedBy] = s.Name, controlPlaneManager
	if s.Spec.ClusterIP == corev1.ClusterIPNone {
		out.Labels[corev1.IsHeadlessService] = ""
	}
	out.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Service", Name: s.Name, UID: s.UID, Controller: ptr(true), BlockOwnerDeletion: ptr(true),
	}}
	out.AddressType, out.Ports, out.Endpoints = family, ports, endpoints
	c.slices = append(c.slices, out)
	return out
}

func slicePort(name string, number int32) discoveryv1.EndpointPort {
	return discoveryv1.EndpointPort{Name: ptr(name), Port: ptr(number), Protocol: ptr(corev1.ProtocolTCP)}
}

// endpoint is a Pod as a slice holds it while the Pod is up; address is which of its addresses.
func endpoint(p *corev1.Pod, n *corev1.Node, address int, ready bool) discoveryv1.Endpoint {
	e := discoveryv1.Endpoint{
		Addresses:  []string{p.Status.PodIPs[address].IP},
		Conditions: discoveryv1.EndpointConditions{Ready: ptr(ready), Serving: ptr(ready), Terminating: ptr(false)},
		TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID},
		NodeName:   ptr(n.Name),
		Zone:       ptr(n.Labels[corev1.LabelTopologyZone]),
	}
	if p.Spec.Hostname != "" && p.Spec.Subdomain != "" {
		e.Hostname = ptr(p.Spec.Hostname)
	}
	return e
}
