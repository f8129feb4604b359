package slicertest

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
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
