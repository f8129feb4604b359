package importer

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes/fake"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"

	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestImporter: both families, a port that lost, other clusters' and other managers' slices, a
// second sync that writes nothing, an endpoint that goes, and a Service that is not exported any
// more.
func TestImporter(t *testing.T) {
	ctx := context.Background()
	slice := func(name string, family discoveryv1.AddressType, address string) *discoveryv1.EndpointSlice {
		port, other := int32(8080), int32(9090)
		http, metrics, zone := "http", "metrics", "zone-a"
		return &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: map[string]string{
				discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "endpointslice-controller.k8s.io",
			}},
			AddressType: family, Ports: []discoveryv1.EndpointPort{{Name: &http, Port: &port},
				{Name: &metrics, Port: &other}},
			Endpoints: []discoveryv1.Endpoint{{
				Addresses: []string{address}, Zone: &zone,
				TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-0"},
			}},
		}
	}
	foreign := slice("web-west", discoveryv1.AddressTypeIPv4, "10.2.0.1")
	foreign.Labels = map[string]string{
		discoveryv1.LabelManagedBy: "other.example.com", "multicluster.kubernetes.io/service-name": "web", "multicluster.kubernetes.io/source-cluster": "east",
	}
	there := fake.NewClientset(slice("web-4", discoveryv1.AddressTypeIPv4, "10.1.0.1"),
		slice("web-6", discoveryv1.AddressTypeIPv6, "fd00::1"))
	here := fake.NewClientset(foreign)
	cache := func(namespace string) lister { return lister{here.DiscoveryV1().EndpointSlices(namespace)} }
	syncer := publish.New(publish.ClientSlices(here.DiscoveryV1().EndpointSlices, cache, nil), services.Options{})
	of := mcs.Import{
		Namespace: "shop", Name: "web", Cluster: "east", ManagedBy: "mcs.example.com",
		Owner: metav1.OwnerReference{APIVersion: "multicluster.x-k8s.io/v1beta1", Kind: "ServiceImport", Name: "web",
			UID: "import-1"},
	}
	west := of
	west.Cluster = "west"
	http := []corev1.ServicePort{{Name: "http", Port: 80}}
	check := func(of mcs.Import, ports []corev1.ServicePort, want ...string) {
		t.Helper()
		if err := sync(ctx, there, syncer, of, ports); err != nil {
			t.Fatal(err)
		}
		list, err := here.DiscoveryV1().EndpointSlices("shop").List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range list.Items {
			e := s.Endpoints[0]
			text := s.Labels["multicluster.kubernetes.io/source-cluster"] + " " + e.Addresses[0]
			if e.Hostname != nil && e.TargetRef == nil && *e.Zone == "zone-a" && len(s.Ports) == 1 {
				text += " " + *e.Hostname + " " + *s.Ports[0].Name
			}
			got = append(got, text)
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("here are %q, want %q", got, want)
		}
	}
	const other = "east 10.2.0.1" // another manager's
	check(of, http, other, "east 10.1.0.1 web-0 http", "east fd00::1 web-0 http")
	check(west, http, other, "east 10.1.0.1 web-0 http", "east fd00::1 web-0 http", "west 10.1.0.1 web-0 http",
		"west fd00::1 web-0 http")
	here.ClearActions()
	check(of, http, other, "east 10.1.0.1 web-0 http", "east fd00::1 web-0 http", "west 10.1.0.1 web-0 http",
		"west fd00::1 web-0 http")
	for _, a := range here.Actions() {
		if a.GetVerb() != "list" {
			t.Errorf("the second sync has action %s", a.GetVerb())
		}
	}
	if err := there.DiscoveryV1().EndpointSlices("shop").Delete(ctx, "web-6", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	check(of, http, other, "east 10.1.0.1 web-0 http", "west 10.1.0.1 web-0 http", "west fd00::1 web-0 http")
	onlyIPv6 := west
	onlyIPv6.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol} // as mcs.MergeExports merges them
	check(onlyIPv6, http, other, "east 10.1.0.1 web-0 http")
	check(west, http, other, "east 10.1.0.1 web-0 http", "west 10.1.0.1 web-0 http")
	check(of, nil, other, "west 10.1.0.1 web-0 http")
}

// lister lists with a client, in place of an informer.
type lister struct {
	discoveryclient.EndpointSliceInterface
}

func (l lister) List(selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
	list, err := l.EndpointSliceInterface.List(context.Background(),
		metav1.ListOptions{LabelSelector: selector.String()})
	if err != nil {
		return nil, err
	}
	return slicer.Pointers(list.Items), nil
}
