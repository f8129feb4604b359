// Package printed runs programs for client-go as README prints them. The tests beside the programs
// use public packages only, so that a copy of the programs has tests that pass.
package printed

import (
	"context"
	"io"
	"log"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/examples/programs/controller"
	"github.com/slicewright/slicewright/internal/test/printed"
	"github.com/slicewright/slicewright/internal/test/recovery"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestPrinted runs the program of the README with the writers' kit, and through histories of
// faults.
func TestPrinted(t *testing.T) {
	log.SetOutput(io.Discard)
	t.Run("guarantees", func(t *testing.T) {
		o := slicertest.Options{ManagedBy: "slices.example.com",
			Also: []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}}
		printed.Guarantees(t, o, func(api *slicertest.API) slicertest.Sync {
			client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: api, QPS: -1})
			caches := informers.NewSharedInformerFactory(client, 0)
			syncer := controller.NewSyncer(client, caches)
			return func(ctx context.Context, s slicertest.State) error {
				show(t, caches.Discovery().V1().EndpointSlices().Informer(), s.All, "")
				return controller.Sync(ctx, syncer, s.Service, s.Pods, s.Nodes)
			}
		})
	})
	t.Run("recovery", func(t *testing.T) {
		printed.Recover(t, "slices.example.com", func(server *recovery.Server) printed.Sync {
			caches := informers.NewSharedInformerFactory(nil, 0)
			syncer := controller.NewSyncer(clientset{server: server}, caches)
			return func(ctx context.Context, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
				upTo := server.UpTo()
				list, err := server.Cached(recovery.Namespace, labels.Everything())
				if err != nil {
					return err
				}
				show(t, caches.Discovery().V1().EndpointSlices().Informer(), list, upTo)
				return controller.Sync(ctx, syncer, svc, pods, nodes)
			}
		})
	})
}

// show makes an informer's cache what a list says.
func show(t *testing.T, informer cache.SharedIndexInformer, list []*discoveryv1.EndpointSlice, upTo string) {
	objects := make([]any, len(list))
	for i := range list {
		objects[i] = list[i]
	}
	if err := informer.GetIndexer().Replace(objects, upTo); err != nil {
		t.Error(err)
	}
}

// clientset is client-go's client of a server in memory, as far as the program needs it.
type clientset struct {
	kubernetes.Interface
	discoveryclient.DiscoveryV1Interface
	discoveryclient.EndpointSliceInterface
	server *recovery.Server
}

func (c clientset) DiscoveryV1() discoveryclient.DiscoveryV1Interface { return c }

func (c clientset) EndpointSlices(string) discoveryclient.EndpointSliceInterface { return c }

func (c clientset) Create(ctx context.Context, s *discoveryv1.EndpointSlice,
	o metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.server.Client().Create(ctx, s, o)
}

func (c clientset) Update(ctx context.Context, s *discoveryv1.EndpointSlice,
	o metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.server.Client().Update(ctx, s, o)
}

func (c clientset) Delete(ctx context.Context, name string, o metav1.DeleteOptions) error {
	return c.server.Client().Delete(ctx, name, o)
}

func (c clientset) Get(ctx context.Context, name string, _ metav1.GetOptions) (*discoveryv1.EndpointSlice, error) {
	return c.server.Get(ctx, recovery.Namespace, name)
}

func (c clientset) List(ctx context.Context, o metav1.ListOptions) (*discoveryv1.EndpointSliceList, error) {
	selector, err := labels.Parse(o.LabelSelector)
	if err != nil {
		return nil, err
	}
	return c.server.List(ctx, recovery.Namespace, selector)
}
