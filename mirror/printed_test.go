package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"context"
	"io"
	"log"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/printed"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestPrinted runs the program of the package comment with the writers' kit and through histories
// of faults. Endpoints cannot say everything that a Pod can, and mirrors have the annotations of
// the Endpoints and no others.
func TestPrinted(t *testing.T) {
	log.SetOutput(io.Discard)
	o := slicertest.Options{ManagedBy: "mirrors.example.com", Without: []string{
		"NamedPorts", "Terminating", "PublishNotReady", "LostNodes", "Hints", "AppProtocol", "Recreated", "Others",
	}}
	printed.Run(t, o, func(access publish.Slices) printed.Sync {
		s := publish.New(access, services.Options{})
		return func(ctx context.Context, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
			svc = svc.DeepCopy()
			svc.Spec.Selector = nil
			return sync(ctx, s, endpointsOf(svc, pods, nodes), svc)
		}
	})
}

// endpointsOf is what a person writes for a Service: one subset for each Pod.
func endpointsOf(svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) *corev1.Endpoints {
	node := services.NodesByName(nodes)
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: svc.Namespace, Name: svc.Name, UID: "endpoints",
		Labels: svc.Labels}}
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodRunning || node(pod.Spec.NodeName) == nil {
			continue
		}
		var subset corev1.EndpointSubset
		for _, ip := range pod.Status.PodIPs {
			family := corev1.IPv4Protocol
			if strings.Contains(ip.IP, ":") {
				family = corev1.IPv6Protocol
			}
			if !slices.Contains(svc.Spec.IPFamilies, family) {
				continue
			}
			a := corev1.EndpointAddress{IP: ip.IP, NodeName: &pod.Spec.NodeName, TargetRef: &corev1.ObjectReference{
				Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
			}}
			if pod.Spec.Subdomain == svc.Name {
				a.Hostname = pod.Spec.Hostname
			}
			if pod.Status.Conditions[0].Status == corev1.ConditionTrue {
				subset.Addresses = append(subset.Addresses, a)
			} else {
				subset.NotReadyAddresses = append(subset.NotReadyAddresses, a)
			}
		}
		for _, p := range svc.Spec.Ports {
			subset.Ports = append(subset.Ports,
				corev1.EndpointPort{Name: p.Name, Protocol: p.Protocol, Port: p.TargetPort.IntVal})
		}
		e.Subsets = append(e.Subsets, subset)
	}
	return e
}
