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

// addressSet is what a proxy's control plane keeps of the port http of a host name, as linkerd's watcher and istio's cache do:
// addresses by the identity of their Pods, with something of its own on each, and listeners that hear what came and went.
type addressSet struct {
	cache    *dedup.Cache[string, string, address]
	accounts map[string]string // of Pods that are known
	sent     map[string]address
}

type address struct {
	text string
	rank dedup.Rank
}

const host = "web.default.svc"

// update takes the endpoints of the slice at hand, and returns what listeners hear.
func (a *addressSet) update(s *discoveryv1.EndpointSlice) []string {
	found, _ := dedup.OnePort([]*discoveryv1.EndpointSlice{s}, dedup.PortOptions{Port: "http"})
	a.cache.Put(host, dedup.SourceOf(s), func(yield func(string, address) bool) {
		for _, f := range found {
			pod := f.Endpoint.TargetRef.Name
			entry := address{fmt.Sprint(f.Address, " ", f.Port, " ", a.accounts[pod]), dedup.RankOf(f.Endpoint)}
			if !yield(pod+"/"+string(f.Slice.AddressType), entry) {
				return
			}
		}
	})
	return a.send()
}

func (a *addressSet) remove(s *discoveryv1.EndpointSlice) []string {
	a.cache.Delete(host, types.NamespacedName{Namespace: s.Namespace, Name: s.Name})
	return a.send()
}

func (a *addressSet) send() []string {
	var news []string
	now := map[string]address{}
	for id, e := range a.cache.All(host) {
		if now[id] = e; a.sent[id] != e {
			news = append(news, "+"+id+" "+e.text)
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

func podSlice(name, version, pod string, addresses ...string) *discoveryv1.EndpointSlice {
	s := slice(name, addresses...)
	s.ResourceVersion = version
	for i := range s.Endpoints {
		s.Endpoints[i].TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: pod, UID: types.UID(pod)}
	}
	return s
}

// TestAddressSet: an endpoint that moves between slices is never withdrawn, in whatever order its slices change (linkerd2 loses
// it), its newest copy is shown whatever the order of events (istio#27603), the two families of a Pod are two addresses
// (linkerd#12427), a delete withdraws only what no other slice holds (linkerd#10370, istio#33750), and nothing is left of a host
// name without slices (istio#36518).
func TestAddressSet(t *testing.T) {
	a := &addressSet{
		cache:    dedup.NewCache[string, string](func(a address) dedup.Rank { return a.rank }),
		accounts: map[string]string{}, sent: map[string]address{},
	}
	v4, v6 := podSlice("web-4", "1", "p1", "10.0.0.1"), podSlice("web-6", "2", "p1", "fd00::1")
	v6.AddressType = discoveryv1.AddressTypeIPv6
	v4.Ports[0].Port = ptr(int32(80)) // of the time before
	other := podSlice("web-o", "3", "p2", "10.0.0.2")
	gains, drops := podSlice("web-o", "4", "p2", "10.0.0.2"), podSlice("web-4", "5", "p1")
	gains.Endpoints = append(gains.Endpoints, v4.Endpoints...)
	for _, row := range []struct {
		why  string
		news func() []string
		want []string
	}{
		{"a Pod", func() []string { return a.update(v4) }, []string{"+p1/IPv4 10.0.0.1 80 "}},
		{"its other family", func() []string { return a.update(v6) }, []string{"+p1/IPv6 fd00::1 8080 "}},
		{"another Pod", func() []string { return a.update(other) }, []string{"+p2/IPv4 10.0.0.2 8080 "}},
		{"a resync", func() []string { return a.update(other) }, nil},
		{"a second slice gains the Pod", func() []string { return a.update(gains) }, []string{"+p1/IPv4 10.0.0.1 8080 "}},
		{"what it learns of the Pod comes late", func() []string {
			a.accounts["p1"] = "spiffe://web"
			return a.update(gains)
		}, []string{"+p1/IPv4 10.0.0.1 8080 spiffe://web"}},
		{"the first comes again", func() []string { return a.update(v4) }, nil},
		{"the first drops it", func() []string { return a.update(drops) }, nil},
		{"the first is deleted", func() []string { return a.remove(drops) }, nil},
		{"the first is back before the second goes", func() []string { return a.update(v4) }, nil},
		{"the second goes", func() []string { return a.remove(gains) }, []string{"+p1/IPv4 10.0.0.1 80 spiffe://web", "-p2/IPv4"}},
		{"the other family goes", func() []string { return a.remove(v6) }, []string{"-p1/IPv6"}},
		{"all go", func() []string { return a.remove(v4) }, []string{"-p1/IPv4"}},
	} {
		if news := row.news(); !slices.Equal(news, row.want) {
			t.Errorf("%s: listeners hear %q, want %q", row.why, news, row.want)
		}
	}
	if a.cache.Has(host) || dedup.CacheSize(a.cache) != 0 {
		t.Error("the host name is left")
	}
}
