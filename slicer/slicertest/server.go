package slicertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// server is an API server in memory. It defaults, validates, names and versions EndpointSlices as
// Kubernetes does, and serves the Service, Pods and Nodes of the State. Several goroutines may use
// it.
type server struct {
	mu        sync.Mutex
	server    *sim.Server
	elsewhere *sim.Server // the other namespace
	applies   bool        // it has server-side apply
	active    bool        // the writer is starting or syncing, so it may write
	late      []*request  // writes that came while the writer was not active
	state     State
	view      func() []*discoveryv1.EndpointSlice // the slices that get and list return; nil: the newest
	before    func(*request) error                // called before a request is executed; may refuse it
	after     func(*request)                      // called when a request is done; may change the answer
	journal   []*request
	log       *kit.Log
	requests  int  // in this sync
	bytes     int  // sent by the writer in this history
	over      bool // a limit was exceeded in this sync
}

// request is a request of a writer, with its result.
type request struct {
	verb          string // create, update, patch, delete, get or list
	name          string // empty for a list, and for a create with a generated name
	namespace     string // empty for the namespace of the Service
	sent          *discoveryv1.EndpointSlice
	patch         []byte
	manager       string // the field manager of a server-side apply
	force         bool
	preconditions *metav1.Preconditions
	old, stored   *discoveryv1.EndpointSlice // before and after a write
	dying         *discoveryv1.EndpointSlice // after a delete: the slice, if finalizers keep it
	err           error
}

func (r *request) writes() bool { return r.verb != "get" && r.verb != "list" }

// Slices returns a client for the slices of a namespace that calls the server without HTTP. It saves
// the tests of this repository the time of encoding.
func (a *server) Slices(namespace string) sim.Client { return client{a, namespace} }

type client struct {
	*server
	namespace string
}

func (c client) Create(ctx context.Context, s *discoveryv1.EndpointSlice,
	o metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.do(ctx, &request{verb: "create", name: s.Name, namespace: c.namespace, sent: s.DeepCopy()}, o.DryRun)
}

func (c client) Update(ctx context.Context, s *discoveryv1.EndpointSlice,
	o metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.do(ctx, &request{verb: "update", name: s.Name, namespace: c.namespace, sent: s.DeepCopy()}, o.DryRun)
}

func (c client) Delete(ctx context.Context, name string, o metav1.DeleteOptions) error {
	q := &request{verb: "delete", name: name, namespace: c.namespace, preconditions: o.Preconditions}
	_, err := c.do(ctx, q, o.DryRun)
	return err
}

func (c client) Get(ctx context.Context, name string, _ metav1.GetOptions) (*discoveryv1.EndpointSlice, error) {
	return c.do(ctx, &request{verb: "get", name: name, namespace: c.namespace}, nil)
}

func (c client) List(ctx context.Context, o metav1.ListOptions) (*discoveryv1.EndpointSliceList, error) {
	return c.list(ctx, c.namespace, o)
}

// patch returns the request for a patch, or the error that refuses the patch. It takes JSON merge
// patches, strategic merge patches that mean the same, and with the feature Apply server-side apply.
func (a *server) patch(of target, t types.PatchType, data []byte, o metav1.PatchOptions) (*request, error) {
	q := &request{verb: "patch", name: of.name, namespace: of.namespace, patch: data}
	if t == types.ApplyYAMLPatchType && a.applies {
		q.verb = "apply"
		q.manager = o.FieldManager
		q.force = o.Force != nil && *o.Force
	} else if t == types.ApplyYAMLPatchType {
		return nil, unsupported(http.StatusUnsupportedMediaType, "server-side apply unless Options.Also has Apply")
	} else if t != types.MergePatchType && !(t == types.StrategicMergePatchType && simple(data)) {
		return nil, unsupported(http.StatusUnsupportedMediaType, "patches of type %s: it takes JSON merge patches, and "+
			"strategic ones that mean the same", t)
	}
	return q, nil
}

// list lists the slices of one namespace, or of all namespaces if in is empty.
func (a *server) list(ctx context.Context, in string, o metav1.ListOptions) (*discoveryv1.EndpointSliceList, error) {
	chosen, err := selector(o)
	if err != nil {
		return nil, err
	}
	if _, err := a.do(ctx, &request{verb: "list"}, nil); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := &discoveryv1.EndpointSliceList{
		ListMeta: metav1.ListMeta{ResourceVersion: fmt.Sprint(a.server.Writes() + 1)},
		Items:    []discoveryv1.EndpointSlice{},
	}
	for _, s := range append(a.shown(namespace), a.shown(otherNamespace)...) {
		if chosen(s) && (in == "" || in == s.Namespace) {
			list.Items = append(list.Items, *s)
		}
	}
	return list, nil
}

// shown returns the slices of a namespace that get and list can return.
func (a *server) shown(in string) []*discoveryv1.EndpointSlice {
	if a.view != nil && in != otherNamespace {
		return a.view()
	}
	return a.at(in).List()
}

// selector returns a function that reports whether the options of a list select an object.
func selector(o metav1.ListOptions) (func(metav1.Object) bool, error) {
	byLabel, wrongLabels := labels.Parse(o.LabelSelector)
	byField, wrongFields := fields.ParseSelector(o.FieldSelector)
	if err := errors.Join(wrongLabels, wrongFields); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	for _, r := range byField.Requirements() {
		if r.Field != "metadata.name" && r.Field != "metadata.namespace" {
			return nil, apierrors.NewBadRequest("there is no field " + r.Field)
		}
	}
	return func(s metav1.Object) bool {
		known := fields.Set{"metadata.name": s.GetName(), "metadata.namespace": s.GetNamespace()}
		return byLabel.Matches(labels.Set(s.GetLabels())) && byField.Matches(known)
	}, nil
}

// begin starts a sync.
func (a *server) begin(s State) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.state = s
	a.journal = nil
	a.requests = 0
	a.over = false
	a.active = true
}

// exceeded reports whether the sync has reached a limit.
func (a *server) exceeded() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.over
}

func (a *server) activate(active bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active = active
}

// at returns the server of a namespace.
func (a *server) at(namespace string) *sim.Server {
	if namespace == otherNamespace {
		return a.elsewhere
	}
	return a.server
}

// do executes a request, with the faults of the history, and adds it to the journal.
func (a *server) do(ctx context.Context, r *request, dryRun []string) (*discoveryv1.EndpointSlice, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.admit(r) {
		return nil, r.err
	}
	if r.writes() && !a.active {
		if len(a.late) < maxLate {
			a.late = append(a.late, r)
		}
		return nil, errLate
	}
	a.journal = append(a.journal, r)
	switch {
	case r.err != nil:
	case ctx.Err() != nil:
		r.err = ctx.Err()
	case len(dryRun) > 0:
		r.err = unsupported(http.StatusMethodNotAllowed, "dry runs")
	case a.before != nil:
		r.err = a.before(r)
	}
	if r.err == nil {
		a.carryOut(r)
	}
	if a.after != nil {
		a.after(r)
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.stored.DeepCopy(), nil
}

func (a *server) carryOut(r *request) {
	server := a.at(r.namespace)
	if r.writes() {
		r.old = server.Get(r.name)
	}
	if r.sent != nil {
		if r.err = tooLarge(r.sent); r.err != nil {
			return
		}
	}
	switch r.verb {
	case "create":
		r.stored, r.err = server.Create(r.inside())
	case "update":
		r.stored, r.err = server.Update(r.inside())
	case "patch":
		r.stored, r.err = server.Patch(r.name, r.patch)
	case "apply":
		r.stored, r.err = server.Apply(types.NamespacedName{Namespace: cmp.Or(r.namespace, namespace), Name: r.name},
			r.manager, r.patch, r.force)
	case "delete":
		r.err = server.Delete(r.name, r.preconditions)
		r.dying = server.Get(r.name)
	case "get":
		list := a.shown(r.namespace)
		if i := slices.IndexFunc(list, func(s *discoveryv1.EndpointSlice) bool { return s.Name == r.name }); i >= 0 {
			r.stored = list[i]
		} else {
			r.err = notFound(r.name)
		}
	}
}

// inside returns the slice that was sent as the server stores it: with its namespace, and without
// kind and apiVersion, which clients do not return either.
func (r *request) inside() *discoveryv1.EndpointSlice {
	c := *r.sent
	c.TypeMeta, c.Namespace = metav1.TypeMeta{}, cmp.Or(c.Namespace, r.namespace, namespace)
	return &c
}

func notFound(name string) error {
	return apierrors.NewNotFound(discoveryv1.Resource("endpointslices"), name)
}

// unsupported returns the error for something that Kubernetes supports and this server does not. It
// breaks no guarantee.
func unsupported(code int32, format string, args ...any) error {
	reason := metav1.StatusReason(strings.ReplaceAll(http.StatusText(int(code)), " ", "")) // such as MethodNotAllowed
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason,
		Message: "slicertest has no " + fmt.Sprintf(format, args...),
	}}
}
