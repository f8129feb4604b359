package service

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

const ipv4, ipv6 = 0, 1 // positions in families

// matcherOf makes ready to match what the workloads of a Service of both families want.
func matcherOf(of workloads, o Options) *matcher {
	o.Selected = true
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = "shop", "web"
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	m := &memory{}
	m.reader.begin(rulesOf(svc, o), of, nil)
	m.wanted.begin(&m.reader)
	m.published.matcher.begin(&m.wanted)
	return &m.published.matcher
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

// TestMatchInOrder: slices in the order of the Pods or in the reverse order need no table, and no prefetching of Pods that fit the
// cache. Others need the table. Wherever they stand, all are found.
func TestMatchInOrder(t *testing.T) {
	reversed := countTo(0, 40)
	slices.Reverse(reversed)
	for why, row := range map[string]struct {
		slices [][]int
		table  bool
	}{
		"in order":                     {slices: [][]int{countTo(0, 40), countTo(40, 80), countTo(80, 100)}},
		"slices reversed":              {slices: [][]int{countTo(80, 100), countTo(40, 80), countTo(0, 40)}},
		"slices reversed, some sparse": {slices: [][]int{countTo(80, 100), countTo(40, 79), countTo(0, 40)}, table: true},
		"the first ones are new":       {slices: [][]int{countTo(20, 60)}, table: true},
		"one in between is new":        {slices: [][]int{{0, 1, 3, 4}}, table: true},
		"one is gone":                  {slices: [][]int{{0, 1, -1, 2, 3}}, table: true},
		"reversed":                     {slices: [][]int{reversed}, table: true},
	} {
		m := matcherOf(numberedPods(100), Options{})
		for _, list := range row.slices {
			for j, at := range m.match(held(m, ipv4, list...), ipv4) {
				if want := list[j] >= 0; at.wanted != want || want && at.made != none {
					t.Errorf("%s: Pod %d: %+v", why, list[j], at)
				}
			}
		}
		if m.finder.indexed != row.table {
			t.Errorf("%s: table %v, want %v", why, m.finder.indexed, row.table)
		}
	}
}

// TestMatchGivesUpOrder: after two endpoints that do not follow the one before, a slice is taken to be in another order until its
// end; a slice after it may be in order again.
func TestMatchGivesUpOrder(t *testing.T) {
	m := matcherOf(numberedPods(100), Options{})
	m.match(held(m, ipv4, append([]int{10, 30}, countTo(31, 40)...)...), ipv4)
	if m.misses != tooMany || m.cursor != 11 {
		t.Errorf("after two misses: %d misses, cursor at %d", m.misses, m.cursor)
	}
	m.match(held(m, ipv4, countTo(11, 20)...), ipv4)
	if m.misses != 0 || m.cursor != 20 {
		t.Errorf("in order again: %d misses, cursor at %d", m.misses, m.cursor)
	}
	m.match(held(m, ipv4, 50, 51, 52), ipv4)
	if m.misses != 0 || m.cursor != 53 {
		t.Errorf("after one miss: %d misses, cursor at %d", m.misses, m.cursor)
	}
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
		slices.SortFunc(m.w.skips, func(a, b Skip) int { return a.Index - b.Index })
		if have := fmt.Sprint(m.w.skips); have != "[pods[0] /web-0: not-an-ip \"no-ip\" pods[1] /web-1: no-address-of-type IPv6 pods[3] /web-3: no-address]" {
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

// TestMatchOther: what a slice has of a Pod whose endpoint is another now is replaced in its place if the address is the same, and
// else made with the rest.
func TestMatchOther(t *testing.T) {
	for why, row := range map[string]struct {
		change        func(e *discoveryv1.Endpoint)
		wanted, there bool // it is matched, and replaced in its place
	}{
		"same":          {func(*discoveryv1.Endpoint) {}, true, false},
		"other node":    {func(e *discoveryv1.Endpoint) { e.NodeName = &[]string{"node-b"}[0] }, true, true},
		"other address": {func(e *discoveryv1.Endpoint) { e.Addresses = []string{"10.0.0.7"} }, false, false},
		"empty zone":    {func(e *discoveryv1.Endpoint) { e.Zone = new(string) }, true, true},
		"other UID":     {func(e *discoveryv1.Endpoint) { e.TargetRef.UID = "other" }, true, true},
		"other kind":    {func(e *discoveryv1.Endpoint) { e.TargetRef.Kind = "VM" }, true, true},
		"API version":   {func(e *discoveryv1.Endpoint) { e.TargetRef.APIVersion = "v1" }, true, true},
		"field path":    {func(e *discoveryv1.Endpoint) { e.TargetRef.FieldPath = "spec" }, true, true},
		"version":       {func(e *discoveryv1.Endpoint) { e.TargetRef.ResourceVersion = "7" }, true, true},
		"namespace":     {func(e *discoveryv1.Endpoint) { e.TargetRef.Namespace = "other" }, true, true},
		"no address":    {func(e *discoveryv1.Endpoint) { e.Addresses = nil }, false, false},
		"no target":     {func(e *discoveryv1.Endpoint) { e.TargetRef = nil }, false, false},
		"two addresses": {func(e *discoveryv1.Endpoint) { e.Addresses = append(e.Addresses, "10.0.0.7") }, true, true},
	} {
		m := matcherOf(numberedPods(2), Options{})
		list := held(m, ipv4, 0)
		row.change(&list[0])
		at := m.match(list, ipv4)[0]
		if at.wanted != row.wanted || at.wanted && (at.made != none) != row.there {
			t.Errorf("%s: %+v", why, at)
		}
		found := len(m.w.endpoints)
		m.w.readRest(m.seen, m.w)
		if rest := len(m.w.endpoints) - found; row.wanted && rest != 1 || !row.wanted && rest != 2 {
			t.Errorf("%s: %d endpoints are made with the rest", why, rest)
		}
	}
}

// TestMatchBackendTarget: a target that is empty is another than none, and a Backend's is compared whole.
func TestMatchBackendTarget(t *testing.T) {
	vm := corev1.ObjectReference{Kind: "VM", Name: "vm-1", FieldPath: "spec"}
	for _, target := range []corev1.ObjectReference{{}, vm} {
		for why, change := range map[string]func(e *discoveryv1.Endpoint){
			"none":          func(e *discoveryv1.Endpoint) { e.TargetRef = nil },
			"an empty one":  func(e *discoveryv1.Endpoint) { e.TargetRef = &corev1.ObjectReference{} },
			"the same":      func(e *discoveryv1.Endpoint) { e.TargetRef = &vm },
			"another field": func(e *discoveryv1.Endpoint) { e.TargetRef = &corev1.ObjectReference{Kind: "VM", Name: "vm-1"} },
		} {
			m := matcherOf(workloads{backends: []Backend{{Address: "10.0.0.1", TargetRef: target}}}, Options{})
			list := held(m, ipv4, 0)
			change(&list[0])
			same := why == "the same" && target == vm || why == "none" && target != vm
			if at := m.match(list, ipv4)[0]; !at.wanted || (at.made == none) != same {
				t.Errorf("target %q, the slice has %s: %+v", target.Name, why, at)
			}
		}
	}
}

// TestMatchHostname: an endpoint with the hostname that is wanted is matched, and one without it is replaced.
func TestMatchHostname(t *testing.T) {
	of := numberedPods(1)
	of.pods[0].Spec.Hostname, of.pods[0].Spec.Subdomain = "host-0", "web"
	backend := Backend{Address: "10.0.0.0", Hostname: "host-0", Subdomain: "web"}
	for _, of := range []workloads{of, {backends: []Backend{backend}}} {
		for _, hostname := range []string{"host-0", "host-1", ""} {
			m := matcherOf(of, Options{})
			list := held(m, ipv4, 0)
			if *list[0].Hostname = hostname; hostname == "" {
				list[0].Hostname = nil
			}
			if at := m.match(list, ipv4)[0]; !at.wanted || (at.made == none) != (hostname == "host-0") {
				t.Errorf("hostname %q: %+v", hostname, at)
			}
		}
	}
}

// TestMatchJoined: an endpoint of several addresses is matched whole, and what replaces it has all of them.
func TestMatchJoined(t *testing.T) {
	m := matcherOf(dualStack(), Options{JoinAddresses: true})
	list := held(m, ipv4, 2)
	if at := m.match(list, ipv4)[0]; !at.wanted || at.made != none {
		t.Errorf("same: %+v", at)
	}
	m = matcherOf(dualStack(), Options{JoinAddresses: true})
	list[0].NodeName = &[]string{"node-b"}[0]
	m.match(held(m, ipv4, 0, 1), ipv4)
	at := m.match(list, ipv4)[0]
	var e discoveryv1.Endpoint
	if m.w.make(at.made, &e, &leaves{}); !at.wanted || !slices.Equal(e.Addresses, []string{"10.0.0.2", "10.0.0.9"}) {
		t.Errorf("other node: %+v, made %v", at, e.Addresses)
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

// TestMatchPrefetches: few Pods are not prefetched, and many where slices are in another order.
func TestMatchPrefetches(t *testing.T) {
	for n, want := range map[int]bool{cached: false, cached + 1: true} {
		for _, scattered := range []bool{false, true} {
			m := matcherOf(numberedPods(n), Options{})
			list := held(m, ipv4, countTo(0, 3*endpoint.PrefetchDistance)...)
			if scattered {
				slices.Reverse(list)
			}
			m.match(list, ipv4)
			if have := m.sink > 0; have != (want && scattered) {
				t.Errorf("%d Pods, scattered: %v, prefetched: %v", n, scattered, have)
			}
		}
	}
}

// TestReadPrefetches: where Pods are read one after the other, many are prefetched, and few are not, nor are those of which some
// are done.
func TestReadPrefetches(t *testing.T) {
	for n, want := range map[int]bool{cached: false, cached + 1: true} {
		of := numberedPods(n)
		f := finderOf(of)
		f.index()
		m, some := matcherOf(of, Options{}), matcherOf(of, Options{})
		m.w.readRest(m.seen, m.w)
		for i := range some.seen {
			some.seen[i].done = allFamilies * familySet(1-min(i%endpoint.PrefetchDistance, 1))
		}
		some.w.readRest(some.seen, some.w)
		for why, sum := range map[string]int{"by name": f.sink, "all": m.w.sink} {
			if (sum > 0) != want {
				t.Errorf("%d Pods, %s: prefetched: %v", n, why, sum > 0)
			}
		}
		if some.w.sink > 0 {
			t.Errorf("%d Pods of which some are done are prefetched", n)
		}
	}
}
