package service_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestInputPods: which Pods become endpoints, and with which fields.
func TestInputPods(t *testing.T) {
	checkServiceRows(t, []serviceRow{
		{why: "no Pods, no groups: the placeholder is the plan's affair"},
		{
			why:  "a Pod is one endpoint with address, targetRef with UID, node, zone and three explicit conditions (S9)",
			pods: []*corev1.Pod{aPod(1), aPod(2)},
			want: "ipv4 http:8080 | 10.0.0.1 10.0.0.2",
		},
		{
			why:  "a Pod that is not ready is published, and says so (S16, S17)",
			pods: []*corev1.Pod{aPod(1, unready)},
			want: "ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n1,zone=z1,!ready,!serving,!terminating}",
		},
		{
			why:  "a terminating Pod drains: serving but not ready, as long as it has its IP (S18, S19)",
			pods: []*corev1.Pod{aPod(1, deleting)},
			want: "ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n1,zone=z1,!ready,serving,terminating}",
		},
		{
			why:     "a finished Pod's IP may be another's; publishing it all the same would be wrong for any Service",
			service: aService(publishingNotReady),
			pods: []*corev1.Pod{
				aPod(1, func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }),
				aPod(2, func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }),
			},
			skips: "pods[0] shop/web-1: PodFinished\npods[1] shop/web-2: PodFinished",
		},
		{
			why:  "podIP alone is as good as podIPs",
			pods: []*corev1.Pod{aPod(1, withIPs(), func(p *corev1.Pod) { p.Status.PodIP = "10.0.0.9" })},
			want: "ipv4 http:8080 | 10.0.0.9",
		},
		{
			why: "the selector is checked, so that a careless caller sends no traffic to strangers",
			pods: []*corev1.Pod{
				aPod(1, func(p *corev1.Pod) { p.Labels = map[string]string{"app": "db"} }),
				aPod(2, func(p *corev1.Pod) { p.Labels = nil }),
				aPod(3, func(p *corev1.Pod) { p.Namespace = "bank" }),
				aPod(4, func(p *corev1.Pod) { p.Labels["more"] = "labels" }),
			},
			want: "ipv4 http:8080 | 10.0.0.4",
		},
		{
			why:     "a selector's value may be empty, and a Pod without the label does not have it",
			service: aService(func(svc *corev1.Service) { svc.Spec.Selector = map[string]string{"app": "web", "canary": ""} }),
			pods:    []*corev1.Pod{aPod(1), aPod(2, func(p *corev1.Pod) { p.Labels["canary"] = "" })},
			want:    "ipv4 http:8080 | 10.0.0.2",
		},
		{
			why:  "an address in another spelling is the same address, as the control plane writes it",
			pods: []*corev1.Pod{aPod(1, withIPs("010.0.0.1")), aPod(2, withIPs("::ffff:10.0.0.2"))},
			want: "ipv4 http:8080 | 10.0.0.1 10.0.0.2",
		},
	})
}

// TestInputHostname: DNS gives a Pod a name of its own under the Service that its subdomain names.
func TestInputHostname(t *testing.T) {
	names := func(hostname, subdomain string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Hostname, p.Spec.Subdomain = hostname, subdomain }
	}
	checkServiceRows(t, []serviceRow{
		{
			why:     "a StatefulSet's Pods name their governing Service as subdomain and get their hostname",
			service: aService(headless),
			pods:    []*corev1.Pod{aPod(1, names("web-1", "web"))},
			want:    "ipv4 http:8080 | 10.0.0.1{host=web-1,pod=web-1,uid=u1,node=n1,zone=z1,ready,serving,!terminating}",
		},
		{
			why:  "behind another Service the name would resolve to nothing of theirs",
			pods: []*corev1.Pod{aPod(1, names("web-1", "db")), aPod(2, names("web-2", ""))},
			want: "ipv4 http:8080 | 10.0.0.1 10.0.0.2",
		},
	})
}

// TestInputFamilies: which addresses go into slices of which type (S5).
func TestInputFamilies(t *testing.T) {
	both := withFamilies(corev1.IPv6Protocol, corev1.IPv4Protocol)
	dual := aPod(1, withIPs("10.0.0.1", "fd00::1"))
	checkServiceRows(t, []serviceRow{
		{
			why:     "dual stack: one endpoint per family, IPv4 first however ipFamilies are ordered",
			service: aService(both),
			pods:    []*corev1.Pod{dual},
			want:    "ipv4 http:8080 | 10.0.0.1\nipv6 http:8080 | fd00::1",
		},
		{
			why:  "single stack: a dual-stack Pod's other address is not missing, it is not wanted",
			pods: []*corev1.Pod{dual},
			want: "ipv4 http:8080 | 10.0.0.1",
		},
	})
	in, err := derive(t, aService(), []*corev1.Pod{aPod(1, withIPs("10.0.0.1", "10.0.0.2", "10.0.0.3")), aPod(4), aPod(5)},
		nodes, service.Options{ManagedBy: manager})
	if err != nil || len(in.Groups[0].Endpoints) != 5 {
		t.Fatalf("three addresses and two Pods gave %s, %v, want five endpoints (vector 52, rook's monitors)", groups(in), err)
	}
	for _, e := range in.Groups[0].Endpoints {
		if len(e.Addresses) != 1 || cap(e.Addresses) != 1 {
			t.Errorf("addresses %v with room for %d: appending to one would overwrite another", e.Addresses, cap(e.Addresses))
		}
	}
	wantTypes(t, "ipFamilies", aService(both), discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6)
}

// TestInputNodes: zone and Node, and what a missing Node means (kubernetes#107927, #110639, #123401).
func TestInputNodes(t *testing.T) {
	on := func(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = name } }
	const gone = "pods[0] shop/web-1: NodeMissing"
	checkServiceRows(t, []serviceRow{
		{
			why:   "without its Node a Pod is skipped, as Kubernetes does: it is about to be collected",
			pods:  []*corev1.Pod{aPod(1, on("n9")), aPod(2)},
			want:  "ipv4 http:8080 | 10.0.0.2",
			skips: gone,
		},
		{
			why:     "or published without zone: a cache of Nodes may lag behind that of Pods",
			pods:    []*corev1.Pod{aPod(1, on("n9"))},
			options: service.Options{ManagedBy: manager, PublishWithoutZone: true},
			want:    "ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n9,ready,serving,!terminating}",
		},
		{
			why:     "publishNotReadyAddresses publishes it too: its user asked for whatever there is (kubernetes#110639)",
			service: aService(publishingNotReady),
			pods:    []*corev1.Pod{aPod(1, on("n9"))},
			want:    "ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n9,ready,serving,!terminating}",
		},
		{
			why:     "a caller without Nodes skips nothing for their sake, or it would publish nothing at all",
			noNodes: true,
			pods:    []*corev1.Pod{aPod(1, on("n9")), aPod(2, on(""))},
			want: "ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n9,ready,serving,!terminating} " +
				"10.0.0.2{pod=web-2,uid=u2,ready,serving,!terminating}",
		},
	})
}

// TestInputAddresses: addresses of a secondary network, from where the caller has them.
func TestInputAddresses(t *testing.T) {
	on := func(ip string) func(*corev1.Pod) { return annotate("net2", ip) }
	checkServiceRows(t, []serviceRow{{
		why: "the function decides about every Pod that is not finished, with or without an IP in its status",
		pods: []*corev1.Pod{
			aPod(1, on("172.16.0.1")), aPod(2, withIPs(), on("172.16.0.2")), aPod(3),
			aPod(4, on("172.16.0.4"), func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), aPod(5, on("{")),
		},
		options: service.Options{ManagedBy: manager, Addresses: annotated},
		want:    "ipv4 http:8080 | 172.16.0.1 172.16.0.2",
		skips: "pods[2] shop/web-3: NoAddress\npods[3] shop/web-4: PodFinished\n" +
			"pods[4] shop/web-5: AddressesUnread",
	}})
	reused := make([]string, 1)
	in, err := service.Input(aService(), []*corev1.Pod{aPod(1), aPod(2)}, nodes, service.Options{
		ManagedBy: manager,
		Addresses: func(p *corev1.Pod) ([]string, error) { reused[0] = p.Status.PodIP; return reused, nil },
	})
	if got := groups(in); err != nil || got != "ipv4 http:8080 | 10.0.0.1 10.0.0.2" {
		t.Errorf("a function that uses its memory again gave %q, %v", got, err)
	}
}
