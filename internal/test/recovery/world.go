package recovery

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	// Namespace and Name are those of the Service under test.
	Namespace, Name = "shop", "web"
	maxPods         = 4
)

// State is what a program publishes: what its informers show besides slices. Objects are never
// changed.
type State struct {
	Service *corev1.Service
	Pods    []*corev1.Pod
	Nodes   []*corev1.Node
}

// Ports are the numbers of the target port, in turn.
var ports = []int{8080, 9090}

// world is what is wanted.
type world struct {
	pods  [maxPods]bool // that exist
	ready [maxPods]bool
	port  int
	lost  bool // the Node of the last Pod is not known
}

func newWorld() world {
	return world{pods: [maxPods]bool{true, true}, ready: [maxPods]bool{true, true, true, true}}
}

func address(pod int) string { return fmt.Sprintf("10.0.0.%d", pod+1) }

func (w *world) state() State {
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: Name, UID: "service"},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector:   map[string]string{"app": "web"},
			Ports:      []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromInt(ports[w.port])}},
		},
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node",
		Labels: map[string]string{corev1.LabelTopologyZone: "a"}}}
	s := State{Service: service, Nodes: []*corev1.Node{node}}
	for i, exists := range w.pods {
		if exists {
			s.Pods = append(s.Pods, w.pod(i))
		}
	}
	return s
}

func (w *world) pod(i int) *corev1.Pod {
	status := corev1.ConditionFalse
	if w.ready[i] {
		status = corev1.ConditionTrue
	}
	name := "node"
	if w.lost && i == maxPods-1 {
		name = "node-2"
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: Namespace, Name: fmt.Sprint("web-", i+1), UID: types.UID(fmt.Sprint("pod-", i+1)),
			Labels: map[string]string{"app": "web"},
		},
		Spec: corev1.PodSpec{NodeName: name},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: address(i), PodIPs: []corev1.PodIP{{IP: address(i)}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: status}},
		},
	}
}

// wanted lists what the slices must hold, sorted: "10.0.0.1:8080 ready=true".
func (w *world) wanted() (list []string) {
	for i, exists := range w.pods {
		if exists && !(w.lost && i == maxPods-1) {
			list = append(list, fmt.Sprintf("%s:%d ready=%t", address(i), ports[w.port], w.ready[i]))
		}
	}
	return list
}

// published lists what slices hold, sorted. An endpoint that is in two slices is listed twice.
func published(list []*discoveryv1.EndpointSlice) (all []string) {
	for _, s := range list {
		var numbers []string
		for _, p := range s.Ports {
			numbers = append(numbers, fmt.Sprint(*p.Port))
		}
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			ready := e.Conditions.Ready == nil || *e.Conditions.Ready
			all = append(all, fmt.Sprintf("%s:%s ready=%t", e.Addresses[0], strings.Join(numbers, ","), ready))
		}
	}
	slices.Sort(all)
	return all
}
