// Package sim is an API server for EndpointSlices in memory, and the stale caches that clients see
// it through.
//
// The server does what Kubernetes 1.37 does to a slice: it defaults, refuses, names, versions and
// keeps slices with finalizers until these are gone, and takes server-side apply. It knows nothing
// of plans, so that tests of a planner do not depend on the planner's own idea of what is valid.
// Its HTTP side reads paths, and reads and sends objects as JSON and protobuf.
package sim

import (
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Server holds the slices of one namespace. Its zero value is empty and ready for use. What goes in
// and what comes out are copies.
type Server struct {
	objects  map[string]*history
	owners   map[string]owners // of slices that were applied
	version  int64
	uid, tag int
	writes   int
}

var (
	resource = schema.GroupResource{Group: discoveryv1.GroupName, Resource: "endpointslices"}
	kind     = schema.GroupKind{Group: discoveryv1.GroupName, Kind: "EndpointSlice"}
	epoch    = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
)

// Put stores slices as they are, whatever the rules say: the state that a test begins with. A slice
// without a resourceVersion gets the next one; later writes get higher ones than all that are put.
func (s *Server) Put(slices ...*discoveryv1.EndpointSlice) {
	for _, slice := range slices {
		c := slice.DeepCopy()
		if v, err := strconv.ParseInt(c.ResourceVersion, 10, 64); err == nil && v > s.version {
			s.version = v
		}
		if c.ResourceVersion == "" {
			c.ResourceVersion = s.next()
		}
		s.record(c.Name, c)
	}
}

// Create stores a new slice and returns it as stored.
func (s *Server) Create(slice *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
	c := slice.DeepCopy()
	if c.ResourceVersion != "" {
		return nil, storageError("resourceVersion is set on what is to be created")
	}
	if c.Name == "" && c.GenerateName != "" {
		c.Name = s.generate(c.GenerateName)
	}
	if c.Size() > maxObject {
		return nil, errTooLarge
	}
	Default(c)
	if errs := CreateErrors(c); len(errs) > 0 {
		return nil, apierrors.NewInvalid(kind, c.Name, errs)
	}
	if s.Get(c.Name) != nil {
		return nil, apierrors.NewAlreadyExists(resource, c.Name)
	}
	s.uid++
	c.UID = types.UID(fmt.Sprintf("slice-%d", s.uid))
	c.ResourceVersion, c.Generation = s.next(), 1
	c.CreationTimestamp = metav1.NewTime(epoch.Add(time.Duration(s.version) * time.Second))
	c.DeletionTimestamp = nil
	s.record(c.Name, c)
	return c.DeepCopy(), nil
}

// Update replaces a slice and returns it as stored. One that equals what is stored changes
// nothing.
func (s *Server) Update(slice *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
	old := s.Get(slice.Name)
	if old == nil {
		return nil, apierrors.NewNotFound(resource, slice.Name)
	}
	if slice.Size() > maxObject {
		return nil, errTooLarge
	}
	c := slice.DeepCopy()
	if _, err := strconv.ParseUint(c.ResourceVersion, 10, 64); err != nil && c.ResourceVersion != "" {
		return nil, storageError("resourceVersion is no number")
	}
	if c.ResourceVersion == "0" {
		c.ResourceVersion = ""
	}
	if c.UID != "" && c.UID != old.UID || c.ResourceVersion != "" && c.ResourceVersion != old.ResourceVersion {
		return nil, apierrors.NewConflict(resource, c.Name, fmt.Errorf("the object has been modified"))
	}
	c.UID = old.UID
	c.ResourceVersion = old.ResourceVersion
	c.Generation = old.Generation
	c.CreationTimestamp = old.CreationTimestamp
	if old.DeletionTimestamp != nil {
		c.DeletionTimestamp, c.DeletionGracePeriodSeconds = old.DeletionTimestamp, old.DeletionGracePeriodSeconds
	}
	Default(c)
	if errs := UpdateErrors(c, old); len(errs) > 0 {
		return nil, apierrors.NewInvalid(kind, c.Name, errs)
	}
	if apiequality.Semantic.DeepEqual(c, old) {
		return old, nil
	}
	if !SameGeneration(c, old) {
		c.Generation++
	}
	c.ResourceVersion = s.next()
	if c.DeletionTimestamp != nil && len(c.Finalizers) == 0 {
		s.record(c.Name, nil)
		return c, nil
	}
	s.record(c.Name, c)
	return c.DeepCopy(), nil
}

// maxObject is the largest number of bytes of an object that etcd stores.
const maxObject = 3 << 19

var errTooLarge = apierrors.NewRequestEntityTooLargeError("etcdserver: request is too large")

// storageError is how the API server's storage refuses: without a reason.
func storageError(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: message,
	}}
}

// SameGeneration reports whether an update from one slice to the other leaves its generation:
// endpoints, ports and labels are the same.
func SameGeneration(a, b *discoveryv1.EndpointSlice) bool {
	return apiequality.Semantic.DeepEqual(a.Endpoints, b.Endpoints) &&
		apiequality.Semantic.DeepEqual(a.Ports, b.Ports) && apiequality.Semantic.DeepEqual(a.Labels, b.Labels)
}

// Delete removes a slice, or marks it as being deleted while it has finalizers. p may be nil.
func (s *Server) Delete(name string, p *metav1.Preconditions) error {
	old := s.Get(name)
	if old == nil {
		return apierrors.NewNotFound(resource, name)
	}
	if p != nil && (p.UID != nil && *p.UID != old.UID ||
		p.ResourceVersion != nil && *p.ResourceVersion != old.ResourceVersion) {
		return apierrors.NewConflict(resource, name, fmt.Errorf("a precondition failed"))
	}
	version := s.next()
	if len(old.Finalizers) == 0 {
		s.record(name, nil)
		return nil
	}
	if old.DeletionTimestamp == nil {
		now := metav1.NewTime(epoch.Add(time.Duration(s.version) * time.Second))
		old.DeletionTimestamp = &now
		old.DeletionGracePeriodSeconds = new(int64)
		old.ResourceVersion = version
		old.Generation++
		s.record(name, old)
	}
	return nil
}

// Get returns a copy of the slice, nil if there is none of this name.
func (s *Server) Get(name string) *discoveryv1.EndpointSlice {
	if h := s.objects[name]; h != nil {
		return h.last().object.DeepCopy()
	}
	return nil
}

// List returns copies of all slices, sorted by name.
func (s *Server) List() []*discoveryv1.EndpointSlice {
	list := s.Originals()
	for i, slice := range list {
		list[i] = slice.DeepCopy()
	}
	return list
}

// Originals is List without copies. The slices must not be changed.
func (s *Server) Originals() []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, name := range s.names() {
		if o := s.objects[name].last().object; o != nil {
			list = append(list, o)
		}
	}
	return list
}

func (s *Server) names() []string {
	return slices.Sorted(maps.Keys(s.objects))
}

func (s *Server) next() string {
	s.version++
	return strconv.FormatInt(s.version, 10)
}

// generate appends five characters to at most 58 of the prefix. They are always the same for
// the same server, and their order is not that of creation.
func (s *Server) generate(prefix string) string {
	const limit, letters = 58, "bcdfghjklmnpqrstvwxz2456789"
	if len(prefix) > limit {
		prefix = prefix[:limit]
	}
	for {
		s.tag++
		h := fnv.New64a()
		fmt.Fprintf(h, "slice %d", s.tag)
		sum, tag := h.Sum64()>>16, make([]byte, 5)
		for i := range tag {
			tag[i] = letters[sum%uint64(len(letters))]
			sum /= uint64(len(letters))
		}
		if name := prefix + string(tag); s.Get(name) == nil {
			return name
		}
	}
}
