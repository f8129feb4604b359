package slicertest

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

var (
	coreKind   = corev1.SchemeGroupVersion // also for a Status and for the documents of the discovery API
	slicesKind = discoveryv1.SchemeGroupVersion
)

// RoundTrip answers requests of a client as JSON or protobuf: create, update, patch, delete, get
// and list of EndpointSlices, get and list of Services, Pods and Nodes, and the discovery API. It
// refuses watches, because State has the objects that a watch would deliver. An error instead of an
// answer is a fault of the network in the history.
func (a *server) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	code, o := http.StatusOK, runtime.Object(nil)
	t, err := acceptable(r.Header.Get("Accept"))
	if err == nil {
		code, o, err = a.serve(r)
	}
	if refused := apierrors.APIStatus(nil); errors.As(err, &refused) {
		status := refused.Status()
		code = int(status.Code)
		o = &status
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return answer(r, code, t, o)
}

// serve answers a request by its path.
func (a *server) serve(r *http.Request) (int, runtime.Object, error) {
	path := strings.Trim(r.URL.Path, "/")
	if o := documents()[path]; o != nil {
		return http.StatusOK, o, nil
	}
	if q := r.URL.Query(); q.Get("watch") == "true" || q.Get("watch") == "1" {
		return 0, nil, unsupported(http.StatusMethodNotAllowed, "watches: State is what informers show")
	}
	of := targetOf(path)
	switch {
	case of.resource == "endpointslices" && of.group == slicesKind.String():
		return a.serveSlices(r, of)
	case of.group == "v1" && r.Method == http.MethodGet:
		o, err := a.serveCore(r, of)
		return http.StatusOK, o, err
	}
	return 0, nil, unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
}

// target is the resource and the object in a path.
type target struct{ group, namespace, resource, name string }

// targets matches the paths of resources without subresources, with a capturing group for each
// field of target.
var targets = regexp.MustCompile(`^apis?/(v1|[^/]+/[^/]+)(?:/namespaces/([^/]+))?/([^/]+)(?:/([^/]+))?$`)

func targetOf(path string) target {
	parts := targets.FindStringSubmatch(path)
	if parts == nil {
		return target{}
	}
	return target{group: parts[1], namespace: parts[2], resource: parts[3], name: parts[4]}
}

func (a *server) serveSlices(r *http.Request, of target) (int, runtime.Object, error) {
	query := r.URL.Query()
	if (of.name == "") != (r.Method == http.MethodPost) && r.Method != http.MethodGet {
		return 0, nil, unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
	}
	q := &request{name: of.name, namespace: of.namespace}
	dryRun := query["dryRun"]
	err := error(nil)
	switch r.Method {
	case http.MethodGet:
		if of.name == "" {
			list, err := a.list(r.Context(), of.namespace, listOptions(r))
			return http.StatusOK, list, err
		}
		q.verb, dryRun = "get", nil
	case http.MethodPost:
		q.verb = "create"
		q.sent, err = read(r, of)
	case http.MethodPut:
		q.verb = "update"
		q.sent, err = read(r, of)
	case http.MethodPatch:
		var data []byte
		if data, err = body(r); err == nil {
			force := query.Get("force") == "true"
			o := metav1.PatchOptions{FieldManager: query.Get("fieldManager"), Force: &force}
			q, err = a.patch(of, types.PatchType(mediaType(r.Header.Get("Content-Type"))), data, o)
		}
	case http.MethodDelete:
		var o metav1.DeleteOptions
		err = decode(r, &o)
		q.verb = "delete"
		q.preconditions = o.Preconditions
		dryRun = append(dryRun, o.DryRun...)
	default:
		err = unsupported(http.StatusMethodNotAllowed, "%s", r.Method)
	}
	if err != nil {
		return 0, nil, err
	}
	s, err := a.do(r.Context(), q, dryRun)
	switch {
	case q.verb == "create", q.verb == "apply" && q.old == nil:
		return http.StatusCreated, s, err
	case err != nil || q.verb != "delete":
		return http.StatusOK, s, err
	case q.dying != nil:
		return http.StatusOK, q.dying, nil
	}
	return http.StatusOK, &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// read decodes a slice that is created or replaced. Its namespace and name must be those in the
// path.
func read(r *http.Request, of target) (*discoveryv1.EndpointSlice, error) {
	s := &discoveryv1.EndpointSlice{}
	if err := decode(r, s); err != nil {
		return nil, err
	}
	if s.Namespace = cmp.Or(s.Namespace, of.namespace); s.Namespace != of.namespace ||
		of.name != "" && s.Name != of.name {
		return nil, apierrors.NewBadRequest("the names of the object are not those of the URL " + r.URL.Path)
	}
	return s, nil
}

func listOptions(r *http.Request) metav1.ListOptions {
	q := r.URL.Query()
	return metav1.ListOptions{LabelSelector: q.Get("labelSelector"), FieldSelector: q.Get("fieldSelector")}
}

// serveCore answers requests for the Service, Pods and Nodes of the State.
func (a *server) serveCore(r *http.Request, of target) (runtime.Object, error) {
	a.mu.Lock()
	s := a.state
	a.mu.Unlock()
	chosen, err := selector(listOptions(r))
	if err != nil {
		return nil, err
	}
	switch of.resource {
	case "services":
		list := &corev1.ServiceList{}
		return pick(of, []*corev1.Service{s.Service}, chosen, list, &list.Items)
	case "pods":
		list := &corev1.PodList{}
		return pick(of, s.Pods, chosen, list, &list.Items)
	case "nodes":
		list := &corev1.NodeList{}
		return pick(of, s.Nodes, chosen, list, &list.Items)
	}
	return nil, unsupported(http.StatusMethodNotAllowed, "%s", of.resource)
}

// pick returns the object with the name in the path. If the path has no name, it returns the list,
// with all chosen objects as its items.
func pick[T any, P interface {
	*T
	metav1.Object
	runtime.Object
}](of target, all []P, chosen func(metav1.Object) bool, list runtime.Object, items *[]T) (runtime.Object, error) {
	for _, o := range all {
		switch {
		case o == nil || of.namespace != "" && of.namespace != o.GetNamespace(): // nil: the first sync has not begun
		case of.name == o.GetName():
			return o, nil
		case of.name == "" && chosen(o):
			*items = append(*items, *o)
		}
	}
	if of.name != "" {
		return nil, apierrors.NewNotFound(corev1.Resource(of.resource), of.name)
	}
	return list, nil
}

// documents returns, by path, the documents of the discovery API. REST mappers learn the
// resources from them.
func documents() map[string]runtime.Object {
	v := metav1.GroupVersionForDiscovery{GroupVersion: slicesKind.String(), Version: "v1"}
	group := metav1.APIGroup{
		Name: discoveryv1.GroupName, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v,
	}
	read := []string{"get", "list"}
	return map[string]runtime.Object{
		"api":                           &metav1.APIVersions{Versions: []string{"v1"}},
		"apis":                          &metav1.APIGroupList{Groups: []metav1.APIGroup{group}},
		"apis/" + discoveryv1.GroupName: &group,
		"api/v1": &metav1.APIResourceList{GroupVersion: coreKind.String(), APIResources: []metav1.APIResource{
			{Name: "services", Kind: "Service", Namespaced: true, Verbs: read},
			{Name: "pods", Kind: "Pod", Namespaced: true, Verbs: read},
			{Name: "nodes", Kind: "Node", Verbs: read},
		}},
		"apis/" + slicesKind.String(): &metav1.APIResourceList{GroupVersion: slicesKind.String(),
			APIResources: []metav1.APIResource{
				{Name: "endpointslices", Kind: "EndpointSlice", Namespaced: true,
					Verbs: append(read, "create", "delete", "patch", "update")},
			}},
	}
}
