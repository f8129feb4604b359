package service

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func finderOf(of workloads) *finder {
	f := &finder{}
	f.begin(&of, "")
	return f
}

// podsNamed are Pods of these names, with addresses in order.
func podsNamed(names ...string) workloads {
	pods := make([]*corev1.Pod, len(names))
	for i, name := range names {
		pods[i] = &corev1.Pod{}
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

// TestFindPod: a Pod is found by its name, and of several that share one the first.
func TestFindPod(t *testing.T) {
	of := podsNamed("a", "b", "a", "c")
	of.pods[1] = nil
	f := finderOf(of)
	for name, want := range map[string]int32{"a": 0, "b": none, "c": 3, "d": none} {
		if have := f.find(name); have != want {
			t.Errorf("%s: %d, want %d", name, have, want)
		}
	}
}

// TestFindPodOfNamespace: Pods of other namespaces, which may have the name of one of the Service's, are not found.
func TestFindPodOfNamespace(t *testing.T) {
	of := podsNamed("a", "a", "b")
	of.pods[1].Namespace = "shop"
	f := &finder{}
	f.begin(&of, "shop")
	if a, b := f.find("a"), f.find("b"); a != 1 || b != none {
		t.Errorf("a: %d, b: %d, want 1 and none", a, b)
	}
}

// TestFindBackend: a Backend is found by each of its first addresses, as they are spelt.
func TestFindBackend(t *testing.T) {
	var many []string
	for i := range 2 * fewAddresses {
		many = append(many, fmt.Sprint("10.0.1.", i))
	}
	f := finderOf(workloads{backends: []Backend{
		{Address: "10.0.0.1"}, {Addresses: []string{"fd00::1", "10.0.0.2"}}, {}, {Address: "10.0.0.3", Addresses: many},
		{Address: "10.0.0.1", Addresses: []string{"010.0.0.4"}},
	}})
	for address, want := range map[string]int32{
		"10.0.0.1": 0, "fd00::1": 1, "10.0.0.2": 1, "10.0.0.3": 3, many[0]: 3, many[fewAddresses-1]: 3, many[fewAddresses]: none,
		"010.0.0.4": 4, "10.0.0.4": none,
	} {
		if have := f.find(address); have != want {
			t.Errorf("%s: %d, want %d", address, have, want)
		}
	}
	if !f.has(3, many[fewAddresses-1]) || f.has(3, many[fewAddresses]) {
		t.Error("other addresses are looked at than those in the table")
	}
}

// TestFindAmongMany: where the table is so large and full that names share what it keeps of their hashes, they are told apart.
func TestFindAmongMany(t *testing.T) {
	const n = 190_000
	of := numberedPods(n)
	f := finderOf(of)
	for i := range int32(n) {
		name := of.pods[i].Name
		if found := f.find(name); found != i {
			t.Fatalf("%s: %d is found, want %d", name, found, i)
		}
		if found := f.find("x" + name); found != none {
			t.Fatalf("x%s: %d is found", name, found)
		}
	}
}

// TestKeyOf: an endpoint's workload is looked for by the name of the target among Pods, and by the first address among Backends.
func TestKeyOf(t *testing.T) {
	target := &corev1.ObjectReference{Name: "web-1"}
	for _, row := range []struct {
		e             discoveryv1.Endpoint
		pods, backend string
	}{
		{discoveryv1.Endpoint{}, "", ""},
		{discoveryv1.Endpoint{TargetRef: target}, "", ""},
		{discoveryv1.Endpoint{Addresses: []string{"10.0.0.1", "10.0.0.2"}}, "", "10.0.0.1"},
		{discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: target}, "web-1", "10.0.0.1"},
	} {
		pods, backend := finderOf(numberedPods(1)).keyOf(&row.e), finderOf(workloads{}).keyOf(&row.e)
		if pods != row.pods || backend != row.backend {
			t.Errorf("%v: %q among Pods, %q among Backends, want %q, %q", row.e, pods, backend, row.pods, row.backend)
		}
	}
}

// TestFindOnce: looking for something again and again does not fill the table again.
func TestFindOnce(t *testing.T) {
	f := finderOf(numberedPods(10))
	f.find("web-1")
	f.table.Reset(10)
	if f.find("web-1") != none || f.guess("web-1") != none {
		t.Error("the table was filled again")
	}
	if f = finderOf(numberedPods(10)); f.guess("web-1") != 1 || f.guess(strings.Repeat("x", 9)) >= 10 {
		t.Error("the guess is none of the Pods")
	}
}
