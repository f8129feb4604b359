package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const target = "web.shop:grpc"

// sliceOf is a slice of Service shop/web. "1 a ++- zone=a node=n" is an endpoint: the last number of
// its address, its zone, whether it is ready, serving and terminating, and its hints.
func sliceOf(name, endpoints string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name,
			Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: new("grpc"), Port: new(int32(8080))}},
	}
	for text := range strings.SplitSeq(endpoints, ", ") {
		f := strings.Fields(text)
		e := discoveryv1.Endpoint{Addresses: []string{"10.0.0." + f[0]}, Zone: new(strings.Trim(f[1], "?")),
			Hints: &discoveryv1.EndpointHints{}}
		for i, condition := range []**bool{&e.Conditions.Ready, &e.Conditions.Serving, &e.Conditions.Terminating} {
			*condition = new(f[2][i] == '+')
		}
		for _, hint := range f[3:] {
			switch kind, name, _ := strings.Cut(hint, "="); kind {
			case "zone":
				e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: name})
			case "node":
				e.Hints.ForNodes = append(e.Hints.ForNodes, discoveryv1.ForNode{Name: name})
			}
		}
		s.Endpoints = append(s.Endpoints, e)
	}
	return s
}

// notation writes each locality as "0:a*2(1 3)": priority, zone, weight and the last numbers of the
// addresses, with a d for endpoints that drain and a u for unhealthy ones.
func notation(a *endpoint.ClusterLoadAssignment) string {
	var parts []string
	for _, l := range a.GetEndpoints() {
		var members []string
		for _, e := range l.GetLbEndpoints() {
			_, last, _ := strings.Cut(e.GetEndpoint().GetAddress().GetSocketAddress().GetAddress(), "10.0.0.")
			suffix := map[string]string{"HEALTHY": "", "DRAINING": "d", "UNHEALTHY": "u"}[e.GetHealthStatus().String()]
			members = append(members, last+suffix)
		}
		parts = append(parts, fmt.Sprintf("%d:%s*%d(%s)", l.GetPriority(), l.GetLocality().GetZone(),
			l.GetLoadBalancingWeight().GetValue(), strings.Join(members, " ")))
	}
	return strings.Join(parts, " ")
}

func meshOf(t *testing.T) *mesh {
	m, err := newMesh(1, discoveryv1.AddressTypeIPv4)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func nodeIn(zone, node string) *core.Node {
	return &core.Node{Locality: &core.Locality{Zone: zone, SubZone: node}}
}

func TestAssignment(t *testing.T) {
	for _, row := range []struct{ why, endpoints, zone, node, want string }{
		{"no hints: all ready endpoints get the same traffic, so zones weigh by their number",
			"1 a ++-, 2 b ++-, 3 b ++-", "a", "", "0:a*1(1) 0:b*2(2 3)"},
		{"hints name the client's zone; the others are what is left if it fails",
			"1 a ++- zone=a, 2 b ++- zone=b, 3 b ++- zone=a", "a", "", "0:a*1(1) 0:b*1(3) 1:b*1(2)"},
		{"the client's node, then its zone, then the rest: no gap, each endpoint once",
			"1 a ++- zone=a node=n, 2 a ++- zone=a node=m, 3 b ++- zone=b node=o", "a", "n",
			"0:a*1(1) 1:a*1(2) 2:b*1(3)"},
		{"a client that does not say where it is gets all", "1 a ++- zone=a, 2 b ++- zone=b", "", "", "0:a*1(1) 0:b*1(2)"},
		{"endpoints without traffic are last and do not count against the health of others",
			"1 a -++, 2 a ++-, 3 b ---, 4 b --+, 5 b -+-", "a", "", "0:a*1(2) 1:a*1(1d) 1:b*3(3u 4u 5u)"},
		{"if none is ready, endpoints that still serve are used: a client sends nothing to draining ones",
			"1 a -++, 2 b -++, 3 b --+", "a", "", "0:a*1(1) 0:b*1(2) 1:b*1(3u)"},
		{"nothing gets traffic: Envoy would send requests to unhealthy endpoints if there are no others",
			"1 a ---, 2 b --+", "a", "", ""},
		{"an endpoint of an unknown zone has a locality too, or clients refuse all", "1 ? ++-, 2 a ++-", "a", "",
			"0:*1(1) 0:a*1(2)"},
	} {
		m := meshOf(t)
		if err := errors.Join(m.join(1, nodeIn(row.zone, row.node)), m.Add(sliceOf("web-1", row.endpoints))); err != nil {
			t.Fatal(err)
		}
		a, _ := m.streams[1].assignments.GetResources()[target].(*endpoint.ClusterLoadAssignment)
		if got := notation(a); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.why, got, row.want)
		}
	}
}

// TestPlaces: a place is kept while it has clients, and their number is limited.
func TestPlaces(t *testing.T) {
	m := meshOf(t)
	first := errors.Join(m.join(1, nodeIn("a", "")), m.join(2, nodeIn("a", "")))
	m.leave(1)
	full := m.join(3, nodeIn("b", ""))
	m.leave(2)
	last := m.join(4, nodeIn("b", ""))
	if first != nil || last != nil || !strings.Contains(fmt.Sprint(full), "-max-places") {
		t.Errorf("the first place: %v; a second one: %v; after the clients of the first left: %v", first, full, last)
	}
}
