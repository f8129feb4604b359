//lint:file-ignore SA1019 Endpoints are deprecated, and still what a Service without selector has.

package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var scenes = []scene{
	{"rolling-update.yaml", "A rolling update of 250 Pods in 3 zones, a quarter done: the slices still hold Pods that\n" +
		"are gone and lack those that came since.\n", rollingUpdate},
	{"dual-stack.yaml", "A Service that was IPv4 only and has just become dual stack: it has no IPv6 slice yet.\n", dualStack},
	{"named-ports.yaml", "A canary listens on other numbers under the same port names: one Service, two port sets.\n" +
		"One Pod of an old release lacks the port \"metrics\"; the others have it in a sidecar.\n", namedPorts},
	{"headless-statefulset.yaml", "A database cluster with a name for each member: db-1 was moved to another node and is\n" +
		"not ready yet, but must be found by its peers.\n", headless},
	{"deleted-service.yaml", "A load balancer's Service waits for its finalizer while its Pods go on changing: slices\n" +
		"may still be updated, but a new port set gets no slice.\n", deletedService},
	{"host-network.yaml", "Ingress Pods on the host's network during an update with surge: two Pods share each\n" +
		"address. One Node is gone already, its Pod is not.\n", hostNetwork},
	{"foreign-slices.yaml", "Slices of other managers beside ours, one that is being deleted, and one of an earlier\n" +
		"Service of the same name.\n", foreignSlices},
	{"external-database.yaml", "A Service without selector for a database outside the cluster, with hand-written\n" +
		"Endpoints.\n", externalDatabase},
	{"topology-mode.yaml", "Hints by zone, over zones of different CPU: a Pod is gone and another came, one endpoint lacks\n" +
		"its hint, and two slices disagree about a Pod that was moved from one to the other.\n", topologyMode},
}

const ipv4 = discoveryv1.AddressTypeIPv4

// workers adds n nodes, in three zones by turns.
func (c *cluster) workers(n int) []*corev1.Node {
	nodes := make([]*corev1.Node, n)
	for i := range nodes {
		nodes[i] = c.node(i+1, string(rune('a'+i%3)))
	}
	return nodes
}

// fleet names the Pods of one ReplicaSet and gives them nodes and addresses by turns.
type fleet struct {
	pod   // what all of them have
	nodes []*corev1.Node
	first int // the first address on each node
	dual  bool
}

func (f fleet) at(i int) pod {
	p := f.pod
	p.name = f.owner.Name + "-" + suffix(f.owner.Name, i)
	p.node = f.nodes[i%len(f.nodes)]
	p.ips = address(p.node, f.first+i/len(f.nodes), f.dual)
	return p
}

// gone is a Pod that exists no more, for slices that still hold it.
func gone(p pod) *corev1.Pod { return (&cluster{}).pod(p) }

func rollingUpdate(c *cluster) {
	s := c.service("shop", "web", "10.96.41.7", servicePort("http", 80, "http"), servicePort("metrics", 9102, 9102))
	nodes := c.workers(12)
	c.controlPlane(90, "a")
	old := fleet{nodes: nodes, first: 10, pod: pod{
		namespace: "shop", app: "web", owner: replicaSet("shop", "web", "6d4f9c7b8d"), image: "registry.example.com/shop/web:4.17.2",
		ports: []corev1.ContainerPort{tcp("http", 8080), tcp("metrics", 9102)}, started: 9 * 24 * time.Hour, ready: true,
	}}
	fresh := old
	fresh.owner, fresh.image, fresh.first, fresh.started = replicaSet("shop", "web", "7f98d5c6bf"), "registry.example.com/shop/web:4.18.0", 60, 2*time.Minute

	// What the slices hold: 235 old Pods, of which 27 are gone and 20 terminate by now, and 15 new ones.
	var held []discoveryv1.Endpoint
	for i := range 235 {
		p := old.at(i)
		if i%9 == 4 || i == 0 {
			held = append(held, endpoint(gone(p), p.node, 0, true))
			continue
		}
		p.deleting = i%11 == 3
		held = append(held, endpoint(c.pod(p), p.node, 0, true))
	}
	for i := range 67 {
		p := fresh.at(i)
		p.ready = i < 40
		switch {
		case i >= 40:
			p.started = 5 * time.Second
		case i >= 15:
			p.started = 45 * time.Second
		}
		switch {
		case i >= 66:
			p.node, p.ips = nil, nil
		case i >= 64:
			p.ips = nil
		}
		made := c.pod(p)
		if i < 15 {
			held = append(held, endpoint(made, p.node, 0, true))
		}
	}
	evicted := old.at(400)
	evicted.evicted, evicted.ready = true, false
	c.pod(evicted)
	ports := []discoveryv1.EndpointPort{slicePort("http", 8080), slicePort("metrics", 9102)}
	for _, part := range [][]discoveryv1.Endpoint{held[:100], held[100:200], held[200:]} {
		out := c.slice(s, ipv4, ports, part...)
		out.Annotations[corev1.EndpointsLastChangeTriggerTime] = ago(2*time.Minute - readyAfter).UTC().Format(time.RFC3339)
	}
}

func dualStack(c *cluster) {
	s := c.service("shop", "api", "10.96.8.20", servicePort("https", 443, 8443))
	s.Spec.ClusterIPs = append(s.Spec.ClusterIPs, "fd00:10:96::814")
	s.Spec.IPFamilies = append(s.Spec.IPFamilies, corev1.IPv6Protocol)
	s.Spec.IPFamilyPolicy = ptr(corev1.IPFamilyPolicyRequireDualStack)
	f := fleet{nodes: c.workers(3), first: 21, dual: true, pod: pod{
		namespace: "shop", app: "api", owner: replicaSet("shop", "api", "58b7d9cc4f"), image: "registry.example.com/shop/api:2.3.1",
		ports: []corev1.ContainerPort{tcp("https", 8443)}, started: 3 * 24 * time.Hour, ready: true,
	}}
	var held []discoveryv1.Endpoint
	for i := range 6 {
		p := f.at(i)
		if i == 5 { // started before the node had IPv6
			p.ips = p.ips[:1]
		}
		held = append(held, endpoint(c.pod(p), p.node, 0, true))
	}
	c.slice(s, ipv4, []discoveryv1.EndpointPort{slicePort("https", 8443)}, held...)
}

func namedPorts(c *cluster) {
	s := c.service("shop", "cart", "10.96.112.3",
		servicePort("http", 80, "http"), servicePort("grpc", 9000, "grpc"), servicePort("metrics", 9090, "metrics"))
	s.Spec.Ports[1].AppProtocol = ptr("kubernetes.io/h2c")
	exporter := &corev1.Container{
		Name: "exporter", Image: "registry.example.com/exporter:1.9", ImagePullPolicy: corev1.PullIfNotPresent,
		Ports: []corev1.ContainerPort{tcp("metrics", 9100)}, RestartPolicy: ptr(corev1.ContainerRestartPolicyAlways),
		TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
	}
	nodes := c.workers(3)
	stable := fleet{nodes: nodes, first: 31, pod: pod{
		namespace: "shop", app: "cart", owner: replicaSet("shop", "cart", "7c9d8f6b5d"), image: "registry.example.com/shop/cart:1.40.0",
		ports: []corev1.ContainerPort{tcp("http", 8080), tcp("grpc", 9000)}, sidecar: exporter, started: 30 * time.Hour, ready: true,
	}}
	var held []discoveryv1.Endpoint
	for i := range 6 {
		p := stable.at(i)
		held = append(held, endpoint(c.pod(p), p.node, 0, true))
	}
	canary := stable
	canary.owner, canary.image, canary.first = replicaSet("shop", "cart-canary", "5b6d7c8f9c"), "registry.example.com/shop/cart:2.0.0-rc.1", 41
	canary.ports, canary.started = []corev1.ContainerPort{tcp("http", 9080), tcp("grpc", 9001)}, 90*time.Second
	for i := range 2 {
		c.pod(canary.at(i))
	}
	legacy := stable
	legacy.owner, legacy.image, legacy.first = replicaSet("shop", "cart-legacy", "66c4f7d9b8"), "registry.example.com/shop/cart:1.12.0", 51
	legacy.sidecar, legacy.started = nil, 70*24*time.Hour
	c.pod(legacy.at(0))
	ports := []discoveryv1.EndpointPort{slicePort("grpc", 9000), slicePort("http", 8080), slicePort("metrics", 9100)}
	ports[0].AppProtocol = ptr("kubernetes.io/h2c")
	c.slice(s, ipv4, ports, held...)
}

func headless(c *cluster) {
	s := c.service("data", "db", corev1.ClusterIPNone, servicePort("postgres", 5432, "postgres"))
	s.Spec.PublishNotReadyAddresses = true
	nodes := c.workers(4)
	member := func(i int, n *corev1.Node, address string, started time.Duration, ready bool) pod {
		return pod{
			namespace: "data", app: "db", owner: owner("apps/v1", "StatefulSet", "data", "db"), name: fmt.Sprintf("db-%d", i),
			image: "registry.example.com/postgres:18.1", ports: []corev1.ContainerPort{tcp("postgres", 5432)},
			hostname: fmt.Sprintf("db-%d", i), subdomain: "db", node: n, ips: []string{address}, started: started, ready: ready,
		}
	}
	var held []discoveryv1.Endpoint
	for i, n := range nodes[:3] {
		p := member(i, n, address(n, 15, false)[0], 12*24*time.Hour, true)
		if i == 1 {
			held = append(held, endpoint(gone(p), n, 0, true))
			c.pod(member(i, nodes[3], address(nodes[3], 88, false)[0], 15*time.Second, false))
			continue
		}
		held = append(held, endpoint(c.pod(p), n, 0, true))
	}
	c.slice(s, ipv4, []discoveryv1.EndpointPort{slicePort("postgres", 5432)}, held...)
}

func deletedService(c *cluster) {
	s := c.service("edge", "gateway", "10.96.200.1", servicePort("https", 443, "https"))
	s.Spec.Type = corev1.ServiceTypeLoadBalancer
	s.Spec.AllocateLoadBalancerNodePorts = ptr(true)
	s.Spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
	s.Spec.Ports[0].NodePort = 31443
	s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "203.0.113.80", IPMode: ptr(corev1.LoadBalancerIPModeVIP)}}
	s.Finalizers = []string{"service.kubernetes.io/load-balancer-cleanup"}
	s.DeletionTimestamp, s.DeletionGracePeriodSeconds = ptr(ago(time.Minute)), ptr(int64(0))
	f := fleet{nodes: c.workers(3), first: 71, pod: pod{
		namespace: "edge", app: "gateway", owner: replicaSet("edge", "gateway", "84d5b9f6c7"), image: "registry.example.com/gateway:3.2",
		ports: []corev1.ContainerPort{tcp("https", 8443)}, started: 40 * time.Hour, ready: true,
	}}
	var held []discoveryv1.Endpoint
	for i := range 4 {
		p := f.at(i)
		if i == 2 {
			held = append(held, endpoint(gone(p), p.node, 0, true))
			continue
		}
		p.deleting = i == 3
		held = append(held, endpoint(c.pod(p), p.node, 0, true))
	}
	next := f
	next.owner, next.ports, next.first = replicaSet("edge", "gateway", "9b7c6d5f48"), []corev1.ContainerPort{tcp("https", 9443)}, 81
	next.started = 3 * time.Minute
	c.pod(next.at(0))
	c.slice(s, ipv4, []discoveryv1.EndpointPort{slicePort("https", 8443)}, held...)
}

func hostNetwork(c *cluster) {
	s := c.service("edge", "ingress", "10.96.77.77", servicePort("http", 80, 80), servicePort("https", 443, 443))
	nodes := c.workers(3)
	one := func(n *corev1.Node, id int, started time.Duration, ready, deleting bool) pod {
		return pod{
			namespace: "edge", app: "ingress", owner: owner("apps/v1", "DaemonSet", "edge", "ingress"), name: "ingress-" + suffix("ingress", id),
			image: fmt.Sprintf("registry.example.com/ingress:1.%d", 20+id/10), ports: []corev1.ContainerPort{tcp("http", 80), tcp("https", 443)},
			hostNetwork: true, node: n, ips: []string{n.Status.Addresses[0].Address}, started: started, ready: ready, deleting: deleting,
		}
	}
	var held []discoveryv1.Endpoint
	for i, n := range nodes {
		held = append(held, endpoint(c.pod(one(n, i, 50*time.Hour, true, i == 0)), n, 0, true))
	}
	for i, n := range nodes[:2] { // on the first the new Pod is ready and the old one leaves; on the second it starts
		c.pod(one(n, 10+i, time.Duration(60-40*i)*time.Second, i == 0, false))
	}
	lost := (&cluster{}).node(7, "a")
	held = append(held, endpoint(c.pod(one(lost, 7, 50*time.Hour, false, true)), lost, 0, true))
	c.slice(s, ipv4, []discoveryv1.EndpointPort{slicePort("http", 80), slicePort("https", 443)}, held...)
}

func foreignSlices(c *cluster) {
	s := c.service("shop", "search", "10.96.3.14", servicePort("http", 80, 8080))
	f := fleet{nodes: c.workers(3), first: 91, pod: pod{
		namespace: "shop", app: "search", owner: replicaSet("shop", "search", "6b8f7d9c54"), image: "registry.example.com/shop/search:7.0",
		ports: []corev1.ContainerPort{tcp("http", 8080)}, started: 5 * time.Hour, ready: true,
	}}
	var held []discoveryv1.Endpoint
	for i := range 5 {
		p := f.at(i)
		held = append(held, endpoint(c.pod(p), p.node, 0, true))
	}
	ports := []discoveryv1.EndpointPort{slicePort("http", 8080)}
	c.slice(s, ipv4, ports, held[:4]...)

	dying := c.slice(s, ipv4, ports, held[4])
	dying.DeletionTimestamp, dying.DeletionGracePeriodSeconds = ptr(ago(3*time.Second)), ptr(int64(0))
	dying.Finalizers = []string{"example.com/audit"}

	stale := c.slice(s, ipv4, ports, held[0], held[1])
	stale.OwnerReferences[0].UID = uid("Service", "shop", "search", "before")

	vendor := c.slice(s, ipv4, []discoveryv1.EndpointPort{slicePort("http", 8080)}, discoveryv1.Endpoint{
		Addresses:  []string{"172.31.9.4"},
		Conditions: discoveryv1.EndpointConditions{Ready: ptr(true)},
	})
	vendor.Labels = map[string]string{
		discoveryv1.LabelServiceName: "search", discoveryv1.LabelManagedBy: "vm-endpoints.vendor.example.com",
	}
	vendor.Name, vendor.GenerateName = "search-vms", ""
	vendor.Annotations = nil

	mirror := c.slice(s, ipv4, ports, discoveryv1.Endpoint{
		Addresses:  []string{"192.168.7.7"},
		Conditions: discoveryv1.EndpointConditions{Ready: ptr(true)},
	})
	mirror.Labels[discoveryv1.LabelManagedBy] = "endpointslicemirroring-controller.k8s.io"
	mirror.OwnerReferences = []metav1.OwnerReference{owner("v1", "Endpoints", "shop", "search")}
}

func externalDatabase(c *cluster) {
	s := c.service("shop", "orders-db", "10.96.33.6", servicePort("mysql", 3306, 3306))
	s.Spec.Selector = nil
	e := &corev1.Endpoints{ObjectMeta: meta("Endpoints", "shop", "orders-db", ago(90*24*time.Hour))}
	e.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Endpoints"))
	e.Labels = map[string]string{"app.kubernetes.io/part-of": "shop"}
	e.Subsets = []corev1.EndpointSubset{{
		Addresses: []corev1.EndpointAddress{{IP: "192.168.1.100"}},
		Ports:     []corev1.EndpointPort{{Name: "mysql", Port: 3306, Protocol: corev1.ProtocolTCP}},
	}}
	c.endpoints = append(c.endpoints, e)
}
