package dedup_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// The readers of this file are what projects keep today, in short: types of their own, and what the package does for them.

// meshEndpoint is what a mesh keeps of an endpoint: more than the slice says, because a Pod tells its labels.
type meshEndpoint struct {
	address, portName string
	number            int32
	account           string // of the Pod, once it is known
	rank              dedup.Rank
}

type meshKey struct{ address, portName string }

// meshCache keeps the endpoints of host names, as istio's endpointSliceCache does: a slice that changes, or one of whose
// Pods came late, is put again as a whole.
type meshCache struct {
	cache    *dedup.Cache[string, meshKey, meshEndpoint]
	accounts map[string]string // by Pod
	slices   map[string]*discoveryv1.EndpointSlice
}

func newMeshCache() *meshCache {
	return &meshCache{
		cache:    dedup.NewCache[string, meshKey](func(e meshEndpoint) dedup.Rank { return e.rank }),
		accounts: map[string]string{}, slices: map[string]*discoveryv1.EndpointSlice{},
	}
}

func (m *meshCache) update(host string, s *discoveryv1.EndpointSlice) {
	m.slices[s.Name] = s
	var list []meshEndpoint
	for _, p := range s.Ports {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			entry := meshEndpoint{address: e.Addresses[0], portName: *p.Name, number: *p.Port, rank: dedup.RankOf(e)}
			if e.TargetRef != nil {
				entry.account = m.accounts[e.TargetRef.Name]
			}
			list = append(list, entry)
		}
	}
	m.cache.Put(host, dedup.SourceOf(s), keyed(list, func(e meshEndpoint) meshKey {
		return meshKey{e.address, e.portName}
	}))
}

func (m *meshCache) remove(host string, s *discoveryv1.EndpointSlice) {
	delete(m.slices, s.Name)
	m.cache.Delete(host, types.NamespacedName{Namespace: s.Namespace, Name: s.Name})
}

func (m *meshCache) lines(host string) []string {
	var lines []string
	for key, e := range m.cache.All(host) {
		lines = append(lines, fmt.Sprintf("%s/%s:%d %s", key.address, key.portName, e.number, e.account))
	}
	return lines
}

func podSlice(name, version, pod string, addresses ...string) *discoveryv1.EndpointSlice {
	s := slice(name, addresses...)
	s.ResourceVersion = version
	for i := range s.Endpoints {
		s.Endpoints[i].TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: pod, UID: types.UID(pod)}
	}
	return s
}

// TestMeshCache: the newest copy of an endpoint is shown whatever the order of events (istio#27603), an endpoint stays while a
// slice holds it (istio#33750), and nothing is left of a host name without slices (istio#36518).
func TestMeshCache(t *testing.T) {
	const host = "web.default.svc"
	stale, now := podSlice("web-a", "5", "p1", "10.0.0.1"), podSlice("web-b", "6", "p1", "10.0.0.1", "10.0.0.2")
	stale.Ports[0].Port = ptr(int32(80)) // of the time before
	for _, order := range [][]*discoveryv1.EndpointSlice{{stale, now}, {now, stale}} {
		m := newMeshCache()
		for _, s := range order {
			m.update(host, s)
		}
		if got, want := m.lines(host), []string{"10.0.0.1/http:8080 ", "10.0.0.2/http:8080 "}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		// The Pod comes late: its slice is put again.
		m.accounts["p1"] = "spiffe://web"
		m.update(host, now)
		m.remove(host, stale)
		if got, want := m.lines(host), []string{"10.0.0.1/http:8080 spiffe://web", "10.0.0.2/http:8080 spiffe://web"}; !slices.Equal(got, want) {
			t.Errorf("late Pod: got %q, want %q", got, want)
		}
		m.update(host, stale)
		m.remove(host, now)
		if got, want := m.lines(host), []string{"10.0.0.1/http:80 spiffe://web"}; !slices.Equal(got, want) {
			t.Errorf("one of two slices is gone: got %q, want %q", got, want)
		}
		m.remove(host, stale)
		if m.cache.Has(host) || dedup.CacheSize(m.cache) != 0 {
			t.Error("the host name is left")
		}
	}
}

// addressSet is what a proxy's control plane keeps of one port, as linkerd's watcher does: addresses by the identity of their
// Pods, with something of its own on each, and listeners that hear what came and went.
type addressSet struct {
	port  string
	cache *dedup.Cache[struct{}, string, address]
	sent  map[string]address
}

type address struct {
	ip   string
	port int32
	zone string
	rank dedup.Rank
}

func newAddressSet(port string) *addressSet {
	return &addressSet{
		port: port, sent: map[string]address{},
		cache: dedup.NewCache[struct{}, string](func(a address) dedup.Rank { return a.rank }),
	}
}

// update takes the endpoints of the slice at hand, and returns what listeners hear.
func (a *addressSet) update(s *discoveryv1.EndpointSlice) []string {
	found, _ := dedup.OnePort([]*discoveryv1.EndpointSlice{s}, dedup.PortOptions{Port: a.port})
	a.cache.Put(struct{}{}, dedup.SourceOf(s), func(yield func(string, address) bool) {
		for _, f := range found {
			c := f.Candidate()
			entry := address{ip: f.Address, port: f.Port, zone: c.Zone, rank: dedup.RankOf(f.Endpoint)}
			if !yield(f.Endpoint.TargetRef.Name+"/"+string(f.Slice.AddressType), entry) {
				return
			}
		}
	})
	return a.send()
}

func (a *addressSet) remove(s *discoveryv1.EndpointSlice) []string {
	a.cache.Delete(struct{}{}, types.NamespacedName{Namespace: s.Namespace, Name: s.Name})
	return a.send()
}

func (a *addressSet) send() []string {
	var news []string
	now := map[string]address{}
	for id, e := range a.cache.All(struct{}{}) {
		if now[id] = e; a.sent[id] != e {
			news = append(news, fmt.Sprintf("+%s %s %d", id, e.ip, e.port))
		}
	}
	for id := range a.sent {
		if _, stays := now[id]; !stays {
			news = append(news, "-"+id)
		}
	}
	a.sent = now
	slices.Sort(news)
	return news
}

// TestAddressSet: an endpoint that moves between slices is never withdrawn, in whatever order its slices change
// (linkerd2 loses it), the two families of a Pod are two addresses (linkerd#12427), and a delete withdraws only what no
// other slice holds (linkerd#10370).
func TestAddressSet(t *testing.T) {
	a := newAddressSet("http")
	v4, v6 := podSlice("web-4", "1", "p1", "10.0.0.1"), podSlice("web-6", "2", "p1", "fd00::1")
	v6.AddressType = discoveryv1.AddressTypeIPv6
	other := podSlice("web-o", "3", "p2", "10.0.0.2")
	gains, drops := podSlice("web-o", "4", "p2", "10.0.0.2"), podSlice("web-4", "5", "p1")
	gains.Endpoints = append(gains.Endpoints, v4.Endpoints...)
	for _, row := range []struct {
		why  string
		news []string
		want []string
	}{
		{"a Pod", a.update(v4), []string{"+p1/IPv4 10.0.0.1 8080"}},
		{"its other family", a.update(v6), []string{"+p1/IPv6 fd00::1 8080"}},
		{"another Pod", a.update(other), []string{"+p2/IPv4 10.0.0.2 8080"}},
		{"a resync", a.update(other), nil},
		{"a second slice gains the Pod", a.update(gains), nil},
		{"the first drops it", a.update(drops), nil},
		{"the first is deleted", a.remove(drops), nil},
		{"the other family goes", a.remove(v6), []string{"-p1/IPv6"}},
		{"all go", a.remove(gains), []string{"-p1/IPv4", "-p2/IPv4"}},
	} {
		if !slices.Equal(row.news, row.want) {
			t.Errorf("%s: listeners hear %q, want %q", row.why, row.news, row.want)
		}
	}
}
