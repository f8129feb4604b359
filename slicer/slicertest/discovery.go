package slicertest

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The documents from which REST mappers learn the resources.

func versions() *metav1.APIVersions { return &metav1.APIVersions{Versions: []string{"v1"}} }

func groups() *metav1.APIGroupList { return &metav1.APIGroupList{Groups: []metav1.APIGroup{*group()}} }

func group() *metav1.APIGroup {
	v := metav1.GroupVersionForDiscovery{GroupVersion: discoveryv1.SchemeGroupVersion.String(), Version: "v1"}
	return &metav1.APIGroup{
		Name: discoveryv1.GroupName, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v,
	}
}

func resources(of schema.GroupVersion) *metav1.APIResourceList {
	list := &metav1.APIResourceList{GroupVersion: of.String()}
	add := func(name, kind string, namespaced bool, verbs ...string) {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: name, Kind: kind, Namespaced: namespaced, Verbs: verbs,
		})
	}
	if of == corev1.SchemeGroupVersion {
		add("services", "Service", true, "get", "list")
		add("pods", "Pod", true, "get", "list")
		add("nodes", "Node", false, "get", "list")
		return list
	}
	add("endpointslices", "EndpointSlice", true, "create", "delete", "get", "list", "patch", "update")
	return list
}
