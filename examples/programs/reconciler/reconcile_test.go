package reconciler

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestReconcile runs Reconcile and Client with the writers' kit, whose caches are late all the
// while: 200 histories, or the number in SLICEWRIGHT_CASES.
func TestReconcile(t *testing.T) {
	histories := 200
	if asked, err := strconv.Atoi(os.Getenv("SLICEWRIGHT_CASES")); err == nil {
		histories = asked
	}
	o := slicertest.Options{
		ManagedBy: "slices.example.com", Histories: histories,
		Also: []string{"LateCaches", "Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner",
			"deterministic", "fewest-writes", "no-moves"},
	}
	slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
		mapper := meta.NewDefaultRESTMapper(nil)
		mapper.Add(discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice"), meta.RESTScopeNamespace)
		live, err := client.New(&rest.Config{Host: "http://kit", Transport: server, QPS: -1},
			client.Options{Mapper: mapper})
		if err != nil {
			t.Fatal(err)
		}
		cached := &cachedClient{Client: live}
		syncer, err := publish.New(Client(cached, live))
		if err != nil {
			t.Fatal(err)
		}
		r := &Reconciler{cached, syncer}
		return func(ctx context.Context, s slicertest.State) error {
			cached.State = s
			result, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: s.Key})
			if err == nil && result.RequeueAfter > 0 {
				return errors.New("it asks for another call")
			}
			return err
		}
	})
}

// cachedClient is a manager's client: it writes to the API server, and reads what the caches show.
type cachedClient struct {
	client.Client
	slicertest.State
}

func (c *cachedClient) Get(_ context.Context, _ client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	if c.Service == nil {
		return apierrors.NewNotFound(corev1.Resource("services"), c.Key.Name)
	}
	c.Service.DeepCopyInto(o.(*corev1.Service))
	return nil
}

func (c *cachedClient) List(_ context.Context, to client.ObjectList, options ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(options)
	switch list := to.(type) {
	case *corev1.PodList:
		list.Items = selected(c.Pods, &o)
	case *corev1.NodeList:
		list.Items = selected(c.Nodes, &o)
	case *discoveryv1.EndpointSliceList:
		list.Items = selected(c.Slices, &o)
	}
	return nil
}

// selected returns the objects of the namespace that the selector selects.
func selected[T any, P interface {
	*T
	client.Object
}](objects []P, o *client.ListOptions) (items []T) {
	for _, object := range objects {
		if o.Namespace != "" && object.GetNamespace() != o.Namespace {
			continue
		}
		if o.LabelSelector == nil || o.LabelSelector.Matches(labels.Set(object.GetLabels())) {
			items = append(items, *object)
		}
	}
	return items
}
