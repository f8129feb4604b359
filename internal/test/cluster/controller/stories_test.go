package cluster

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/examples/controller/network"
)

// In every story the cluster checks that no address it was told to keep is ever missing, and that slices of other
// managers stay as they are.

func TestPortChange(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	svc := c.service("web")
	stay := c.pods("stay", 8)
	c.start(&wire{})
	before := names(c.converge())
	c.view.keep(stay...)
	change(c, svc, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromInt32(9090) })
	if after := names(c.converge()); after != before {
		t.Errorf("slices %s became %s: a new port number is one update each", before, after)
	}
	// Named ports that resolve to two numbers need slices of their own.
	change(c, svc, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromString("web") })
	c.pod("other-number", "b", func(pod *corev1.Pod) { pod.Spec.Containers[0].Ports[0].ContainerPort = 8181 })
	c.converge()
	change(c, svc, func(svc *corev1.Service) {
		svc.Spec.Ports = append(svc.Spec.Ports, corev1.ServicePort{Name: "dns", Protocol: corev1.ProtocolUDP, Port: 53})
	})
	c.converge()
}

func TestLabelChange(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	svc := c.service("web")
	stay := c.pods("stay", 4)
	leaver, _ := c.pod("leaver", "a")
	c.start(&wire{})
	c.converge()
	c.view.keep(stay...)
	change(c, svc, func(svc *corev1.Service) { svc.Labels = map[string]string{"team": "red", "tier": "front"} })
	for _, s := range c.converge() {
		if s.Labels["team"] != "red" || s.Labels["tier"] != "front" {
			t.Errorf("slice %s has labels %v", s.Name, s.Labels)
		}
	}
	change(c, leaver, func(pod *corev1.Pod) { pod.Labels["app"] = "quarantine" })
	c.converge()
	change(c, leaver, func(pod *corev1.Pod) { pod.Labels["app"] = "web" })
	c.converge()
	// Somebody takes a slice's labels, or the slice, away.
	slices := c.ours()
	change(c, &slices[0], func(s *discoveryv1.EndpointSlice) { s.Labels["team"] = "blue" })
	c.converge()
	c.view.release(stay...)
	slices = c.ours()
	c.do(c.admin.Delete(t.Context(), &slices[1]))
	c.converge()
}

// TestNodeReturns: a Node that is lost comes back in another zone, which its Pods then are in.
func TestNodeReturns(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.service("web")
	stay := c.pods("stay", 2) // on Nodes a and b
	lost, _ := c.pod("lost", "c")
	c.start(&wire{})
	c.converge()
	c.view.keep(stay...)
	c.ready(lost, false)
	c.converge()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: c.node("c")}}
	c.do(c.admin.Delete(t.Context(), node))
	c.converge()
	c.remove("lost")
	c.do(c.admin.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node.Name}}))
	c.pod("back", "c")
	c.converge()
	change(c, node, func(node *corev1.Node) { node.Labels = map[string]string{corev1.LabelTopologyZone: "zone-d"} })
	c.converge()
}

func TestTwoServicesOnOneNetwork(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	web := c.service("web")
	c.service("web-too")
	c.service("elsewhere", func(svc *corev1.Service) { svc.Annotations[network.Annotation] = "other" })
	c.service("nowhere", func(svc *corev1.Service) { svc.Annotations = nil })
	stay := c.pods("stay", 4)
	c.start(&wire{})
	before := c.converge()
	c.view.keep(stay...)
	c.do(c.admin.Get(t.Context(), client.ObjectKeyFromObject(web), web))
	change(c, web, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromInt32(81) })
	after := map[string]string{}
	for _, s := range c.converge() {
		after[s.Name] = s.ResourceVersion
	}
	for _, s := range before {
		if same := after[s.Name] == s.ResourceVersion; same != (s.Labels[network.ServiceLabel] != "web") {
			t.Errorf("slice %s of Service %s: written is %v", s.Name, s.Labels[network.ServiceLabel], !same)
		}
	}
	// It moves to another network, and then off all.
	change(c, web, func(svc *corev1.Service) { svc.Annotations[network.Annotation] = "other" })
	c.converge()
	change(c, web, func(svc *corev1.Service) { svc.Annotations = nil })
	for _, s := range c.converge() {
		if s.Labels[network.ServiceLabel] == "web" {
			t.Errorf("slice %s is still there", s.Name)
		}
	}
}

// TestKubeProxyIgnoresTheSlices: the selector is that of kube-proxy's informer. Without the label it would take the slices.
func TestKubeProxyIgnoresTheSlices(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.service("web")
	c.pods("web", 2)
	c.start(&wire{})
	ours := c.converge()
	selector, err := labels.Parse("!service.kubernetes.io/headless,!service.kubernetes.io/service-proxy-name")
	c.do(err)
	taken := func() string {
		var list discoveryv1.EndpointSliceList
		c.do(c.admin.List(t.Context(), &list, client.InNamespace(c.namespace), client.MatchingLabelsSelector{Selector: selector}))
		return names(list.Items)
	}
	if got := taken(); got != "web-abcde web-ipv4" {
		t.Errorf("kube-proxy takes %s", got)
	}
	bare := ours[0].DeepCopy()
	bare.ObjectMeta = metav1.ObjectMeta{Namespace: c.namespace, Name: "bare", Labels: bare.Labels}
	delete(bare.Labels, network.ProxyLabel)
	delete(bare.Labels, discoveryv1.LabelManagedBy)
	c.do(c.admin.Create(t.Context(), bare))
	if got := taken(); !strings.Contains(got, "bare") {
		t.Errorf("kube-proxy takes %s: this test shows nothing", got)
	}
	if name, ok := ours[0].Labels[discoveryv1.LabelServiceName]; ok {
		t.Errorf("DNS servers take the slice for one of Service %s", name)
	}
}

func names(list []discoveryv1.EndpointSlice) string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}
