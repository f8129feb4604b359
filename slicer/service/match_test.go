package service

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

const ipv4, ipv6 = 0, 1 // positions in families

// matcherOf makes ready to match what the workloads of a Service of both families want.
func matcherOf(of workloads, o Options) *matcher {
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = "shop", "web"
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	m := &matcher{}
	m.begin((&memory{}).begin(rulesOf(svc, o), of, nil))
	return m
}

// held are the endpoints that a slice of a family has when these Pods are published, and one that is of no Pod where the number
// is -1.
func held(m *matcher, family int, list ...int) []discoveryv1.Endpoint {
	var held []discoveryv1.Endpoint
	for _, i := range list {
		e := discoveryv1.Endpoint{Addresses: []string{"10.9.9.9"}, TargetRef: &corev1.ObjectReference{Name: "other"}}
		if i >= 0 {
			all := wanted{reader: m.w.reader}
			all.read(int32(i), only(family), &all)
			all.make(0, &e, &leaves{})
		}
		held = append(held, e)
	}
	return held
}

// countTo are the numbers from one to before another.
func countTo(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// TestMatchEmpty: slices without endpoints, and of another address type, are matched with nothing.
func TestMatchEmpty(t *testing.T) {
	m := matcherOf(numberedPods(3), Options{})
	if list := m.match(nil, ipv4); len(list) != 0 {
		t.Errorf("%v", list)
	}
	for _, at := range m.match(held(m, ipv4, 0, 1, 2), -1) {
		if at.wanted {
			t.Errorf("%+v", at)
		}
	}
	if m = matcherOf(workloads{}, Options{}); m.match(make([]discoveryv1.Endpoint, 2), ipv4)[1].wanted {
		t.Error("an endpoint without address is wanted")
	}
}

// dualStack has a Pod of both families and something that is no IP, one of IPv4 alone, one with two IPv4 addresses and one of IPv6, and one without address.
func dualStack() workloads {
	of := numberedPods(4)
	of.pods[0].Status.PodIPs = append(of.pods[0].Status.PodIPs, corev1.PodIP{IP: "fd00::1"}, corev1.PodIP{IP: "no-ip"})
	of.pods[2].Status.PodIPs = append(of.pods[2].Status.PodIPs, corev1.PodIP{IP: "fd00::3"}, corev1.PodIP{IP: "10.0.0.9"})
	of.pods[3].Status.PodIPs = nil
	return of
}

// TestMatchFamilies: what slices of one family have is matched by itself. What is not found in them is read afterwards, once, and
// each Skip is told once.
func TestMatchFamilies(t *testing.T) {
	for _, row := range []struct {
		ipv4, ipv6 []int
		rest       string // addresses
	}{
		{nil, nil, "10.0.0.0 fd00::1 10.0.0.1 10.0.0.2 fd00::3 10.0.0.9"},
		{[]int{0}, nil, "fd00::1 10.0.0.1 10.0.0.2 fd00::3 10.0.0.9"},
		{nil, []int{0}, "10.0.0.0 10.0.0.1 10.0.0.2 fd00::3 10.0.0.9"},
		{[]int{0, 1}, []int{0}, "10.0.0.2 fd00::3 10.0.0.9"},
		{[]int{2}, []int{2}, "10.0.0.0 fd00::1 10.0.0.1 10.0.0.2 10.0.0.9"},
		{nil, []int{2}, "10.0.0.0 fd00::1 10.0.0.1 10.0.0.2 10.0.0.9"},
		{[]int{0, 0}, []int{0, 0}, "10.0.0.1 10.0.0.2 fd00::3 10.0.0.9"},
	} {
		m := matcherOf(dualStack(), Options{})
		m.match(held(m, ipv6, row.ipv6...), ipv6)
		m.match(held(m, ipv4, row.ipv4...), ipv4)
		m.w.readRest(m.seen, m.w)
		rest := ""
		for i := range m.w.endpoints {
			rest += " " + m.w.address(int32(i))
		}
		if rest = rest[min(len(rest), 1):]; rest != row.rest {
			t.Errorf("%v and %v are matched, the rest is %s, want %s", row.ipv4, row.ipv6, rest, row.rest)
		}
		slices.SortFunc(m.w.skips, func(a, b slicer.Skip) int { return strings.Compare(a.Path, b.Path) })
		if have := fmt.Sprint(m.w.skips); have != "[Pod shop/web-0 no-ip: NotAnIP: its address is no IP, and slices of a Service hold nothing else "+
			"Pod shop/web-1: NoAddressOfType: it has no IPv6 address Pod shop/web-3: NoAddress: it has no address yet]" {
			t.Errorf("%v and %v are matched, skips %s", row.ipv4, row.ipv6, have)
		}
	}
}

// TestMatchOnce: Pods that slices have are read once, also where they are not to be published any more, and those that slices do
// not have are read once.
func TestMatchOnce(t *testing.T) {
	reads, gone := map[string]int{}, ""
	m := matcherOf(numberedPods(10), Options{Addresses: func(pod *corev1.Pod) ([]string, error) {
		if reads[pod.Name]++; pod.Name == gone {
			return nil, nil
		}
		return []string{pod.Status.PodIPs[0].IP}, nil
	}})
	list := held(m, ipv4, 0, 1, 2, 3, 7)
	clear(reads)
	gone = "web-7"
	m.match(list, ipv4)
	m.w.readRest(m.seen, m.w)
	for i := range 10 {
		if n := reads[fmt.Sprint("web-", i)]; n != 1 {
			t.Errorf("Pod %d is read %d times", i, n)
		}
	}
}

// TestMatchLeavesOnce: a Pod with several addresses of a family, all in slices, is read twice at most: it is left once.
func TestMatchLeavesOnce(t *testing.T) {
	reads := 0
	m := matcherOf(numberedPods(1), Options{Addresses: func(*corev1.Pod) ([]string, error) {
		reads++
		return []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}, nil
	}})
	var list []discoveryv1.Endpoint
	for _, address := range []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"} {
		list = append(list, discoveryv1.Endpoint{Addresses: []string{address}, TargetRef: &corev1.ObjectReference{Name: "web-0"}})
	}
	m.match(list, ipv4)
	if m.w.readRest(m.seen, m.w); reads != 2 || len(m.w.endpoints) != 3 {
		t.Errorf("%d reads, %d endpoints", reads, len(m.w.endpoints))
	}
}

// TestMatchLongBackend: of a Backend with very many addresses that all slices have only the first ones cost a look at all.
func TestMatchLongBackend(t *testing.T) {
	b := Backend{}
	for i := range 1000 {
		b.Addresses = append(b.Addresses, fmt.Sprintf("10.0.%d.%d", i/250, i%250))
	}
	m := matcherOf(workloads{backends: []Backend{b}}, Options{})
	var list []discoveryv1.Endpoint
	for _, address := range b.Addresses {
		list = append(list, discoveryv1.Endpoint{Addresses: []string{address}})
	}
	for _, at := range m.match(list, ipv4) {
		if at.wanted {
			t.Fatalf("%+v", at)
		}
	}
	if !m.seen[0].left {
		t.Error("it is looked at for each of its addresses")
	}
	if m.w.readRest(m.seen, m.w); len(m.w.endpoints) != 1000 {
		t.Errorf("%d endpoints", len(m.w.endpoints))
	}
}

// TestMatchAmongMany: endpoints of other Pods are of none, also where they share what a large table keeps of hashes.
func TestMatchAmongMany(t *testing.T) {
	const n = 190_000
	m := matcherOf(numberedPods(n), Options{})
	others := make([]discoveryv1.Endpoint, n)
	for i := range others {
		others[i] = discoveryv1.Endpoint{
			Addresses: []string{"10.0.0.1"}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: fmt.Sprint("other-", i)},
		}
	}
	for i, at := range m.match(others, ipv4) {
		if at.wanted {
			t.Fatalf("%s is of a Pod", others[i].TargetRef.Name)
		}
	}
}

// podsNamed are Pods of these names, with addresses in order.
func podsNamed(names ...string) workloads {
	pods := make([]*corev1.Pod, len(names))
	for i, name := range names {
		pods[i] = &corev1.Pod{}
		pods[i].Namespace = "shop"
		pods[i].Name, pods[i].Status.PodIPs = name, []corev1.PodIP{{IP: fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)}}
	}
	return workloads{pods: pods}
}

func numberedPods(n int) workloads {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("web-", i)
	}
	return podsNamed(names...)
}
