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

// patch returns the request for a patch, or the error that refuses the patch. It takes JSON merge
// patches, strategic merge patches that mean the same, and with the feature Apply server-side
// apply.
func (a *server) patch(of sim.Target, t types.PatchType, data []byte, o metav1.PatchOptions) (*request, error) {
	q := &request{verb: "patch", name: of.Name, namespace: of.Namespace, patch: data}
	if t == types.ApplyYAMLPatchType && a.applies {
		q.verb = "apply"
		q.manager = o.FieldManager
		q.force = o.Force != nil && *o.Force
	} else if t != types.MergePatchType && !(t == types.StrategicMergePatchType && sim.Simple(data)) {
		return nil, sim.Unsupported(http.StatusUnsupportedMediaType, "patches of type %s: it takes merge patches, "+
			"and with Also Apply server-side apply", t)
	}
	return q, nil
}

// list lists the slices of one namespace, or of all namespaces if in is empty.
func (a *server) list(ctx context.Context, in string, o metav1.ListOptions) (*discoveryv1.EndpointSliceList, error) {
	chosen, err := sim.Selector(o)
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

// activate says whether the writer may write. It reports whether the sync has reached a limit.
func (a *server) activate(active bool) (over bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active = active
	return a.over
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
		r.err = sim.Unsupported(http.StatusMethodNotAllowed, "dry runs")
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

// These constants limit the requests of a writer. With the limits of time in internal/test/kit,
// they end each run within a minute and bound its memory, even if the writer never stops.
const (
	maxRequests = 2000     // in one sync; goroutines that send more than twice this number are ended
	maxWrites   = 2000     // in one history
	maxBytes    = 32 << 20 // in one history, as Go values in memory
	maxLate     = 3        // requests to keep that came after a sync had returned
	maxName     = 1000     // bytes of a name to keep
)

var (
	errLimit = errors.New("slicertest: the sync made more than 2000 requests, or sent more than 32 MiB")
	errLate  = errors.New("slicertest: no sync is under way")
)

// admit counts a request against the limits. It reports whether do goes on with the request. The
// first request above a limit goes on, fails with errLimit and is judged. All further requests are
// ignored.
func (a *server) admit(r *request) (ok bool) {
	if a.log.Closed() {
		a.log.End()
	}
	if len(r.name) > maxName {
		r.name = strings.Clone(r.name[:maxName])
	}
	a.bytes += len(r.patch) + footprint(r.sent)
	over := a.bytes > maxBytes
	if a.requests++; a.requests <= maxRequests && !over {
		return true
	}
	r.err = errLimit
	if first := !a.over; first {
		a.over = true
		return true
	}
	if a.requests > 2*maxRequests || a.bytes > 2*maxBytes {
		a.log.End()
	}
	return false
}

// footprint returns the approximate size of a slice in memory, in bytes.
func footprint(s *discoveryv1.EndpointSlice) int {
	if s == nil {
		return 0
	}
	const object, endpoint, port = 500, 400, 100 // sizes without texts
	return object + endpoint*len(s.Endpoints) + port*len(s.Ports) + s.Size()
}
