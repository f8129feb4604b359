package services_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// Plan for a Service where Kubernetes' own controller does not run. The second Pod has no address
// yet, which is normal.
func ExampleFromPods() {
	in, err := services.FromPods(aService(), []*corev1.Pod{aPod(1), aPod(2, withIPs())}, nodes, services.Options{
		ManagedBy: "slices.example.com", ReplacesKubernetes: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil) // nil: there are no slices yet
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)
	// normal Pod shop/web-2: NoAddress: it has no address yet
	// total 1 write, endpoints +1 -0 ~0
	// <nil>
}

// A second network gives each Pod more addresses, which a plugin writes into an annotation. The
// NameLabel keeps these slices apart from those that kube-proxy reads.
func ExampleFromPods_secondNetwork() {
	pod := aPod(1)
	pod.Annotations = map[string]string{"net2.example.com/ip": "172.16.0.1"}
	in, err := services.FromPods(aService(), []*corev1.Pod{pod}, nil, services.Options{
		ManagedBy: "slices.example.com",
		NameLabel: "net2.example.com/service",
		Addresses: func(pod *corev1.Pod) ([]string, error) {
			return []string{pod.Annotations["net2.example.com/ip"]}, nil
		},
	})
	fmt.Println(in.Groups[0].Endpoints[0].API.Addresses, in.Key.MatchLabels, err)
	// Output: [172.16.0.1] map[net2.example.com/service:web] <nil>
}

// Pods on a cordoned Node stay published, for clients that find no other.
func ExampleFromPods_cordoned() {
	node := aNode("n1", "z1")
	node.Spec.Unschedulable = true
	all := services.NodesByName([]*corev1.Node{node})
	in, err := services.FromPods(aService(), []*corev1.Pod{aPod(1)}, all, services.Options{
		ManagedBy: "slices.example.com", ReplacesKubernetes: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	yes, no := true, false
	for _, g := range in.Groups {
		for i := range g.Endpoints {
			e := &g.Endpoints[i].API
			if e.NodeName == nil {
				continue
			}
			if n, err := all.Get(*e.NodeName); err == nil && n.Spec.Unschedulable {
				e.Conditions.Ready, e.Conditions.Terminating = &no, &yes
			}
		}
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], err)
	// Output: create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1{!ready,serving,terminating} (EndpointsAdded) <nil>
}

// A controller for virtual machines makes a Backend of each. The targetPort is the name of a port,
// which has another number on the second machine, so that there are two slices.
func ExampleFromBackends() {
	svc := aService(unselected, withPorts(servicePort("http", 80, named("http"))))
	in, err := services.FromBackends(svc, []services.Backend{
		{Name: "vm-1", Addresses: []string{"192.0.2.1"}, Ready: true, Ports: map[string]int32{"http": 80}},
		{Name: "vm-2", Addresses: []string{"192.0.2.2"}, Ready: true, Ports: map[string]int32{"http": 8080}},
	}, services.Options{ManagedBy: "vms.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// create web-kj4sh28p-ipv4 ipv4 http:80: +192.0.2.1 (EndpointsAdded)
	// create web-kj4sh28p-ipv4-2 ipv4 http:8080: +192.0.2.2 (EndpointsAdded)
	// total 2 writes, endpoints +2 -0 ~0
	// <nil>
}

// An inference pool selects Pods without a Service, and each Pod has two ports.
func ExampleFromSelection() {
	pool := metav1.ObjectMeta{Namespace: "shop", Name: "llm", UID: "7"} // of the resource
	kind := schema.GroupVersionKind{Group: "inference.networking.k8s.io", Version: "v1", Kind: "InferencePool"}
	in, err := services.FromSelection(services.Selection{
		Parent:          pool,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(&pool, kind)},
		Selector:        &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		Ports:           []corev1.ServicePort{{Name: "a", Port: 8000}, {Name: "b", Port: 8001}},
	}, []*corev1.Pod{aPod(1)}, nil, services.Options{ManagedBy: "slices.example.com", NameLabel: "example.com/pool"})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], plan.Steps[0].New.Labels, err)
	// Output: create llm-h699hc0f-ipv4 ipv4 a:8000,b:8001: +10.0.0.1 (EndpointsAdded) map[endpointslice.kubernetes.io/managed-by:slices.example.com example.com/pool:llm] <nil>
}

// A Service changes hands beside its old controller. The new slices are created before the old ones
// are deleted, and readers join the two, so no endpoint is ever missing. Kubernetes' controller
// leaves a Service without selector alone, so the selector moves to where only the new controller
// reads it.
func ExampleOptions_Key() {
	svc := aService()
	theirs := services.Options{ManagedBy: services.KubernetesManager, ReplacesKubernetes: true}
	ours := services.Options{ManagedBy: "slices.example.com", ReplacesKubernetes: true}
	in, _ := services.FromPods(svc, []*corev1.Pod{aPod(1)}, nil, theirs)
	old, _ := slicer.Compute(in, nil)
	existing := old.After()

	in, _ = services.FromPods(svc, []*corev1.Pod{aPod(1)}, nil, ours)
	plan, err := slicer.Compute(in, existing)
	fmt.Println(plan.Steps, err)
	existing = append(existing, plan.After()...)

	name := types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name}
	plan, err = slicer.Remove(theirs.Key(name), existing)
	fmt.Println(plan.Steps, err)
	// Output:
	// [create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)] <nil>
	// [delete web-dnnkkf94-ipv4: -10.0.0.1 (NothingLeft)] <nil>
}

// BenchmarkFromPods measures one sync of a Service with a selector, from its Pods to the plan.
func BenchmarkFromPods(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		for change, replaced := range map[string]int{"nothing": 0, "one": 1, "quarter": (n + 3) / 4} {
			b.Run(fmt.Sprintf("pods=%d/change=%s", n, change), func(b *testing.B) {
				svc, pods, list := gen.Pods(n+replaced, 1)
				w := world{service: svc, pods: pods[:n], nodes: services.NodesByName(list), options: kubernetes}
				first, err := w.plan()
				if err != nil {
					b.Fatal(err)
				}
				w.existing = first.After()
				w.pods = pods[replaced:]
				b.ReportAllocs()
				for b.Loop() {
					plan, err := w.plan()
					if err != nil || (len(plan.Steps) == 0) != (replaced == 0) {
						b.Fatal(plan, err)
					}
				}
			})
		}
	}
}
