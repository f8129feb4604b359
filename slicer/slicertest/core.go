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
		var all []*corev1.Service
		if s.Service != nil {
			all = append(all, s.Service)
		}
		list := &corev1.ServiceList{}
		one, err := pick(of, all, chosen, &list.Items)
		return shown(one, list, "Service", err)
	case "pods":
		list := &corev1.PodList{}
		one, err := pick(of, s.Pods, chosen, &list.Items)
		return shown(one, list, "Pod", err)
	case "nodes":
		list := &corev1.NodeList{}
		one, err := pick(of, s.Nodes, chosen, &list.Items)
		return shown(one, list, "Node", err)
	}
	return 0, nil, schema.GroupVersionKind{}, unsupported(http.StatusMethodNotAllowed, "%s", of.resource)
}

// pick returns the object of the name that the path has, or appends all that are chosen to the items.
func pick[T any, P interface {
	*T
	metav1.Object
	message
}](of target, all []P, chosen func(metav1.Object) bool, items *[]T) (message, error) {
	for _, o := range all {
		if of.namespace != "" && of.namespace != o.GetNamespace() {
			continue
		}
		if of.name == o.GetName() {
			return o, nil
		}
		if of.name == "" && chosen(o) {
			*items = append(*items, *o)
		}
	}
	if of.name != "" {
		return nil, apierrors.NewNotFound(corev1.Resource(of.resource), of.name)
	}
	return nil, nil
}

func shown(one, list message, kind string, err error) (int, message, schema.GroupVersionKind, error) {
	if one != nil || err != nil {
		return http.StatusOK, one, coreKind.WithKind(kind), err
	}
	return http.StatusOK, list, coreKind.WithKind(kind + "List"), nil
}
