package slicertest

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/sim"
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
	t, err := sim.Acceptable(r.Header.Get("Accept"))
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
	return sim.Answer(r, code, t, o)
}

// serve answers a request by its path.
func (a *server) serve(r *http.Request) (int, runtime.Object, error) {
	path := strings.Trim(r.URL.Path, "/")
	if o := sim.Documents()[path]; o != nil {
		return http.StatusOK, o, nil
	}
	if q := r.URL.Query(); q.Get("watch") == "true" || q.Get("watch") == "1" {
		return 0, nil, sim.Unsupported(http.StatusMethodNotAllowed, "watches: State is what informers show")
	}
	of := sim.TargetOf(path)
	switch {
	case of.Resource == "endpointslices" && of.Group == discoveryv1.SchemeGroupVersion.String():
		return a.serveSlices(r, of)
	case of.Group == "v1" && r.Method == http.MethodGet:
		o, err := a.serveCore(r, of)
		return http.StatusOK, o, err
	}
	return 0, nil, sim.Unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
}

func (a *server) serveSlices(r *http.Request, of sim.Target) (int, runtime.Object, error) {
	query := r.URL.Query()
	if (of.Name == "") != (r.Method == http.MethodPost) && r.Method != http.MethodGet {
		return 0, nil, sim.Unsupported(http.StatusMethodNotAllowed, "%s of %s", r.Method, r.URL.Path)
	}
	q := &request{name: of.Name, namespace: of.Namespace}
	dryRun := query["dryRun"]
	err := error(nil)
	switch r.Method {
	case http.MethodGet:
		if of.Name == "" {
			list, err := a.list(r.Context(), of.Namespace, sim.ListOptions(r))
			return http.StatusOK, list, err
		}
		q.verb, dryRun = "get", nil
	case http.MethodPost, http.MethodPut:
		q.verb = map[string]string{http.MethodPost: "create", http.MethodPut: "update"}[r.Method]
		q.sent, err = read(r, of)
	case http.MethodPatch:
		var data []byte
		if data, err = sim.Body(r); err == nil {
			force := query.Get("force") == "true"
			o := metav1.PatchOptions{FieldManager: query.Get("fieldManager"), Force: &force}
			q, err = a.patch(of, types.PatchType(sim.MediaType(r.Header.Get("Content-Type"))), data, o)
		}
	case http.MethodDelete:
		var o metav1.DeleteOptions
		err = sim.Decode(r, &o)
		q.verb = "delete"
		q.preconditions = o.Preconditions
		dryRun = append(dryRun, o.DryRun...)
	default:
		err = sim.Unsupported(http.StatusMethodNotAllowed, "%s", r.Method)
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
func read(r *http.Request, of sim.Target) (*discoveryv1.EndpointSlice, error) {
	s := &discoveryv1.EndpointSlice{}
	if err := sim.Decode(r, s); err != nil {
		return nil, err
	}
	if s.Namespace = cmp.Or(s.Namespace, of.Namespace); s.Namespace != of.Namespace ||
		of.Name != "" && s.Name != of.Name {
		return nil, apierrors.NewBadRequest("the names of the object are not those of the URL " + r.URL.Path)
	}
	return s, nil
}

// serveCore answers requests for the Service, Pods and Nodes of the State.
func (a *server) serveCore(r *http.Request, of sim.Target) (runtime.Object, error) {
	a.mu.Lock()
	s := a.state
	a.mu.Unlock()
	chosen, err := sim.Selector(sim.ListOptions(r))
	if err != nil {
		return nil, err
	}
	var all []runtime.Object
	var list runtime.Object
	switch of.Resource {
	case "services":
		list = &corev1.ServiceList{}
		if s.Service != nil {
			all = append(all, s.Service)
		}
	case "pods":
		list = &corev1.PodList{}
		for _, p := range s.Pods {
			all = append(all, p)
		}
	case "nodes":
		list = &corev1.NodeList{}
		for _, n := range s.Nodes {
			all = append(all, n)
		}
	default:
		return nil, sim.Unsupported(http.StatusMethodNotAllowed, "%s", of.Resource)
	}
	for i := len(all) - 1; i >= 0; i-- {
		o := all[i].(metav1.Object)
		if of.Name == o.GetName() && of.Namespace == o.GetNamespace() {
			return all[i], nil
		}
		if !chosen(o) || of.Namespace != "" && of.Namespace != o.GetNamespace() {
			all = slices.Delete(all, i, i+1)
		}
	}
	if of.Name != "" {
		return nil, apierrors.NewNotFound(corev1.Resource(of.Resource), of.Name)
	}
	return list, meta.SetList(list, all)
}
