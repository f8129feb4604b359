package service_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

func TestBackends(t *testing.T) {
	vm := corev1.ObjectReference{
		APIVersion: "vm.example.com/v1", Kind: "VirtualMachine", Namespace: "shop", Name: "vm-1", UID: "v1",
	}
	both := withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol)
	http := aService(withPorts(servicePort("http", 80, named("http"))))
	port := func(name string, number int32) []service.BackendPort {
		return []service.BackendPort{{Name: name, Port: number}}
	}
	checkServiceRows(t, []serviceRow{
		{why: "no backends, no groups", backends: []service.Backend{}},
		{
			why: "all that a backend says of itself is published, and nothing that it does not say (vector 50)",
			backends: []service.Backend{
				{
					Addresses: []string{"10.0.0.1"}, Ready: true, Node: "n1", Zone: "z1", Hostname: "a", Subdomain: "web",
					TargetRef: vm,
				},
				{Addresses: []string{"10.0.0.2"}},
			},
			want: "ipv4 http:8080 | 10.0.0.1{host=a,ref=VirtualMachine/vm-1,uid=v1,node=n1,zone=z1,ready,serving,!terminating} " +
				"10.0.0.2{!ready,!serving,!terminating}",
		},
		{
			why:      "Nodes with two families: an endpoint in each wanted one (vector 56, all)",
			service:  aService(both),
			backends: []service.Backend{{Addresses: []string{"192.0.2.1", "2001:db8::1"}, Ready: true}},
			want: "ipv4 http:8080 | 192.0.2.1{ready,serving,!terminating}\n" +
				"ipv6 http:8080 | 2001:db8::1{ready,serving,!terminating}",
		},
		{
			why: "three addresses are three endpoints in their order, as readers look at the first only (vector 52)",
			backends: []service.Backend{
				{Addresses: []string{"10.0.0.3", "10.0.0.1", "10.0.0.2"}, Ready: true, TargetRef: vm},
			},
			want: "ipv4 http:8080 | 10.0.0.3{ref=VirtualMachine/vm-1,uid=v1,ready,serving,!terminating} " +
				"10.0.0.1{ref=VirtualMachine/vm-1,uid=v1,ready,serving,!terminating} " +
				"10.0.0.2{ref=VirtualMachine/vm-1,uid=v1,ready,serving,!terminating}",
		},
		{
			why:      "addresses in another spelling are the same, and no IP is reported by its text",
			backends: []service.Backend{{Addresses: []string{"k8s-master-0", "010.0.0.1"}}, {}},
			want:     "ipv4 http:8080 | 10.0.0.1{!ready,!serving,!terminating}",
			skips:    "backends[0]: NotAnIP k8s-master-0\nbackends[1]: NoAddress",
		},
		{
			why:     "named ports resolve against what a backend declares, each its own number (vector 28)",
			service: http,
			backends: []service.Backend{
				{Addresses: []string{"10.0.0.1"}, Ports: port("http", 9090)}, {Addresses: []string{"10.0.0.2"}, Ports: port("http", 8080)},
				{Addresses: []string{"10.0.0.3"}, Ports: port("web", 8080)},
			},
			want: "ipv4 - | 10.0.0.3{!ready,!serving,!terminating}\n" +
				"ipv4 http:8080 | 10.0.0.2{!ready,!serving,!terminating}\nipv4 http:9090 | 10.0.0.1{!ready,!serving,!terminating}",
			skips: "backends[2]: PortLeftOut http:http",
		},
		{
			why:     "a declared number that is no port would make the whole Service unpublishable, so it does not count",
			service: http,
			backends: []service.Backend{
				{Addresses: []string{"10.0.0.1"}, Ports: port("http", 65536)}, {Addresses: []string{"10.0.0.2"}, Ports: port("http", -1)},
				{Addresses: []string{"10.0.0.3"}, Ports: port("http", 0)}, {Addresses: []string{"10.0.0.4"}, Ports: port("http", 65535)},
				{Addresses: []string{"10.0.0.5"}, Ports: port("http", 1)},
			},
			options: service.Options{ManagedBy: manager, SkipUnresolved: true},
			want: "ipv4 http:1 | 10.0.0.5{!ready,!serving,!terminating}\n" +
				"ipv4 http:65535 | 10.0.0.4{!ready,!serving,!terminating}",
			skips: "backends[0]: PortMissing http:http\nbackends[1]: PortMissing http:http\n" +
				"backends[2]: PortMissing http:http",
		},
		{
			why:      "a backend's address of a family that is not wanted is not published, and the missing one reported",
			service:  aService(withFamilies(corev1.IPv6Protocol)),
			backends: []service.Backend{{Addresses: []string{"10.0.0.1"}}},
			skips:    "backends[0]: NoAddressOfType IPv6",
		},
		{
			why:     "by option the addresses of a family share an endpoint, each once however it is spelt",
			service: aService(both),
			backends: []service.Backend{
				{Addresses: []string{"fd00::2", "10.0.0.2", "10.0.0.1", "fd00:0::2", "010.0.0.2", "10.0.0.1"}},
				{Name: "vm-2", Addresses: []string{"10.0.0.3"}},
			},
			options: service.Options{JoinAddresses: true},
			want: "ipv4 http:8080 | 10.0.0.2,10.0.0.1{!ready,!serving,!terminating} 10.0.0.3{!ready,!serving,!terminating}\n" +
				"ipv6 http:8080 | fd00::2{!ready,!serving,!terminating}",
			skips: "backends[1] vm-2: NoAddressOfType IPv6",
		},
		{
			why:      "by option, where one family is not wanted, the other one's addresses stay together",
			backends: []service.Backend{{Addresses: []string{"fd00::2", "10.0.0.2", "fd00::1", "10.0.0.1"}}},
			options:  service.Options{JoinAddresses: true},
			want:     "ipv4 http:8080 | 10.0.0.2,10.0.0.1{!ready,!serving,!terminating}",
		},
	})
}

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
