package slicertest

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var (
	metaKind   = schema.GroupVersion{Version: "v1"}
	coreKind   = corev1.SchemeGroupVersion
	slicesKind = discoveryv1.SchemeGroupVersion
)

// RoundTrip answers the requests of a client: create, update, merge patch, delete, get and list of EndpointSlices, get and
// list of Services, Pods and Nodes, and discovery, as JSON or protobuf. It refuses watches with a Status that says so, because
// State is what a watch would show. An error instead of an answer is a fault of the network that the history has.
func (a *API) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	code, o, kind, err := a.serve(r)
	if err == nil {
		var response *http.Response
		if response, err = answer(r, code, o, kind); err == nil {
			return response, nil
		}
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return nil, err
	}
	s := status.Status()
	plain := r.Clone(r.Context())
	if _, err := acceptable(r.Header.Get("Accept")); err != nil {
		plain.Header.Del("Accept")
	}
	return answer(plain, int(s.Code), &s, metaKind.WithKind("Status"))
}

// serve finds out what the path asks for.
func (a *API) serve(r *http.Request) (int, message, schema.GroupVersionKind, error) {
	path := strings.Trim(r.URL.Path, "/")
	if o := documents()[path]; o != nil {
		return http.StatusOK, o, metaKind.WithKind(reflect.TypeOf(o).Elem().Name()), nil
	}
	if q := r.URL.Query(); q.Get("watch") == "true" || q.Get("watch") == "1" {
		return 0, nil, schema.GroupVersionKind{}, unsupported(http.StatusMethodNotAllowed, "watches: State is what informers show")
	}
	of := resourceOf(strings.Split(path, "/"))
	switch {
	case of.resource == "endpointslices" && of.group == slicesKind.String():
		return a.serveSlices(r, of)
	case of.group == "v1" && r.Method == http.MethodGet:
		return a.serveCore(r, of)
	}
	return 0, nil, schema.GroupVersionKind{}, unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
}

// target is what a path names.
type target struct{ group, namespace, resource, name string }

func resourceOf(parts []string) target {
	var t target
	if len(parts) > 2 && parts[0] == "api" {
		t.group, parts = parts[1], parts[2:]
	} else if len(parts) > 3 && parts[0] == "apis" {
		t.group, parts = parts[1]+"/"+parts[2], parts[3:]
	} else {
		return t
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		t.namespace, parts = parts[1], parts[2:]
	}
	if len(parts) <= 2 { // a third part is a subresource, and there are none
		t.resource = parts[0]
	}
	if len(parts) == 2 {
		t.name = parts[1]
	}
	return t
}

func (a *API) serveSlices(r *http.Request, of target) (int, message, schema.GroupVersionKind, error) {
	code, kind, query := http.StatusOK, slicesKind.WithKind("EndpointSlice"), r.URL.Query()
	if (of.name == "") != (r.Method == http.MethodPost) && r.Method != http.MethodGet {
		return 0, nil, kind, unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
	}
	q, dryRun, err := &request{name: of.name, namespace: of.namespace}, query["dryRun"], error(nil)
	switch r.Method {
	case http.MethodGet:
		if of.name == "" {
			list, err := a.list(r.Context(), of.namespace, listOptions(r))
			return code, list, slicesKind.WithKind("EndpointSliceList"), err
		}
		q.verb, dryRun = "get", nil
	case http.MethodPost, http.MethodPut:
		if q.verb = "update"; r.Method == http.MethodPost {
			q.verb, code = "create", http.StatusCreated
		}
		if q.sent, err = read(r, of); err == nil {
			q.name = q.sent.Name
		}
	case http.MethodPatch:
		var data []byte
		if data, err = io.ReadAll(r.Body); err == nil {
			force := query.Get("force") == "true"
			o := metav1.PatchOptions{FieldManager: query.Get("fieldManager"), Force: &force}
			q, err = a.patch(of, types.PatchType(mediaType(r.Header.Get("Content-Type"))), data, o)
		}
	case http.MethodDelete:
		var o metav1.DeleteOptions
		err = decode(r, &o)
		q.verb, q.preconditions, dryRun = "delete", o.Preconditions, append(dryRun, o.DryRun...)
	default:
		err = unsupported(http.StatusMethodNotAllowed, "%s", r.Method)
	}
	if err != nil {
		return 0, nil, kind, err
	}
	s, err := a.do(r.Context(), q, dryRun)
	switch {
	case err != nil || q.verb != "delete":
		if q.verb == "apply" && q.old == nil {
			code = http.StatusCreated
		}
		return code, s, kind, err
	case q.dying != nil:
		return code, q.dying, kind, nil
	}
	return code, &metav1.Status{Status: metav1.StatusSuccess}, metaKind.WithKind("Status"), nil
}

// read decodes a slice that is created or replaced, whose names must be those of the path.
func read(r *http.Request, of target) (*discoveryv1.EndpointSlice, error) {
	s := &discoveryv1.EndpointSlice{}
	if err := decode(r, s); err != nil {
		return nil, err
	}
	if s.Kind+s.APIVersion != "" && s.GroupVersionKind() != slicesKind.WithKind("EndpointSlice") {
		return nil, apierrors.NewBadRequest("the body is a " + s.GroupVersionKind().String())
	}
	if s.Namespace = cmp.Or(s.Namespace, of.namespace); s.Namespace != of.namespace || of.name != "" && s.Name != of.name {
		return nil, apierrors.NewBadRequest("the names of the object are not those of the URL " + r.URL.Path)
	}
	return s, nil
}

func listOptions(r *http.Request) metav1.ListOptions {
	q := r.URL.Query()
	return metav1.ListOptions{LabelSelector: q.Get("labelSelector"), FieldSelector: q.Get("fieldSelector")}
}

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
	read := []string{"get", "list"}
	return map[string]message{
		"api":                           &metav1.APIVersions{Versions: []string{"v1"}},
		"apis":                          &metav1.APIGroupList{Groups: []metav1.APIGroup{group}},
		"apis/" + discoveryv1.GroupName: &group,
		"api/v1": &metav1.APIResourceList{GroupVersion: coreKind.String(), APIResources: []metav1.APIResource{
			{Name: "services", Kind: "Service", Namespaced: true, Verbs: read},
			{Name: "pods", Kind: "Pod", Namespaced: true, Verbs: read},
			{Name: "nodes", Kind: "Node", Verbs: read},
		}},
		"apis/" + slicesKind.String(): &metav1.APIResourceList{GroupVersion: slicesKind.String(), APIResources: []metav1.APIResource{
			{Name: "endpointslices", Kind: "EndpointSlice", Namespaced: true, Verbs: append(read, "create", "delete", "patch", "update")},
		}},
	}
}
