//lint:file-ignore SA1019 Endpoints are deprecated, and a world has mirrors of them.

package upgrade

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// A world says what is planned on the existing slices at a time: first with 12 Pods, then after a
// third of them has gone, which leaves holes.
type world struct {
	name string
	plan func(existing []*discoveryv1.EndpointSlice, later bool) (slicer.Plan, error)
}

// setup is what a world of package services changes of a Service with Pods and of the options.
type setup struct {
	svc  *corev1.Service
	pods []*corev1.Pod
	o    services.Options
}

func ptr[V any](v V) *V { return &v }

// of is a world of package services.
func of(name string, change func(*setup)) world {
	return world{name, func(existing []*discoveryv1.EndpointSlice, later bool) (slicer.Plan, error) {
		s := usual()
		change(s)
		return services.Plan(s.svc, present(s.pods, later), nodes, existing, s.o)
	}}
}

func usual() *setup {
	s := &setup{o: services.Options{ManagedBy: "slices.example.com"}}
	s.o.Slices.MaxEndpointsPerSlice = 5
	s.svc = &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "service",
			Labels: map[string]string{"team": "a"}, CreationTimestamp: metav1.Unix(1_700_000_000, 0)},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector: map[string]string{"app": "web"},
			Ports: []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80,
				TargetPort: intstr.FromString("http")}},
		},
	}
	for i := range 12 {
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("web-", i),
				UID: types.UID(fmt.Sprint("pod-", i)), Labels: map[string]string{
					"app": "web", corev1.LabelTopologyZone: zone(i),
				}},
			Spec: corev1.PodSpec{NodeName: "node-" + zone(i),
				Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}}}},
		}
		p.Status.PodIPs = []corev1.PodIP{{IP: fmt.Sprint("10.0.0.", i+1)}, {IP: fmt.Sprint("fd00::", i+1)}}
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue,
			LastTransitionTime: metav1.Unix(1_700_000_100+int64(i), 0)}}
		s.pods = append(s.pods, p)
	}
	return s
}

// present leaves out each third Pod, later.
func present[P any](pods []P, later bool) (list []P) {
	for i, p := range pods {
		if !later || i%3 != 1 {
			list = append(list, p)
		}
	}
	return list
}

func zone(i int) string { return string(rune('a' + i%3)) }

func nodes(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name,
		Labels: map[string]string{corev1.LabelTopologyZone: name[len(name)-1:]}}}
}

func backends(name string, change func(*services.Options)) world {
	return world{name, func(existing []*discoveryv1.EndpointSlice, later bool) (slicer.Plan, error) {
		s, list := usual(), []services.Backend{}
		s.svc.Spec.Selector = nil
		for i := range 12 {
			list = append(list, services.Backend{
				Name:      fmt.Sprint("vm-", i),
				Addresses: []string{fmt.Sprint("192.0.2.", i+1), fmt.Sprint("192.0.2.", i+101)}, Ready: i > 2,
				Terminating: i == 2,
				Ports:       []services.BackendPort{{Name: "http", Port: int32(8080 + i%2)}},
				TargetRef:   corev1.ObjectReference{Kind: "VM", Name: fmt.Sprint("vm-", i)},
			})
		}
		change(&s.o)
		return services.PlanBackends(s.svc, present(list, later), existing, s.o)
	}}
}

// exported is a slice of another cluster.
func exported(later bool) []*discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4,
		Ports: []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(8080))}}}
	for i := range 12 {
		s.Endpoints = append(s.Endpoints,
			discoveryv1.Endpoint{Addresses: []string{fmt.Sprint("10.9.0.", i+1)}, Zone: ptr(zone(i))})
	}
	s.Endpoints = present(s.Endpoints, later)
	return []*discoveryv1.EndpointSlice{s}
}

func mirrored(manager string) func([]*discoveryv1.EndpointSlice, bool) (slicer.Plan, error) {
	return func(existing []*discoveryv1.EndpointSlice, later bool) (slicer.Plan, error) {
		e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db", UID: "endpoints",
			Labels: map[string]string{"team": "b"}}}
		svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db"},
			Spec: corev1.ServiceSpec{ClusterIP: "10.96.0.2"}}
		var all []corev1.EndpointAddress
		for i := range 12 {
			all = append(all, corev1.EndpointAddress{IP: fmt.Sprint("198.51.100.", i+1)},
				corev1.EndpointAddress{IP: fmt.Sprint("fd01::", i+1)})
		}
		all = present(all, later)
		e.Subsets = []corev1.EndpointSubset{{Addresses: all[2:], NotReadyAddresses: all[:2],
			Ports: []corev1.EndpointPort{{Name: "sql", Port: 3306}}}}
		return mirror.Plan(e, svc, existing, mirror.Options{ManagedBy: manager})
	}
}

var worlds = []world{
	of("plain", func(*setup) {}),
	of("ipv6", func(s *setup) { s.svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol} }),
	of("dual-stack", dual),
	of("headless", func(s *setup) {
		dual(s)
		s.svc.Spec.ClusterIP = corev1.ClusterIPNone
		for _, p := range s.pods {
			p.Spec.Hostname, p.Spec.Subdomain = p.Name, s.svc.Name
		}
	}),
	of("headless-without-ports", func(s *setup) { s.svc.Spec.ClusterIP, s.svc.Spec.Ports = corev1.ClusterIPNone, nil }),
	of("named-ports", func(s *setup) {
		for _, p := range s.pods[:5] {
			p.Spec.Containers[0].Ports[0].ContainerPort = 9090
		}
	}),
	of("several-ports", func(s *setup) {
		s.svc.Spec.Ports = append(s.svc.Spec.Ports,
			corev1.ServicePort{Name: "dns", Protocol: corev1.ProtocolUDP, Port: 53},
			corev1.ServicePort{Name: "grpc", Port: 90, AppProtocol: ptr("kubernetes.io/h2c")})
	}),
	of("conditions", func(s *setup) {
		s.pods[0].Status.Conditions[0].Status = corev1.ConditionFalse
		s.pods[2].DeletionTimestamp = &metav1.Time{Time: time.Unix(1_700_000_200, 0)}
	}),
	of("publish-not-ready", func(s *setup) {
		s.svc.Spec.PublishNotReadyAddresses, s.pods[0].Status.Conditions[0].Status = true, corev1.ConditionFalse
	}),
	of("placeholder", func(s *setup) { dual(s); s.pods = nil }),
	of("no-placeholder", func(s *setup) { s.o.Slices.NoPlaceholder = true }),
	of("same-zone", func(s *setup) { s.svc.Spec.TrafficDistribution = ptr(corev1.ServiceTrafficDistributionPreferClose) }),
	of("same-node", func(s *setup) { s.svc.Spec.TrafficDistribution = ptr("PreferSameNode") }),
	of("proportional", func(s *setup) {
		s.svc.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
		s.o.Hints.Weights.Zones = map[string]int64{"a": 8000, "b": 4000, "c": 4000}
	}),
	of("limit", func(s *setup) { limited(s, 20) }),
	of("limit-dual-stack", func(s *setup) { dual(s); limited(s, 50) }),
	of("hints-kept", func(s *setup) { s.o.Hints.Mode = hints.Keep }),
	of("compact", func(s *setup) { s.o.Slices.Packing = slicer.Compact }),
	of("compact-half", func(s *setup) { s.o.Slices.Packing, s.o.Slices.DissolveUpTo = slicer.Compact, 50 }),
	of("one-endpoint-a-slice", func(s *setup) { s.o.Slices.MaxEndpointsPerSlice = 1 }),
	of("explicit-conditions", func(s *setup) { s.o.Slices.ExplicitConditions = true }),
	of("by-target-uid", func(s *setup) { s.o.Slices.ByTargetUID = true }),
	of("generated-names", func(s *setup) { s.o.Slices.GeneratedNames = true }),
	of("name-prefix", func(s *setup) { s.o.NamePrefix = "blue-" }),
	of("labels-annotations-key", func(s *setup) {
		s.o.Labels, s.o.Annotations = map[string]string{"tier": "front"}, map[string]string{"note": "x"}
		s.o.KeyLabel = "network"
	}),
	of("kubernetes-manager", func(s *setup) { s.o.ManagedBy = services.KubernetesManager }),
	of("zone-from-pod", func(s *setup) { s.o.ZoneFromPod = true }),
	backends("backends", func(*services.Options) {}),
	backends("backends-first", func(o *services.Options) { o.PerFamily = services.FirstAddress }),
	backends("backends-joined", func(o *services.Options) { o.PerFamily = services.JoinedAddresses }),
	{"mirror", mirrored("mirrors.example.com")},
	{"mirror-as-kubernetes", mirrored(mirror.KubernetesManager)},
	{"copy", func(existing []*discoveryv1.EndpointSlice, later bool) (slicer.Plan, error) {
		return mirror.PlanCopy(slicer.Set{
			Namespace: "shop", Name: "web-east", ManagedBy: "copies.example.com",
			Key: map[string]string{"copies.example.com/source": "east.shop.web"},
		}, exported(later), existing, mirror.CopyOptions{})
	}},
	{"import", func(existing []*discoveryv1.EndpointSlice, later bool) (slicer.Plan, error) {
		return mcs.PlanImport(mcs.Import{
			Namespace: "shop", Name: "web", Cluster: "east", ManagedBy: "mcs.example.com",
			Owner: metav1.OwnerReference{APIVersion: "multicluster.x-k8s.io/v1beta1", Kind: "ServiceImport",
				Name: "web", UID: "import"},
		}, []corev1.ServicePort{{Name: "http", Port: 80}}, exported(later), existing,
			mirror.CopyOptions{Zone: mirror.Keep})
	}},
}

// limited lets most traffic come from a zone that has a third of the endpoints, so that it borrows
// endpoints, which have several zones.
func limited(s *setup, percent int) {
	s.svc.Spec.TrafficDistribution = ptr("PreferSameZone")
	s.o.Hints.Limit = percent
	s.o.Hints.Weights.Zones = map[string]int64{"a": 8000, "b": 1000, "c": 3000}
}

func dual(s *setup) {
	s.svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
}
