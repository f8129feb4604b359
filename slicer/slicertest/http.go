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
	ctx, code, kind := r.Context(), http.StatusOK, slicesKind.WithKind("EndpointSlice")
	dryRun := r.URL.Query()["dryRun"]
	var s *discoveryv1.EndpointSlice
	var err error
	if (of.name == "") != (r.Method == http.MethodPost) && r.Method != http.MethodGet {
		return 0, nil, kind, unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
	}
	switch r.Method {
	case http.MethodGet:
		if of.name == "" {
			list, err := a.list(ctx, of.namespace, listOptions(r))
			return code, list, slicesKind.WithKind("EndpointSliceList"), err
		}
		s, err = a.do(ctx, &request{verb: "get", name: of.name, namespace: of.namespace}, nil)
	case http.MethodPost, http.MethodPut:
		if s, err = read(r, of); err != nil {
			break
		}
		if r.Method == http.MethodPut {
			s, err = a.Update(ctx, s, metav1.UpdateOptions{DryRun: dryRun})
			break
		}
		code = http.StatusCreated
		s, err = a.Create(ctx, s, metav1.CreateOptions{DryRun: dryRun})
	case http.MethodPatch:
		var data []byte
		if data, err = io.ReadAll(r.Body); err == nil {
			t := types.PatchType(mediaType(r.Header.Get("Content-Type")))
			force := r.URL.Query().Get("force") == "true"
			o := metav1.PatchOptions{DryRun: dryRun, FieldManager: r.URL.Query().Get("fieldManager"), Force: &force}
			var q *request
			if q, err = a.patch(of, t, data, o); err == nil {
				s, err = a.do(ctx, q, dryRun)
			}
			if q != nil && q.verb == "apply" && q.old == nil {
				code = http.StatusCreated
			}
		}
	case http.MethodDelete:
		o := metav1.DeleteOptions{DryRun: dryRun}
		q := &request{verb: "delete", name: of.name, namespace: of.namespace}
		if err = decode(r, &o); err == nil {
			q.preconditions = o.Preconditions
			_, err = a.do(ctx, q, o.DryRun)
		}
		if err == nil && q.dying != nil {
			return code, q.dying, kind, nil
		}
		return code, &metav1.Status{Status: metav1.StatusSuccess}, metaKind.WithKind("Status"), err
	default:
		err = unsupported(http.StatusMethodNotAllowed, "%s", r.Method)
	}
	return code, s, kind, err
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
