package slicertest

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// documents are those from which REST mappers learn the resources, by path.
func documents() map[string]message {
	v := metav1.GroupVersionForDiscovery{GroupVersion: slicesKind.String(), Version: "v1"}
	group := metav1.APIGroup{
		Name: discoveryv1.GroupName, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v,
	}
	resource := func(name, kind string, namespaced bool, verbs ...string) metav1.APIResource {
		return metav1.APIResource{Name: name, Kind: kind, Namespaced: namespaced, Verbs: verbs}
	}
	return map[string]message{
		"api":                           &metav1.APIVersions{Versions: []string{"v1"}},
		"apis":                          &metav1.APIGroupList{Groups: []metav1.APIGroup{group}},
		"apis/" + discoveryv1.GroupName: &group,
		"api/v1": &metav1.APIResourceList{GroupVersion: coreKind.String(), APIResources: []metav1.APIResource{
			resource("services", "Service", true, "get", "list"),
			resource("pods", "Pod", true, "get", "list"),
			resource("nodes", "Node", false, "get", "list"),
		}},
		"apis/" + slicesKind.String(): &metav1.APIResourceList{GroupVersion: slicesKind.String(), APIResources: []metav1.APIResource{
			resource("endpointslices", "EndpointSlice", true, "create", "delete", "get", "list", "patch", "update"),
		}},
	}
}
