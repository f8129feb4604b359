package manifest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// needed returns what the commands need of an object. Of Pods, of which a cluster has most, it is little. What field managers
// note is dropped of all: it says nothing of the object, and two prints of it differ in white space.
func needed(object runtime.Object) runtime.Object {
	switch full := object.(type) {
	case *corev1.Pod:
		return neededOfPod(full)
	case *corev1.Node:
		return &corev1.Node{
			ObjectMeta: neededOfMeta(&full.ObjectMeta),
			Spec:       full.Spec,
			Status: corev1.NodeStatus{
				Allocatable: full.Status.Allocatable, Capacity: full.Status.Capacity,
				Conditions: full.Status.Conditions, Addresses: full.Status.Addresses,
			},
		}
	case metav1.Object:
		full.SetManagedFields(nil)
	}
	return object
}

func neededOfPod(full *corev1.Pod) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: neededOfMeta(&full.ObjectMeta),
		Spec: corev1.PodSpec{
			NodeName: full.Spec.NodeName, Hostname: full.Spec.Hostname, Subdomain: full.Spec.Subdomain,
			HostNetwork: full.Spec.HostNetwork,
			Containers:  neededOfContainers(full.Spec.Containers), InitContainers: neededOfContainers(full.Spec.InitContainers),
		},
		Status: corev1.PodStatus{Phase: full.Status.Phase, PodIP: full.Status.PodIP, PodIPs: full.Status.PodIPs},
	}
	for _, c := range full.Status.Conditions {
		if c.Type == corev1.PodReady {
			pod.Status.Conditions = []corev1.PodCondition{{Type: c.Type, Status: c.Status, LastTransitionTime: c.LastTransitionTime}}
		}
	}
	return pod
}

// neededOfContainers returns the containers with ports.
func neededOfContainers(full []corev1.Container) []corev1.Container {
	var list []corev1.Container
	for _, c := range full {
		if len(c.Ports) > 0 {
			list = append(list, corev1.Container{Name: c.Name, Ports: c.Ports, RestartPolicy: c.RestartPolicy})
		}
	}
	return list
}

func neededOfMeta(full *metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: full.Name, Namespace: full.Namespace, UID: full.UID, ResourceVersion: full.ResourceVersion,
		Labels: full.Labels, Annotations: full.Annotations,
		CreationTimestamp: full.CreationTimestamp, DeletionTimestamp: full.DeletionTimestamp,
	}
}
