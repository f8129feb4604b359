package slicertest

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// serveCore shows the Service, Pods and Nodes of the State to writers that read them through a client.
func (a *API) serveCore(r *http.Request, of target) (int, message, schema.GroupVersionKind, error) {
	a.mu.Lock()
	s := a.state
	a.mu.Unlock()
	chosen, err := selector(listOptions(r))
	if err != nil {
		return 0, nil, schema.GroupVersionKind{}, err
	}
	switch of.resource {
	case "services":
		list := &corev1.ServiceList{}
		return pick(of, "Service", []*corev1.Service{s.Service}, chosen, list, &list.Items)
	case "pods":
		list := &corev1.PodList{}
		return pick(of, "Pod", s.Pods, chosen, list, &list.Items)
	case "nodes":
		list := &corev1.NodeList{}
		return pick(of, "Node", s.Nodes, chosen, list, &list.Items)
	}
	return 0, nil, schema.GroupVersionKind{}, unsupported(http.StatusMethodNotAllowed, "%s", of.resource)
}

// pick returns the object of the name that the path has, or the list, with all that are chosen among its items.
func pick[T any, P interface {
	*T
	metav1.Object
	message
}](of target, kind string, all []P, chosen func(metav1.Object) bool, list message, items *[]T) (int, message, schema.GroupVersionKind, error) {
	for _, o := range all {
		if o == nil || of.namespace != "" && of.namespace != o.GetNamespace() {
			continue // the first sync has not begun, or it is of another namespace
		}
		if of.name == o.GetName() {
			return http.StatusOK, o, coreKind.WithKind(kind), nil
		}
		if of.name == "" && chosen(o) {
			*items = append(*items, *o)
		}
	}
	if of.name != "" {
		return 0, nil, coreKind.WithKind(kind), apierrors.NewNotFound(corev1.Resource(of.resource), of.name)
	}
	return http.StatusOK, list, coreKind.WithKind(kind + "List"), nil
}

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
