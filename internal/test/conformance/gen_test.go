package conformance

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
)

// chance is true in one of n draws; it shrinks to false.
func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

func pick[E any](t *rapid.T, label string, from ...E) E {
	return from[rapid.IntRange(0, len(from)-1).Draw(t, label)]
}

func ptr[V any](v V) *V { return &v }

// world is a cluster that changes as clusters do: what a Service, Pods and Nodes may be on an API
// server, and nothing that it would refuse.
type world struct {
	t *rapid.T
	c *Cluster
	// names counts Pods and Nodes, so that none gets the name of an earlier one.
	names, nodes, services int
}

func newWorld(t *rapid.T) *world {
	w := &world{t: t, c: &Cluster{Nodes: map[string]*corev1.Node{}}}
	w.c.Max = pick(t, "max", 2, 1, 3, 4, 100)
	for range rapid.IntRange(0, 5).Draw(t, "nodes") {
		w.addNode()
	}
	w.newService()
	least := pick(t, "least pods", 0, 4, 12)
	for range rapid.IntRange(least, least+8).Draw(t, "pods") {
		w.addPod()
	}
	w.tick()
	return w
}

func (w *world) tick() {
	w.c.Trigger = time.Unix(1_790_000_000+int64(rapid.IntRange(0, 9).Draw(w.t, "second")), 0)
}

// newService makes a Service, as after one of the same name was deleted.
func (w *world) newService() {
	t := w.t
	w.services++
	svc := newService()
	svc.UID = types.UID(fmt.Sprintf("service-%d", w.services))
	svc.Spec.Type = pick(t, "type", corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort,
		corev1.ServiceTypeLoadBalancer)
	w.c.Service = svc
	w.families()
	w.ports()
	w.relabel()
	w.distribute()
	svc.Spec.PublishNotReadyAddresses = chance(t, 6, "publish not ready")
}

func (w *world) families() {
	spec := &w.c.Service.Spec
	v4, v6 := corev1.IPv4Protocol, corev1.IPv6Protocol
	spec.IPFamilies = pick(w.t, "families", []corev1.IPFamily{v4}, []corev1.IPFamily{v4, v6}, []corev1.IPFamily{v6},
		[]corev1.IPFamily{v6, v4}, nil)
	spec.ClusterIP = "10.96.0.1"
	if len(spec.IPFamilies) > 0 && spec.IPFamilies[0] == v6 ||
		spec.IPFamilies == nil && chance(w.t, 2, "v6 cluster IP") {
		spec.ClusterIP = "fd00:96::1"
	}
	if spec.Type == corev1.ServiceTypeClusterIP && chance(w.t, 3, "headless") {
		spec.ClusterIP = corev1.ClusterIPNone
	}
	spec.ClusterIPs = []string{spec.ClusterIP}
}

// ports draws the ports of the Service: up to three, by number or by name.
func (w *world) ports() {
	t, spec := w.t, &w.c.Service.Spec
	spec.Ports = nil
	least := 1
	if isHeadless(w.c.Service) {
		least = 0
	}
	for i := range rapid.IntRange(least, 2).Draw(t, "ports") {
		p := corev1.ServicePort{
			Name: fmt.Sprintf("p%d", i), Port: int32(80 + i),
			Protocol: pick(t, "protocol", corev1.ProtocolTCP, corev1.ProtocolTCP, corev1.ProtocolUDP),
			TargetPort: pick(t, "target", intstr.FromInt32(8080), intstr.FromInt32(8081), intstr.FromString("http"),
				intstr.FromString("dns")),
		}
		if chance(t, 6, "app protocol") {
			p.AppProtocol = ptr("kubernetes.io/h2c")
		}
		spec.Ports = append(spec.Ports, p)
	}
	if len(spec.Ports) == 1 && chance(t, 3, "nameless") {
		spec.Ports[0].Name = ""
	}
}

func (w *world) relabel() {
	w.c.Service.Labels = pick(w.t, "labels", nil, map[string]string{"team": "a"},
		map[string]string{"team": "b", "tier": "front"},
		map[string]string{"team": "a", discoveryv1.LabelManagedBy: "someone", corev1.IsHeadlessService: ""})
}

// distribute draws what hints are wanted.
func (w *world) distribute() {
	svc := w.c.Service
	svc.Annotations = pick(w.t, "topology", nil, nil, map[string]string{corev1.AnnotationTopologyMode: "Auto"},
		map[string]string{corev1.DeprecatedAnnotationTopologyAwareHints: "auto",
			corev1.AnnotationTopologyMode: "Disabled"},
		map[string]string{corev1.DeprecatedAnnotationTopologyAwareHints: "disabled",
			corev1.AnnotationTopologyMode: "Auto"})
	svc.Spec.TrafficDistribution = pick(w.t, "distribution", nil, nil,
		ptr(corev1.ServiceTrafficDistributionPreferClose),
		ptr(corev1.ServiceTrafficDistributionPreferSameZone), ptr(corev1.ServiceTrafficDistributionPreferSameNode),
		ptr("Foo"))
}

// addNode adds a Node, most often a good one with a zone.
func (w *world) addNode() {
	t := w.t
	w.nodes++
	node := newNode(fmt.Sprintf("node-%d", w.nodes), pick(t, "zone", "a", "b", "c"),
		rapid.IntRange(1, 8).Draw(t, "cores"))
	switch rapid.IntRange(0, 31).Draw(t, "node fault") {
	case 28:
		node.Labels["node-role.kubernetes.io/control-plane"] = ""
	case 29:
		node.Status.Conditions[0].Status = corev1.ConditionFalse
	case 30:
		delete(node.Labels, corev1.LabelTopologyZone)
	case 31:
		node.Status.Allocatable = nil
	}
	w.c.Nodes[node.Name] = node
}

// addPod adds a Pod, most often one that runs and is ready.
func (w *world) addPod() {
	t := w.t
	w.names++
	i := w.names
	if chance(t, 8, "address used again") {
		i = rapid.IntRange(1, w.names).Draw(t, "address of")
	}
	pod := newPod(w.names, "")
	if w.nodes > 0 {
		pod.Spec.NodeName = fmt.Sprintf("node-%d", rapid.IntRange(1, w.nodes).Draw(t, "node"))
	}
	pod.Spec.Containers = []corev1.Container{{Name: "web", Ports: w.containerPorts()}}
	if chance(t, 6, "sidecar") {
		side := corev1.Container{Name: "side", Ports: w.containerPorts()}
		if chance(t, 2, "restarts") {
			side.RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways)
		}
		pod.Spec.InitContainers = []corev1.Container{side}
	}
	w.addresses(pod, i)
	w.condition(pod, !chance(t, 5, "not ready"))
	w.oddity(pod)
	w.c.Pods = append(w.c.Pods, pod)
}

func (w *world) containerPorts() []corev1.ContainerPort {
	tcp, udp := corev1.ProtocolTCP, corev1.ProtocolUDP
	http := corev1.ContainerPort{Name: "http", Protocol: tcp, ContainerPort: 8080}
	return pick(w.t, "container ports", []corev1.ContainerPort{http, {Name: "dns", Protocol: udp, ContainerPort: 53}},
		[]corev1.ContainerPort{{Name: "http", Protocol: tcp, ContainerPort: 9090},
			{Name: "dns", Protocol: tcp, ContainerPort: 53}},
		[]corev1.ContainerPort{http}, nil)
}

// addresses gives a Pod those of one family or both.
func (w *world) addresses(pod *corev1.Pod, i int) {
	v4, v6 := fmt.Sprintf("10.0.0.%d", i%200+1), fmt.Sprintf("fd00::%x", i%200+1)
	ips := pick(w.t, "addresses", []string{v4, v6}, []string{v4}, []string{v6, v4}, []string{v6})
	pod.Status.PodIPs = nil
	for _, ip := range ips {
		pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: ip})
	}
	pod.Status.PodIP = ips[0]
}

// oddity is what few Pods have.
func (w *world) oddity(pod *corev1.Pod) {
	switch rapid.IntRange(0, 39).Draw(w.t, "oddity") {
	case 29:
		pod.Status.PodIP, pod.Status.PodIPs = "127.0.0.1", []corev1.PodIP{{IP: "127.0.0.1"}}
	case 30, 31:
		pod.Status.PodIP, pod.Status.PodIPs = "", nil
	case 32:
		pod.Status.PodIPs = nil
	case 33:
		pod.Labels["app"] = "other"
	case 34, 35:
		pod.Spec.Hostname, pod.Spec.Subdomain = "host", pick(w.t, "subdomain", serviceName, "other")
	case 36:
		pod.Status.Phase = pick(w.t, "phase", corev1.PodFailed, corev1.PodSucceeded)
	case 37:
		pod.Spec.NodeName = pick(w.t, "no node", "", "gone")
	case 38, 39:
		w.terminate(pod)
	}
}

func (w *world) terminate(pod *corev1.Pod) {
	pod.DeletionTimestamp = ptr(metav1.Unix(1_790_000_000, 0))
}

func (w *world) condition(pod *corev1.Pod, ready bool) {
	pod.Status.Phase = corev1.PodRunning
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodInitialized, Status: corev1.ConditionTrue},
		{Type: corev1.PodReady, Status: status}}
}
