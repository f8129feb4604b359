package service_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// Proxies carry the traffic of a Service out of the cluster, as tailscale's egress proxies do. A proxy is ready when its Pod is
// and when it has the configuration of this Service, which two reconcilers must not decide: one Backend says both.
func Example_egressProxies() {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "egress", Name: "printer", UID: "7a01"},
		Spec: corev1.ServiceSpec{ClusterIP: "10.96.0.7", Ports: []corev1.ServicePort{
			{Name: "ipp", Port: 631, TargetPort: intstr.FromInt32(10631)}, // the port at which the proxies listen for this Service
		}},
	}
	proxies := []*corev1.Pod{examplePod("proxy-0", "10.0.0.1"), examplePod("proxy-1", "10.0.0.2")}
	configured := map[string]bool{"proxy-0": true} // what each proxy says in its state
	var backends []service.Backend
	for _, pod := range proxies {
		state := conditions.FromPod(pod, false)
		b := service.Backend{
			Name: pod.Name, Ready: state.Serving && configured[pod.Name], Terminating: state.Terminating, Node: pod.Spec.NodeName,
			TargetRef: corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		}
		for _, ip := range pod.Status.PodIPs {
			b.Addresses = append(b.Addresses, ip.IP)
		}
		backends = append(backends, b)
	}
	plan, err := service.PlanBackends(svc, backends, nil, service.Options{ManagedBy: "egress.example.com"})
	for _, slice := range plan.After() {
		for _, e := range slice.Endpoints {
			fmt.Println(e.Addresses[0], *slice.Ports[0].Port, "ready:", *e.Conditions.Ready)
		}
	}
	fmt.Println(err)
	// Output:
	// 10.0.0.1 10631 ready: true
	// 10.0.0.2 10631 ready: false
	// <nil>
}

// The kubelets of all Nodes as a Service without selector, as prometheus-operator publishes them. When a port is switched off or
// a Node goes, every slice that had it is written.
func Example_kubeletSlices() {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "kubelet", UID: "91d4", Labels: map[string]string{"app.kubernetes.io/name": "kubelet"}},
		Spec: corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Ports: []corev1.ServicePort{
			{Name: "https-metrics", Port: 10250}, {Name: "cadvisor", Port: 4194},
		}},
	}
	nodes := []*corev1.Node{exampleNode("node-1", "192.0.2.1", corev1.ConditionTrue), exampleNode("node-2", "192.0.2.2", corev1.ConditionUnknown)}
	var backends []service.Backend
	for _, node := range nodes {
		b := service.Backend{
			Name: node.Name, Node: node.Name, Zone: node.Labels[corev1.LabelTopologyZone],
			TargetRef: corev1.ObjectReference{Kind: "Node", APIVersion: "v1", Name: node.Name, UID: node.UID},
		}
		for _, a := range node.Status.Addresses {
			if a.Type == corev1.NodeInternalIP {
				b.Addresses = append(b.Addresses, a.Address)
			}
		}
		for _, c := range node.Status.Conditions {
			b.Ready = b.Ready || c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}
		backends = append(backends, b)
	}
	plan, err := service.PlanBackends(svc, backends, nil, service.Options{ManagedBy: "prometheus-operator"})
	for _, slice := range plan.After() {
		for _, e := range slice.Endpoints {
			fmt.Println(e.TargetRef.Name, e.Addresses[0], "ready:", *e.Conditions.Ready)
		}
	}
	fmt.Println(err)
	// Output:
	// node-1 192.0.2.1 ready: true
	// node-2 192.0.2.2 ready: false
	// <nil>
}

// Gauges are sums over all Services: num_endpoint_slices, num_endpoints and desired_endpoint_slices of Kubernetes' controller. What
// each Service has is kept, so that a sync replaces it and a Service that is gone takes its part along.
func Example_gauges() {
	stats := map[string]slicer.Stats{} // by Service; guard it where syncs run at the same time
	sum := func() (slices, endpoints, desired int) {
		for _, s := range stats {
			for _, t := range []slicer.TypeStats{s.IPv4, s.IPv6, s.FQDN} {
				slices, endpoints, desired = slices+t.Slices, endpoints+t.Endpoints, desired+t.Fewest
			}
		}
		return slices, endpoints, desired
	}
	for _, name := range []string{"web", "api"} {
		svc := exampleService()
		svc.Name = name
		pods := []*corev1.Pod{examplePod("web-1", "10.0.0.1"), examplePod("web-2", "10.0.0.2")}
		plan, err := service.Plan(svc, pods, nil, nil, service.Options{ManagedBy: "slices.example.com"})
		if err != nil {
			fmt.Println(err)
			return
		}
		stats[name] = plan.Stats() // once the plan is applied
	}
	fmt.Println(sum())
	delete(stats, "api") // the Service is gone
	fmt.Println(sum())
	// Output:
	// 2 4 2
	// 1 2 1
}

func exampleNode(name, ip string, ready corev1.ConditionStatus) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: "zone-a"}},
		Status: corev1.NodeStatus{
			Addresses:  []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: name}, {Type: corev1.NodeInternalIP, Address: ip}},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}},
		},
	}
}

// Pods have the zone of their Node as a label (KEP-4742), so that a controller that reads no Nodes publishes zones and hints, too.
// Before Kubernetes 1.35 anybody may have written that label.
func Example_zonesFromPods() {
	pod := examplePod("web-1", "10.0.0.1")
	pod.Labels = map[string]string{"app": "web", corev1.LabelTopologyZone: "north"}
	plan, err := service.Plan(exampleService(), []*corev1.Pod{pod}, nil, nil,
		service.Options{ManagedBy: "slices.example.com", ZoneFromPod: true})
	fmt.Println(*plan.Steps[0].New.Endpoints[0].Zone, err)
	// Output: north <nil>
}
