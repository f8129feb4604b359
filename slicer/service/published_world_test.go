package service_test

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// podWorld is what Plan is given.
type podWorld struct {
	service  *corev1.Service
	pods     []*corev1.Pod
	existing []*discoveryv1.EndpointSlice
	options  service.Options
	node     func(name string) *corev1.Node
}

func podNode(name string) *corev1.Node {
	zone := map[string]string{"node-a": "zone-a", "node-b": "zone-b"}[name]
	if zone == "" {
		return nil
	}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
}

// drawPodWorld makes Pods of the endpoints that a world wants, or nearly, so that its slices hold many of them.
func drawPodWorld(t *rapid.T) podWorld {
	in := gen.World(t)
	w := podWorld{service: podService(), existing: in.Existing, node: podNode}
	w.options.ManagedBy, w.options.Key, w.options.Slices = in.Set.ManagedBy, in.Set.Key, in.Options
	w.service.Spec.IPFamilies = rapid.SampledFrom([][]corev1.IPFamily{
		{corev1.IPv4Protocol}, {corev1.IPv4Protocol}, {corev1.IPv6Protocol, corev1.IPv4Protocol}, {corev1.IPv6Protocol},
	}).Draw(t, "families")
	w.options.Slices.Hints.Mode = rapid.SampledFrom([]hints.Mode{
		hints.None, hints.None, hints.None, hints.Keep, hints.Given, hints.SameZone, hints.SameNode, hints.Proportional,
	}).Draw(t, "mode")
	if w.options.Slices.Hints.Mode == hints.Proportional {
		w.options.Slices.Hints.Weights = hints.Weights{Zones: map[string]int64{"zone-a": 2, "zone-b": 1}}
	}
	if rapid.Bool().Draw(t, "publish without zone") {
		w.node = orEmpty(w.node)
	}
	if rapid.IntRange(0, 4).Draw(t, "addresses") == 4 {
		if len(w.options.Key) == 0 {
			w.options.Key = map[string]string{discoveryv1.LabelServiceName: w.service.Name}
		}
		w.options.Addresses = func(pod *corev1.Pod) ([]string, error) { return []string{pod.Status.PodIP}, nil }
	}
	for g, group := range in.Groups {
		number := rapid.SampledFrom([]int32{80, 80, 80, 81, 0}).Draw(t, "number")
		for i := range group.Endpoints {
			w.pods = append(w.pods, podLike(t, &group.Endpoints[i], fmt.Sprintf("%d-%d", g, i), number))
		}
	}
	if rapid.Bool().Draw(t, "live") {
		w.live(t)
	}
	if rapid.IntRange(0, 9).Draw(t, "terminating") == 9 {
		deletion := at(7)
		w.service.DeletionTimestamp = &deletion
	}
	return w
}

func podService() *corev1.Service {
	svc := aService()
	svc.Namespace, svc.Name = gen.Namespace, gen.Name
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	svc.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP, TargetPort: named("http")}}
	return svc
}

func podLike(t *rapid.T, e *discoveryv1.Endpoint, other string, port int32) *corev1.Pod {
	pod := aPod(1)
	pod.Namespace, pod.Name, pod.UID = gen.Namespace, "pod-"+other, types.UID("uid-"+other)
	if e.TargetRef != nil {
		pod.Name, pod.UID = e.TargetRef.Name, e.TargetRef.UID
	}
	if len(e.Addresses) > 0 {
		ips := rapid.SampledFrom([][]string{nil, nil, {"fd00::1"}, {"fd00::2", "10.0.0.2"}, {"no-ip"}}).Draw(t, "more IPs")
		withIPs(append(ips, e.Addresses...)...)(pod)
		pod.Status.PodIP = e.Addresses[0]
	}
	if rapid.IntRange(0, 5).Draw(t, "lone IP") == 5 {
		pod.Status.PodIPs = nil
	}
	if e.Conditions.Ready != nil && !*e.Conditions.Ready {
		unready(pod)
	}
	if e.Conditions.Terminating != nil && *e.Conditions.Terminating {
		deleting(pod)
	}
	pod.Spec.NodeName = rapid.SampledFrom([]string{"node-a", "node-b", "node-a", "node-b", "", "node-lost", "Node_X"}).Draw(t, "node")
	if e.Hostname != nil {
		pod.Spec.Hostname, pod.Spec.Subdomain = *e.Hostname, gen.Name
	}
	if port != 0 {
		pod.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: port}}}}
	}
	return pod
}

// live lets slices hold what some of the Pods got once, and then changes a few words.
func (w *podWorld) live(t *rapid.T) {
	pods := slices.Clone(w.pods)
	if n := len(pods); n > 0 {
		pods = pods[rapid.IntRange(0, n-1).Draw(t, "first Pod"):]
	}
	in, err := service.Input(w.service, pods, orEmpty(w.node), w.options)
	if err != nil {
		t.Fatal(err)
	}
	in.Options.Invalid = slicer.SetAside
	plan, err := slicer.Compute(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.existing = nil
	for i, s := range plan.After() {
		s = s.DeepCopy()
		s.UID, s.ResourceVersion = types.UID(fmt.Sprint("live-", i)), fmt.Sprint(100+i)
		for j := range s.Endpoints {
			gen.Change(t, &s.Endpoints[j])
		}
		if n := len(s.Endpoints); n > 1 && rapid.IntRange(0, 3).Draw(t, "twice") == 3 {
			s.Endpoints = append(s.Endpoints, *s.Endpoints[0].DeepCopy())
		}
		w.existing = append(w.existing, s)
	}
}
