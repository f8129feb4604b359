package slicertest

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/conditions"
)

const (
	namespace      = "shop"
	otherNamespace = "bank"
	serviceName    = "web"
	otherManager   = "somebody-else.example.com"
	portNumber     = 8080
	otherNumber    = 9090
	teamKey        = "example.com/team" // a label of the Service
)

// cluster has everything that a writer reads except slices. Its objects are replaced and never
// changed, so that the objects of an earlier State stay as they were.
type cluster struct {
	service *corev1.Service
	pods    []*corev1.Pod
	nodes   []*corev1.Node
	away    *corev1.Pod // a Pod that the Service does not select for some time
	deleted bool        // the Service does not exist
	beside  *cluster    // the Service of the same name in the other namespace; nil if there is none
	made    int         // the number of Pods made so far
	born    int         // the number of Services made so far
	version int         // the resourceVersion of the last change to any object
	spelled bool
}

func newCluster() *cluster {
	w := &cluster{born: 1}
	w.service = &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: serviceName, UID: "service-1", ResourceVersion: w.next(),
			Labels:            map[string]string{teamKey: "red"},
			CreationTimestamp: metav1.Unix(1_700_000_000, 0),
		},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, Selector: map[string]string{"app": "web"},
			Ports: []corev1.ServicePort{{
				Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromInt32(portNumber),
			}},
		},
	}
	setFamilies(w.service, corev1.IPv4Protocol)
	for i := range nodes {
		w.nodes = append(w.nodes, w.node(i))
	}
	return w
}

// next returns the resourceVersion of the next change. As in a real API server, no two changes have
// the same resourceVersion.
func (w *cluster) next() string {
	w.version++
	return fmt.Sprint(w.version)
}

// nodes is the number of Nodes. Each Node is in a zone of its own.
const nodes = 3

func nodeName(i int) string { return fmt.Sprintf("node-%d", i%nodes) }

func zoneName(i int) string { return string(rune('a' + i%nodes)) }

func (w *cluster) node(i int) *corev1.Node {
	version := w.next()
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: nodeName(i), UID: types.UID(nodeName(i) + "-" + version), ResourceVersion: version,
			Labels: map[string]string{
				corev1.LabelHostname: nodeName(i), corev1.LabelTopologyZone: zoneName(i),
			},
		},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")},
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// isManaged reports whether Kubernetes publishes the Pods of the Service.
func (w *cluster) isManaged() bool {
	return w.service.Spec.Selector != nil && w.service.Spec.Type != corev1.ServiceTypeExternalName
}

// change replaces the Service by a changed copy.
func (w *cluster) change(f func(*corev1.Service)) {
	s := w.service.DeepCopy()
	f(s)
	s.ResourceVersion = w.next()
	w.service = s
}

func setFamilies(s *corev1.Service, families ...corev1.IPFamily) {
	policy := corev1.IPFamilyPolicySingleStack
	if len(families) > 1 {
		policy = corev1.IPFamilyPolicyRequireDualStack
	}
	s.Spec.IPFamilies = families
	s.Spec.IPFamilyPolicy = &policy
	s.Spec.ClusterIPs = nil
	for _, f := range families {
		ip := map[corev1.IPFamily]string{corev1.IPv4Protocol: "10.96.0.1", corev1.IPv6Protocol: "fd96::1"}[f]
		s.Spec.ClusterIPs = append(s.Spec.ClusterIPs, ip)
	}
	if s.Spec.ClusterIP == corev1.ClusterIPNone {
		s.Spec.ClusterIPs = []string{corev1.ClusterIPNone}
	}
	s.Spec.ClusterIP = s.Spec.ClusterIPs[0]
}

func dual(s *corev1.Service) bool { return len(s.Spec.IPFamilies) > 1 }

// addPods adds ready Pods.
func (w *cluster) addPods(n int) {
	for range n {
		w.addPod(portNumber)
	}
}

// addPod adds a ready Pod, whose port http has the given number. Its address is new. No State has
// shown it yet.
func (w *cluster) addPod(number int32) *corev1.Pod {
	w.made++
	p := w.pod(fmt.Sprintf("web-%d", w.made), w.made, number)
	w.pods = append(w.pods, p)
	return p
}

func (w *cluster) pod(name string, i int, number int32) *corev1.Pod {
	ip4, ip6 := fmt.Sprintf("10.0.%d.%d", i/250, i%250+1), fmt.Sprintf("fd00::%x", i)
	if w.spelled && i%2 == 0 {
		ip6 = fmt.Sprintf("FD00:0::%04X", i)
	}
	main := corev1.Container{Name: "web", Ports: []corev1.ContainerPort{
		{Name: "http", Protocol: corev1.ProtocolTCP, ContainerPort: number},
		{Name: "metrics", Protocol: corev1.ProtocolTCP, ContainerPort: 9100},
	}}
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: types.UID(fmt.Sprintf("pod-%d", i)), ResourceVersion: w.next(),
			Labels: map[string]string{"app": "web"}, CreationTimestamp: metav1.Unix(1_700_000_000+int64(i), 0),
		},
		Spec: corev1.PodSpec{
			NodeName:   nodeName(i),
			Containers: []corev1.Container{main},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip4, PodIPs: []corev1.PodIP{{IP: ip4}, {IP: ip6}},
		},
	}
	for _, t := range []corev1.PodConditionType{
		corev1.PodScheduled, corev1.PodReady, corev1.ContainersReady, corev1.PodInitialized,
	} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: t, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1_700_000_100+int64(i), 0),
		})
	}
	gate := corev1.PodCondition{Type: "example.com/warm", Status: corev1.ConditionFalse}
	p.Status.Conditions = append(p.Status.Conditions, gate)
	switch i % 3 {
	case 0: // the port is that of a sidecar, which is an init container that runs on
		always := corev1.ContainerRestartPolicyAlways
		p.Spec.InitContainers = []corev1.Container{{Name: "setup", Ports: []corev1.ContainerPort{
			{Name: "http", Protocol: corev1.ProtocolTCP, ContainerPort: 1},
		}}, {Name: "proxy", Ports: main.Ports[:1], RestartPolicy: &always}}
		p.Spec.Containers[0].Ports = main.Ports[1:]
	case 1: // a container comes first that has other ports
		p.Spec.Containers = []corev1.Container{{Name: "agent", Ports: []corev1.ContainerPort{
			{Name: "admin", Protocol: corev1.ProtocolTCP, ContainerPort: 15000},
			{Name: "http", Protocol: corev1.ProtocolUDP, ContainerPort: 1},
		}}, main}
		slices.Reverse(p.Status.Conditions)
	}
	return p
}

// podAt returns Pod n modulo the number of Pods, or nil if there are no Pods.
func (w *cluster) podAt(n int) *corev1.Pod {
	if len(w.pods) == 0 {
		return nil
	}
	return w.pods[n%len(w.pods)]
}

// setReady sets the condition Ready of a Pod. Its containers stay ready, as with a readiness gate.
func setReady(p *corev1.Pod, status corev1.ConditionStatus) {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodReady {
			c.Status = status
		}
	}
}

// changePod replaces the Pod that podAt returns by a changed copy, and returns its name. If there
// are no Pods, it does nothing.
func (w *cluster) changePod(n int, f func(*corev1.Pod)) string {
	p := w.podAt(n).DeepCopy()
	if p == nil {
		return ""
	}
	f(p)
	p.ResourceVersion = w.next()
	w.pods = slices.Clone(w.pods)
	w.pods[n%len(w.pods)] = p
	return p.Name
}

// removePods removes k Pods, beginning with Pod n; Pod 0 follows the last one.
func (w *cluster) removePods(n, k int) {
	for range min(k, len(w.pods)) {
		i := n % len(w.pods)
		w.pods = slices.Delete(slices.Clone(w.pods), i, i+1)
	}
}

// lacksNode reports whether some Pod names a Node that does not exist.
func (w *cluster) lacksNode(nodes []*corev1.Node) bool {
	return slices.ContainsFunc(w.pods, func(p *corev1.Pod) bool {
		return p.Spec.NodeName != "" && nodeOf(nodes, p.Spec.NodeName) == nil
	})
}

// awaited returns the names of the ready Pods if the Node of none of them exists. A writer may then
// take the view of Nodes for incomplete, and leave what it has published of these Pods.
func (w *cluster) awaited() map[string]bool {
	names := map[string]bool{}
	for _, p := range w.pods {
		if !conditions.Finished(p) && conditions.FromPod(p, false).Ready {
			if nodeOf(w.nodes, p.Spec.NodeName) != nil {
				return nil
			}
			names[p.Name] = true
		}
	}
	return names
}

// longName is the longest name that a Service can have.
var longName = serviceName + "-" + strings.Repeat("x", 63-len(serviceName)-1)
