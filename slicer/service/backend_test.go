package service_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestBackendsLikePods: one derivation serves both, so the same workloads give the same Input.
func TestBackendsLikePods(t *testing.T) {
	svc := aService(withPorts(servicePort("http", 80, named("http"))), headless,
		withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol))
	pods := []*corev1.Pod{
		aPod(1, declares(containerPort("http", 8080)), withIPs("10.0.0.1", "fd00::1")),
		aPod(2, declares(containerPort("http", 9090)), unready),
		aPod(3, deleting, func(p *corev1.Pod) { p.Spec.Hostname, p.Spec.Subdomain = "c", "web" }),
	}
	var backends []service.Backend
	for i, pod := range pods {
		b := service.Backend{
			Ready: i != 1, Terminating: i == 2, Node: "n1", Zone: "z1",
			Hostname: pod.Spec.Hostname, Subdomain: pod.Spec.Subdomain,
			TargetRef: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: pod.Name, UID: pod.UID},
		}
		for _, ip := range pod.Status.PodIPs {
			b.Addresses = append(b.Addresses, ip.IP)
		}
		for _, c := range pod.Spec.Containers {
			b.Ports = append(b.Ports, service.BackendPort{Name: c.Ports[0].Name, Port: c.Ports[0].ContainerPort})
		}
		backends = append(backends, b)
	}
	want, err := derive(t, svc, pods, nodes, service.Options{ManagedBy: manager})
	if err != nil {
		t.Fatal(err)
	}
	got, err := deriveBackends(t, svc, backends, service.Options{ManagedBy: manager})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Skips {
		got.Skips[i].Path = strings.Replace(got.Skips[i].Path, "backends", "pods", 1)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b error) bool { return a.Error() == b.Error() })); d != "" {
		t.Errorf("inputs (-Pods +backends):\n%s", d)
	}
}

// TestBackendTarget: the target is published as it is, without its resourceVersion, and the caller's stays as it was.
func TestBackendTarget(t *testing.T) {
	want := corev1.ObjectReference{
		APIVersion: "vm.example.com/v1", Kind: "VirtualMachine", Namespace: "shop", Name: "vm-1", UID: "v1", FieldPath: "spec",
	}
	given := want
	given.ResourceVersion = "7"
	backends := []service.Backend{{Addresses: []string{"10.0.0.1"}, TargetRef: given}}
	in, err := service.BackendsInput(aService(), backends, service.Options{ManagedBy: manager})
	if err != nil || *in.Groups[0].Endpoints[0].TargetRef != want || backends[0].TargetRef != given {
		t.Errorf("error %v, published %+v, given %+v", err, in.Groups[0].Endpoints[0].TargetRef, backends[0].TargetRef)
	}
}
