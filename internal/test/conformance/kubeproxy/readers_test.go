package kubeproxy

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/proxy"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

var (
	serviceName = types.NamespacedName{Namespace: "default", Name: "web"}
	families    = map[corev1.IPFamily]discoveryv1.AddressType{
		corev1.IPv4Protocol: discoveryv1.AddressTypeIPv4, corev1.IPv6Protocol: discoveryv1.AddressTypeIPv6,
	}
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // kube-proxy logs what it ignores
	os.Exit(m.Run())
}

// TestRoutesBesideKubeProxy draws the slices of a dual-stack Service and what its policies are, and
// gives them to kube-proxy's own code, once for each family, and to OnePort and Route, once for
// each kind of traffic: to the cluster IP, from outside, and that from inside which kube-proxy
// short-circuits. The endpoints are the same. SLICEWRIGHT_CASES says how many are drawn, 30000
// without it, and SLICEWRIGHT_SEED which.
func TestRoutesBesideKubeProxy(t *testing.T) {
	cases, seed := nightly.Cases(t, 30000), nightly.Seed(t, 1)
	met := map[string]int{}
	for n := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		svc, list := drawService(r), drawSlices(r)
		at := routing.Location{NodeName: "node-" + strconv.Itoa(r.IntN(3)), Zone: "zone-" + strconv.Itoa(r.IntN(3))}

		found, warnings := dedup.OnePort(list, "http", corev1.ProtocolTCP, dedup.Options{})
		if len(warnings) > 0 {
			t.Fatal(warnings)
		}
		route := func(p routing.Policy) string {
			for _, v := range routing.Explain(found, at, p) {
				met[v.Reason]++
			}
			return addresses(routing.Route(found, at, p))
		}
		ours := kinds{inside: route(routing.Internal(svc))}
		if policy, ok := routing.External(svc); ok {
			ours.outside, ours.around = route(policy), route(routing.Policy{})
		}
		if theirs := proxied(svc, list, at); ours != theirs {
			t.Fatalf("SLICEWRIGHT_SEED=%d, case %d, %+v: the endpoints are\n%+v, by kube-proxy\n%+v", seed, n, at, ours,
				theirs)
		}
	}
	for _, reason := range []string{"IsReady", "Hinted", "IsNear", "NoneReady", "NotReady", "OthersHinted", "OthersReady",
		"OtherNode"} {
		if met[reason] == 0 {
			t.Errorf("%s was never met", reason)
		}
	}
}

// kinds are the endpoints for each kind of traffic: to the cluster IP, from outside, and from
// inside to an address of the outside. The last two are empty if the Service has no such address.
type kinds struct{ inside, outside, around string }

// proxied are the endpoints that kube-proxy on a node uses. Its iptables and nftables rules send
// the traffic of the cluster IP and that from outside by the policy of each, and that of clients
// inside to outside addresses by policy Cluster.
func proxied(svc *corev1.Service, list []*discoveryv1.EndpointSlice, at routing.Location) (k kinds) {
	var cluster, local []proxy.Endpoint
	internal, external, outside := false, false, false
	for family := range families {
		services, endpoints := proxy.ServicePortMap{}, proxy.EndpointsMap{}
		changed := proxy.NewServiceChangeTracker(family, nil, nil)
		changed.Update(nil, svc)
		services.Update(changed)
		tracker := proxy.NewEndpointsChangeTracker(family, at.NodeName, nil, nil)
		for _, s := range list {
			tracker.EndpointSliceUpdate(s, false)
		}
		endpoints.Update(tracker)
		for port, service := range services {
			c, l, _, _ := proxy.CategorizeEndpoints(endpoints[port], service, at.NodeName,
				map[string]string{corev1.LabelTopologyZone: at.Zone})
			cluster, local = append(cluster, c...), append(local, l...)
			internal, external = service.InternalPolicyLocal(), service.ExternalPolicyLocal()
			outside = service.ExternallyAccessible()
		}
	}
	of := func(isLocal bool) string {
		if isLocal {
			return addresses(local)
		}
		return addresses(cluster)
	}
	if k.inside = of(internal); outside {
		k.outside, k.around = of(external), of(false)
	}
	return k
}

// addresses are sorted, each once.
func addresses[E any](endpoints []E) string {
	var text []string
	for _, e := range endpoints {
		switch e := any(e).(type) {
		case proxy.Endpoint:
			text = append(text, e.String())
		case dedup.Endpoint:
			text = append(text, e.String())
		}
	}
	slices.Sort(text)
	return fmt.Sprint(slices.Compact(text))
}

func drawService(r *rand.Rand) *corev1.Service {
	single, local := corev1.IPFamilyPolicyRequireDualStack, corev1.ServiceInternalTrafficPolicyLocal
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: serviceName.Namespace, Name: serviceName.Name},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1", "fd00:1::1"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}, IPFamilyPolicy: &single,
			Ports: []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80}},
		},
	}
	if r.IntN(4) == 0 {
		svc.Spec.InternalTrafficPolicy = &local
	}
	if r.IntN(2) == 0 {
		svc.Spec.Type, svc.Spec.Ports[0].NodePort = corev1.ServiceTypeNodePort, 30080
		svc.Spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
		if r.IntN(2) == 0 {
			svc.Spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyLocal
		}
	}
	return svc
}

// drawSlices has up to three slices of each family, whose endpoints have addresses of their own.
// Whether hints and readiness are common is drawn for each family, so that each way to decide is
// met.
func drawSlices(r *rand.Rand) []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, family := range []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol} {
		zoned, noded, ready := r.IntN(3), r.IntN(3), r.IntN(3)
		for n := range r.IntN(4) {
			s := &discoveryv1.EndpointSlice{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: serviceName.Namespace, Name: fmt.Sprintf("web-%s-%d", family, n), ResourceVersion: "1",
					Labels: map[string]string{discoveryv1.LabelServiceName: serviceName.Name},
				},
				AddressType: families[family],
				Ports: []discoveryv1.EndpointPort{{Name: ptr("http"), Protocol: ptr(corev1.ProtocolTCP),
					Port: ptr(int32(8080))}},
			}
			for i := range r.IntN(4) {
				address := fmt.Sprintf("10.0.%d.%d", n, i+1)
				if family == corev1.IPv6Protocol {
					address = fmt.Sprintf("fd00::%d:%d", n, i+1)
				}
				s.Endpoints = append(s.Endpoints, drawEndpoint(r, address, zoned, noded, ready))
			}
			list = append(list, s)
		}
	}
	return list
}

// drawEndpoint has hints and is ready more or less often: 0 is always, or never ready, and 2 now
// and then.
func drawEndpoint(r *rand.Rand, address string, zoned, noded, ready int) discoveryv1.Endpoint {
	e := discoveryv1.Endpoint{Addresses: []string{address}, Hints: &discoveryv1.EndpointHints{}}
	if r.IntN(4) > 0 {
		e.NodeName = ptr("node-" + strconv.Itoa(r.IntN(3)))
	}
	for _, c := range []**bool{&e.Conditions.Ready, &e.Conditions.Serving, &e.Conditions.Terminating} {
		if r.IntN(3) > 0 {
			*c = ptr(r.IntN(2) == 0)
		}
	}
	if ready == 0 {
		e.Conditions.Ready = ptr(false)
	}
	if r.IntN(zoned+1) == 0 { // one zone mostly, and up to nine: unknown ones, and one twice
		for range 1 + r.IntN(2)*r.IntN(9) {
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: "zone-" + strconv.Itoa(r.IntN(5))})
		}
	}
	if r.IntN(noded+1) == 0 {
		e.Hints.ForNodes = []discoveryv1.ForNode{{Name: "node-" + strconv.Itoa(r.IntN(3))}}
	}
	if r.IntN(8) == 0 {
		e.Hints = nil
	}
	return e
}

func ptr[V any](v V) *V { return &v }
