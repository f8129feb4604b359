package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// world is what FromPods is given, and the slices that exist.
type world struct {
	service  *corev1.Service
	pods     []*corev1.Pod
	nodes    services.Nodes
	existing []*discoveryv1.EndpointSlice
	options  services.Options
}

// plan plans for the world.
func (w world) plan() (slicer.Plan, error) {
	in, err := services.FromPods(w.service, w.pods, w.nodes, w.options)
	if err != nil {
		return slicer.Plan{}, err
	}
	in.Options.MaxEndpointsPerSlice = 3
	return slicer.Compute(in, w.existing)
}

// drawWorld draws a world without slices. Few values of everything make them meet.
func drawWorld(t *rapid.T) world {
	w := world{service: aService(), options: kubernetes, nodes: rapid.SampledFrom([]services.Nodes{
		nil, nodes, nodes, services.NodesByName(nil),
	}).Draw(t, "nodes")}
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
	for i := range rapid.IntRange(0, 6).Draw(t, "pods") {
		w.pods = append(w.pods, drawPod(t, i+1))
	}
	return w
}

// drawPublished draws a world in which half of the Pods are published,
// nearly as they are now.
func drawPublished(t *rapid.T) world {
	w := drawWorld(t)
	drawOptions(t, &w.options)
	half := w
	half.pods = w.pods[:len(w.pods)/2]
	if plan, err := half.plan(); err == nil {
		for i, s := range plan.After() {
			s = s.DeepCopy()
			s.UID, s.ResourceVersion = types.UID(fmt.Sprint(i)), fmt.Sprint(100+i)
			for j := range s.Endpoints {
				gen.Change(t, &s.Endpoints[j])
			}
			if n := len(s.Endpoints); n > 1 && rapid.IntRange(0, 3).Draw(t, "twice") == 3 {
				s.Endpoints = append(s.Endpoints, *s.Endpoints[0].DeepCopy())
			}
			if rapid.IntRange(0, 5).Draw(t, "foreign") == 5 {
				s.Labels[discoveryv1.LabelManagedBy] = "other"
			}
			w.existing = append(w.existing, s)
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "terminating") == 9 {
		w.service.DeletionTimestamp = &metav1.Time{}
	}
	return w
}

// drawOptions draws the options that drawWorld leaves out.
func drawOptions(t *rapid.T, o *services.Options) {
	chance := func(n int, label string) bool { return rapid.IntRange(1, n).Draw(t, label) == n }
	o.ZoneFromPod = chance(2, "zone from Pod")
	if chance(4, "addresses") {
		o.Addresses, o.NameLabel = annotated, "example.com/net2"
	}
	if chance(4, "address types") {
		o.AddressTypes = rapid.SampledFrom([][]discoveryv1.AddressType{{"IPv6"}, {"IPv6", "IPv4"}}).Draw(t, "types")
	}
}

var drawnProtocols = rapid.SampledFrom([]corev1.Protocol{"", corev1.ProtocolTCP, corev1.ProtocolUDP})

func drawServicePort(t *rapid.T, name string) corev1.ServicePort {
	return corev1.ServicePort{
		Name: name, Port: 80, Protocol: drawnProtocols.Draw(t, name+" protocol"),
		TargetPort: rapid.SampledFrom([]intstr.IntOrString{{}, intstr.FromInt32(8080), named("a"), named("b")}).Draw(t,
			name+" target"),
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
