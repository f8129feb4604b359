package recovery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer/publish"
)

const maxLate = 3 // events that the cache has not shown

// snapshot is all slices after a write, and its version.
type snapshot struct {
	list    []*discoveryv1.EndpointSlice
	version string
}

// Server is an API server with a cache, as a program sees them. A program must not change what it
// gets from the cache.
type Server struct {
	sim   sim.Server
	log   []snapshot // one for each write; the first is empty
	shown int        // the snapshot that the cache shows
	known bool       // the cache knows its version
	moves bool       // the cache shows one more event between two reads
	gone  []string   // names of slices that were deleted

	faults  []fault // for the next writes, in their order
	pending func()  // a write whose answer was lost, which is not executed yet
	dead    bool    // requests fail, because the program was killed or its context has ended
	talk    bool
	said    []string
}

// fault is what befalls a write.
type fault int

const (
	passes       fault = iota
	losesAnswer        // it is executed
	losesRequest       // it is not executed
	comesLate          // it is executed later, or never
	fails              // the API server answers with an internal error
	cutsOff            // this write and all later ones of the call are not sent
)

var (
	errLost = errors.New("recovery: no answer: connection reset by peer")
	errDead = errors.New("recovery: the request was not sent: context canceled")
)

// NewServer returns an empty API server. If known, its cache knows its version.
func NewServer(known bool) *Server {
	return &Server{log: []snapshot{{version: "0"}}, known: known}
}

// record takes a snapshot after a write, and lets the cache show all that is too old.
func (s *Server) record() {
	last := s.log[len(s.log)-1]
	version := strconv.Itoa(s.sim.Writes())
	if version == last.version {
		return
	}
	list := s.sim.Originals()
	for _, was := range last.list {
		if !slices.ContainsFunc(list, func(o *discoveryv1.EndpointSlice) bool { return o.Name == was.Name }) {
			s.gone = append(s.gone, was.Name)
		}
	}
	s.log = append(s.log, snapshot{list, version})
	s.show(0)
}

// show lets the cache show n more events, and all that are too old.
func (s *Server) show(n int) {
	s.shown = min(max(s.shown+n, len(s.log)-1-maxLate), len(s.log)-1)
}

func (s *Server) current() bool { return s.shown == len(s.log)-1 }

// UpTo returns the version that the cache has reached, empty if it is not known.
func (s *Server) UpTo() string {
	if !s.known {
		return ""
	}
	version := s.log[s.shown].version
	if s.moves {
		s.show(1)
	}
	return version
}

// Cached returns what the cache shows.
func (s *Server) Cached(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
	return selected(s.log[s.shown].list, namespace, selector), nil
}

// List returns what the API server has.
func (s *Server) List(_ context.Context, namespace string,
	selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
	if s.dead {
		return nil, errDead
	}
	list := &discoveryv1.EndpointSliceList{ListMeta: metav1.ListMeta{ResourceVersion: s.log[len(s.log)-1].version}}
	for _, o := range selected(s.sim.List(), namespace, selector) {
		list.Items = append(list.Items, *o)
	}
	return list, nil
}

func selected(list []*discoveryv1.EndpointSlice, namespace string,
	selector labels.Selector) (out []*discoveryv1.EndpointSlice) {
	for _, o := range list {
		if o.Namespace == namespace && selector.Matches(labels.Set(o.Labels)) {
			out = append(out, o)
		}
	}
	return out
}

// Get returns a slice that the API server has.
func (s *Server) Get(_ context.Context, _, name string) (*discoveryv1.EndpointSlice, error) {
	if s.dead {
		return nil, errDead
	}
	if o := s.sim.Get(name); o != nil {
		return o, nil
	}
	return nil, apierrors.NewNotFound(discoveryv1.Resource("endpointslices"), name)
}

// Slices is how a Syncer reads and writes.
func (s *Server) Slices() publish.Slices {
	return publish.Slices{
		Cached: s.Cached, UpTo: s.UpTo, List: s.List, Get: s.Get,
		Writer: func(ctx context.Context, _ string) publish.Writer { return publish.ClientWriter(ctx, s.Client()) },
	}
}

// Stored returns what the API server has, sorted by name.
func (s *Server) Stored() []*discoveryv1.EndpointSlice { return s.sim.List() }

// Show lets the cache show everything.
func (s *Server) Show() { s.show(len(s.log)) }

// Client has the methods of client-go's client that write.
func (s *Server) Client() Client { return Client{s} }

// Client writes.
type Client struct{ server *Server }

// Create stores a new slice.
func (c Client) Create(_ context.Context, o *discoveryv1.EndpointSlice,
	_ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	sent := o.DeepCopy() // it may be executed later
	return c.server.write("create "+o.Name, func() (*discoveryv1.EndpointSlice, error) {
		return c.server.sim.Create(sent)
	})
}

// Update replaces a slice.
func (c Client) Update(_ context.Context, o *discoveryv1.EndpointSlice,
	_ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	sent := o.DeepCopy()
	return c.server.write("update "+o.Name, func() (*discoveryv1.EndpointSlice, error) {
		return c.server.sim.Update(sent)
	})
}

// Delete removes a slice.
func (c Client) Delete(_ context.Context, name string, o metav1.DeleteOptions) error {
	_, err := c.server.write("delete "+name, func() (*discoveryv1.EndpointSlice, error) {
		return nil, c.server.sim.Delete(name, o.Preconditions)
	})
	return err
}

// write carries a write out, with what befalls it.
func (s *Server) write(what string, do func() (*discoveryv1.EndpointSlice, error)) (*discoveryv1.EndpointSlice, error) {
	if s.dead {
		return nil, errDead
	}
	f := passes
	if len(s.faults) > 0 {
		f, s.faults = s.faults[0], s.faults[1:]
	}
	execute := func() (*discoveryv1.EndpointSlice, error) {
		o, err := do()
		s.record()
		if err != nil {
			s.say("      %s is refused: %v", what, err)
		} else {
			s.say("      %s: version %s", what, s.log[len(s.log)-1].version)
		}
		return o, err
	}
	switch f {
	case losesAnswer:
		_, _ = execute()
		s.say("      its answer is lost")
		return nil, errLost
	case losesRequest:
		s.say("      %s has no answer, and is not executed", what)
		return nil, errLost
	case comesLate:
		s.land(true)
		s.pending = func() { _, _ = execute() }
		s.say("      %s has no answer, and may be executed later", what)
		return nil, errLost
	case fails:
		s.say("      %s fails", what)
		return nil, apierrors.NewInternalError(errors.New("recovery: etcd does not answer"))
	case cutsOff:
		s.dead = true
		s.say("      %s is not sent, nor what follows", what)
		return nil, errDead
	default:
		return execute()
	}
}

// land executes a write that is under way, or drops it.
func (s *Server) land(executed bool) {
	pending := s.pending
	s.pending = nil
	if pending != nil && executed {
		pending()
	}
}

// say keeps a line of the history, if it is printed.
func (s *Server) say(format string, args ...any) {
	if s.talk {
		s.said = append(s.said, fmt.Sprintf(format, args...))
	}
}
