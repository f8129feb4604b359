package conformance

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	corelisters "k8s.io/client-go/listers/core/v1"

	"github.com/slicewright/slicewright/slicer"
)

// recorder is a client that does nothing but note what it is asked to write. Anything else that is
// asked of it panics, for it is not there.
type recorder struct {
	kubernetes.Interface
	group  recordedGroup
	mutex  sync.Mutex // of writes: several workers may write
	writes []Write
}

func (r *recorder) note(w Write) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.writes = append(r.writes, w)
}

type recordedGroup struct {
	discoveryclient.DiscoveryV1Interface
	slices recordedSlices
}

type recordedSlices struct {
	discoveryclient.EndpointSliceInterface
	of *recorder
}

func newRecorder() *recorder {
	r := &recorder{}
	r.group.slices.of = r
	return r
}

func (r *recorder) DiscoveryV1() discoveryclient.DiscoveryV1Interface { return &r.group }

func (g *recordedGroup) EndpointSlices(string) discoveryclient.EndpointSliceInterface {
	return &g.slices
}

func (s *recordedSlices) Create(_ context.Context, slice *discoveryv1.EndpointSlice,
	_ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	s.of.note(Write{Verb: slicer.Create, Slice: slice})
	return slice, nil
}

func (s *recordedSlices) Update(_ context.Context, slice *discoveryv1.EndpointSlice,
	_ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	s.of.note(Write{Verb: slicer.Update, Name: slice.Name, Slice: slice})
	return slice, nil
}

func (s *recordedSlices) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	s.of.note(Write{Verb: slicer.Delete, Name: name})
	return nil
}

// nodeLister finds Nodes in a map, at the least cost that a lister can have.
type nodeLister struct {
	corelisters.NodeLister
	nodes map[string]*corev1.Node
}

func (l nodeLister) Get(name string) (*corev1.Node, error) {
	if node, ok := l.nodes[name]; ok {
		return node, nil
	}
	return nil, apierrors.NewNotFound(corev1.Resource("node"), name)
}
