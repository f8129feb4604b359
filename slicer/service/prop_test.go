package service_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// serviceWorld is what Input is given. Few values of everything make them meet.
type serviceWorld struct {
	service *corev1.Service
	pods    []*corev1.Pod
	nodes   bool
	options service.Options
}

func (w serviceWorld) node() func(string) *corev1.Node {
	if w.nodes {
		return nodes
	}
	return nil
}

func drawServiceWorld(t *rapid.T) serviceWorld {
	w := serviceWorld{service: aService(), nodes: rapid.IntRange(0, 3).Draw(t, "nodes") > 0}
	spec := &w.service.Spec
	spec.IPFamilies = rapid.SampledFrom([][]corev1.IPFamily{
		nil, {corev1.IPv4Protocol}, {corev1.IPv6Protocol}, {corev1.IPv6Protocol, corev1.IPv4Protocol},
	}).Draw(t, "ipFamilies")
	spec.ClusterIP = rapid.SampledFrom([]string{"10.96.0.1", "fd00::10", "None", ""}).Draw(t, "clusterIP")
	spec.PublishNotReadyAddresses = rapid.Bool().Draw(t, "publishNotReady")
	spec.Ports = nil
	for i := range rapid.IntRange(0, 3).Draw(t, "ports") {
		spec.Ports = append(spec.Ports, drawServicePort(t, fmt.Sprintf("p%d", i)))
	}
	w.options = service.Options{
		ManagedBy:         manager,
		SkipUnresolved:    rapid.Bool().Draw(t, "skipUnresolved"),
		DeclaredPortsOnly: rapid.Bool().Draw(t, "declaredPortsOnly"),

		IgnorePublishNotReady: rapid.IntRange(0, 3).Draw(t, "ignorePublishNotReady") == 3,
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "pods") {
		w.pods = append(w.pods, drawPod(t, i+1))
	}
	return w
}

var drawnProtocols = rapid.SampledFrom([]corev1.Protocol{"", corev1.ProtocolTCP, corev1.ProtocolUDP})

func drawServicePort(t *rapid.T, name string) corev1.ServicePort {
	return corev1.ServicePort{
		Name: name, Port: 80, Protocol: drawnProtocols.Draw(t, name+" protocol"),
		TargetPort: rapid.SampledFrom([]intstr.IntOrString{{}, intstr.FromInt32(8080), named("a"), named("b")}).Draw(t, name+" target"),
	}
}

// drawPod draws a Pod; i makes its name and addresses its own.
func drawPod(t *rapid.T, i int) *corev1.Pod {
	label := fmt.Sprintf("pod %d ", i)
	kind := rapid.IntRange(1, 11).Draw(t, label+"kind")
	pod := aPod(i)
	switch kind {
	case 1:
		pod.Namespace = "bank"
	case 2:
		pod.Labels = nil
	case 3:
		pod.Status.Phase = corev1.PodFailed
	case 4:
		pod.Status.Conditions = nil
	case 5:
		unready(pod)
	case 6:
		deleting(pod)
	}
	withIPs(rapid.SampledFrom([][]string{
		{fmt.Sprintf("10.0.0.%d", i)}, {fmt.Sprintf("fd00::%d", i)}, {fmt.Sprintf("10.0.0.%d", i), fmt.Sprintf("fd00::%d", i)},
		{"10.0.0.99"}, {fmt.Sprintf("10.0.0.%d", i), fmt.Sprintf("10.0.1.%d", i)}, {"no-ip"}, {},
	}).Draw(t, label+"ips")...)(pod)
	pod.Spec.NodeName = rapid.SampledFrom([]string{"n1", "n2", "n3", "n8", "n9", ""}).Draw(t, label+"node")
	pod.Spec.Hostname = rapid.SampledFrom([]string{"", "h"}).Draw(t, label+"hostname")
	pod.Spec.Subdomain = rapid.SampledFrom([]string{"web", "db", ""}).Draw(t, label+"subdomain")
	for range rapid.IntRange(0, 2).Draw(t, label+"containers") {
		pod.Spec.Containers = append(pod.Spec.Containers, drawContainer(t, label))
	}
	for range rapid.IntRange(0, 1).Draw(t, label+"init containers") {
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, drawContainer(t, label))
	}
	return pod
}

func drawContainer(t *rapid.T, label string) corev1.Container {
	c := corev1.Container{RestartPolicy: rapid.SampledFrom([]*corev1.ContainerRestartPolicy{
		nil, restart(corev1.ContainerRestartPolicyAlways), restart("Never"),
	}).Draw(t, label+"restart")}
	for range rapid.IntRange(0, 2).Draw(t, label+"container ports") {
		c.Ports = append(c.Ports, corev1.ContainerPort{
			Name:          rapid.SampledFrom([]string{"a", "b"}).Draw(t, label+"port name"),
			ContainerPort: rapid.SampledFrom([]int32{8080, 9090}).Draw(t, label+"port number"),
			Protocol:      drawnProtocols.Draw(t, label+"port protocol"),
		})
	}
	return c
}

// TestInputWithAnything: nothing panics, whatever is nil or nonsense, and what is wrong in the Service is not
// found in the Input only.
func TestInputWithAnything(t *testing.T) { rapid.Check(t, inputWithAnything) }

func FuzzInputWithAnything(f *testing.F) { f.Fuzz(rapid.MakeFuzz(inputWithAnything)) }

func inputWithAnything(t *rapid.T) {
	text := rapid.SampledFrom([]string{"", "web", "shop", "\x00", "::1", "10.0.0.1", "None", "a.b"})
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: text.Draw(t, "namespace"), Name: text.Draw(t, "name")},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceType(text.Draw(t, "type")), ClusterIP: text.Draw(t, "clusterIP"), Selector: map[string]string{"app": "web"},
		},
	}
	for range rapid.IntRange(0, 2).Draw(t, "ports") {
		svc.Spec.Ports = append(svc.Spec.Ports, corev1.ServicePort{
			Name: text.Draw(t, "port name"), Protocol: rapid.SampledFrom([]corev1.Protocol{"", "TCP", "tcp"}).Draw(t, "protocol"),
			AppProtocol: rapid.SampledFrom([]*string{nil, new(string), ptr("h2c")}).Draw(t, "appProtocol"),
			Port:        rapid.Int32Range(-1, 65540).Draw(t, "port"), TargetPort: intstr.IntOrString{
				Type: intstr.Type(rapid.IntRange(0, 3).Draw(t, "target type")), StrVal: text.Draw(t, "target"),
				IntVal: rapid.Int32Range(-1, 65540).Draw(t, "target number"),
			},
		})
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: text.Draw(t, "pod namespace"), Labels: svc.Spec.Selector},
		Spec:       corev1.PodSpec{NodeName: text.Draw(t, "node"), Containers: []corev1.Container{{}}},
		Status:     corev1.PodStatus{PodIP: text.Draw(t, "ip"), Conditions: []corev1.PodCondition{{}}},
	}
	o := service.Options{
		ManagedBy: manager, DeclaredPortsOnly: rapid.Bool().Draw(t, "declared"),
	}
	nothing := func(string) *corev1.Node { return nil }
	for _, pods := range [][]*corev1.Pod{nil, {nil}, {pod, nil, {}}} {
		in, err := derive(t, svc, pods, rapid.SampledFrom([]func(string) *corev1.Node{nil, nothing}).Draw(t, "nodes"), o)
		if err == nil && slices.Contains(pods, nil) {
			t.Fatalf("a nil Pod is taken: %v", in)
		}
		_ = skipTexts(in.Skips)
		if err != nil {
			continue
		}
		if _, err := slicer.Compute(in, nil); err != nil && strings.Contains(err.Error(), "groups[") {
			t.Fatalf("Input takes what Compute refuses by another name: %v", err)
		}
		comparePlans(t, podWorld{service: svc, pods: pods, options: o})
	}
	backends := []service.Backend{{}, {Addresses: []string{text.Draw(t, "address")}, Ports: []service.BackendPort{{}}}}
	if _, err := deriveBackends(t, svc, backends, o); err == nil && svc.Name == "" {
		t.Fatal("a Service without name is no mistake")
	}
}

// elsewhere reports whether all Pods, if there are some, are of other namespaces, which is a mistake of the call.
func elsewhere(w serviceWorld) bool {
	return len(w.pods) > 0 && !slices.ContainsFunc(w.pods, func(p *corev1.Pod) bool { return p.Namespace == "shop" })
}

// familiesOf are those of a Service: its own, else that of its cluster IP, else both.
func familiesOf(svc *corev1.Service) []string {
	var families []string
	for _, f := range svc.Spec.IPFamilies {
		families = append(families, string(f))
	}
	if families == nil {
		if ip := net.ParseIP(svc.Spec.ClusterIP); ip != nil && ip.To4() == nil {
			return []string{"IPv6"}
		} else if ip != nil {
			return []string{"IPv4"}
		}
		return []string{"IPv4", "IPv6"}
	}
	return families
}
