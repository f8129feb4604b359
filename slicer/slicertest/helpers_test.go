package slicertest

import (
	"cmp"
	"context"
	"net/http"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

func idle(http.RoundTripper) func(context.Context, State) error {
	return func(context.Context, State) error { return nil }
}

func keeping(habit func(*keeper)) writer {
	k := newKeeper()
	habit(k)
	return k.start
}

// suiteOf has the histories that SLICEWRIGHT_SEED draws.
func suiteOf(t *testing.T, o Options, f kit.Flags, start writer) *suite {
	t.Helper()
	f.Seed = cmp.Or(f.Seed, uint64(nightly.Seed(t, 0)))
	k, err := newSuite(o, f, start)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// blamesNone fails with everything that a writer is blamed for.
func blamesNone(t *testing.T, o Options, f kit.Flags, start writer) {
	t.Helper()
	found, err := suiteOf(t, o, f, start).check()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f.Text())
	}
}

func newSlice(name string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Name = name
	s.Labels = map[string]string{discoveryv1.LabelServiceName: serviceName, discoveryv1.LabelManagedBy: manager}
	s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}}
	return s
}

// client calls the server as client-go's client of a namespace does, but without HTTP.
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
