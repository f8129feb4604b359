package routing_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestRouteScenarios runs the scenarios in testdata/route. The commands:
//
//	endpoints    in the block, those of one service port, a line for each slice
//	regions      the region of each zone, such as a=east b=west
//	route        what Route returns
//	failover     the tiers of Failover; with near-only without those that are not near
//	explain      the verdict about each endpoint
//
// The last three take the words node=n1 zone=a region=east for the place, and for the policy local
// near=node, near=zone, near=region, at-least=2 last-resort any-family ignore-hints.
//
// TestOracle checks the same rules on all that can be drawn.
func TestRouteScenarios(t *testing.T) {
	block := func(command string) bool { return command == "endpoints" }
	scenario.Run(t, "../../testdata/route/*.txt", func() scenario.Handler { return new(routeHandler).handle }, block)
}

type routeHandler struct {
	endpoints []discoveryv1.Endpoint
	regions   map[string]string
}

func (s *routeHandler) handle(c scenario.Command) (string, error) {
	switch c.Name {
	case "endpoints":
		s.endpoints = nil
		for _, line := range c.Block {
			list, err := scenario.ParseEndpoints(line, "default")
			if err != nil {
				return "", err
			}
			s.endpoints = append(s.endpoints, list...)
		}
		return "", nil
	case "regions":
		s.regions = map[string]string{}
		for _, word := range c.Args {
			zone, region, _ := strings.Cut(word, "=")
			s.regions[zone] = region
		}
		return "", nil
	case "route", "failover", "explain":
		q := question{list: s.read()}
		if err := q.parse(c.Args); err != nil {
			return "", err
		}
		return map[string]func() string{"route": q.route, "failover": q.failover, "explain": q.explain}[c.Name](), nil
	}
	return "", fmt.Errorf("unknown command %s", c.Name)
}

// read returns the endpoints as package dedup reads them.
func (s *routeHandler) read() (list []dedup.Endpoint) {
	for i := range s.endpoints {
		from := &s.endpoints[i]
		e := dedup.Endpoint{
			Conditions: conditions.Of(from.Conditions), NodeName: endpoint.Text(from.NodeName), Port: int32(i),
			Zone: endpoint.Text(from.Zone), Hints: from.Hints, TargetRef: from.TargetRef,
		}
		e.Region = s.regions[e.Zone]
		e.Address, _ = endpoint.Addr(from.Addresses[0])
		list = append(list, e)
	}
	return list
}

// question is a call of Route, Failover or Explain.
type question struct {
	at       routing.Location
	policy   routing.Policy
	nearOnly bool
	list     []dedup.Endpoint
}

func (q *question) parse(words []string) error {
	places := map[string]routing.Place{"node": routing.Node, "zone": routing.Zone, "region": routing.Region}
	return scenario.Words(q, words, map[string]func(q *question, key, value string){
		"zone":         func(q *question, _, value string) { q.at.Zone = value },
		"node":         func(q *question, _, value string) { q.at.NodeName = value },
		"region":       func(q *question, _, value string) { q.at.Region = value },
		"near-only":    func(q *question, _, _ string) { q.nearOnly = true },
		"local":        func(q *question, _, _ string) { q.policy.Local = true },
		"last-resort":  func(q *question, _, _ string) { q.policy.LastResort = true },
		"any-family":   func(q *question, _, _ string) { q.policy.AnyFamily = true },
		"ignore-hints": func(q *question, _, _ string) { q.policy.IgnoreHints = true },
		"at-least":     func(q *question, _, value string) { q.policy.AtLeast, _ = strconv.Atoi(value) },
		"near":         func(q *question, _, value string) { q.policy.Near = places[value] },
	})
}

func (q *question) route() string { return names(routing.Route(q.list, q.at, q.policy)) + "\n" }

func (q *question) failover() (text string) {
	for _, tier := range routing.Failover(q.list, q.at, q.policy) {
		if q.nearOnly && tier.Place == routing.Anywhere {
			continue
		}
		place := string(tier.Place)
		if place == "" {
			place = "Anywhere"
		}
		if tier.AddressType != discoveryv1.AddressTypeIPv4 {
			place = strings.TrimSpace(string(tier.AddressType) + " " + place)
		}
		text += fmt.Sprintf("%s: %s\n", place, names(tier.Endpoints))
	}
	if text == "" {
		return "-\n"
	}
	return text
}

func (q *question) explain() (text string) {
	for i, v := range routing.Explain(q.list, q.at, q.policy) {
		text += fmt.Sprintf("%s %s: %s: %s\n", q.list[i].Host(), map[bool]string{true: "yes", false: "no"}[v.Used],
			v.Reason, v.Message)
	}
	return text
}

func names(list []dedup.Endpoint) string {
	if list == nil {
		return "-"
	}
	var hosts []string
	for _, e := range list {
		hosts = append(hosts, e.Host())
	}
	return strings.Join(hosts, " ")
}

// TestPolicies: what Internal, External and Gateway read of a Service.
func TestPolicies(t *testing.T) {
	local, cluster := corev1.ServiceInternalTrafficPolicyLocal, corev1.ServiceInternalTrafficPolicyCluster
	near := func(d string) corev1.ServiceSpec { return corev1.ServiceSpec{TrafficDistribution: &d} }
	for _, row := range []struct {
		why                string
		spec               corev1.ServiceSpec
		internal, external bool // Local
		takes              bool // traffic from outside
		near               routing.Place
	}{
		{"nothing is set", corev1.ServiceSpec{}, false, false, false, ""},
		{"the defaults", corev1.ServiceSpec{InternalTrafficPolicy: &cluster, ExternalTrafficPolicy: "Cluster", Type: "ClusterIP"}, false, false, false, ""},
		{"internal", corev1.ServiceSpec{InternalTrafficPolicy: &local}, true, false, false, ""},
		{"external, where nothing comes from outside", corev1.ServiceSpec{ExternalTrafficPolicy: "Local"}, false, false, false, ""},
		{"a node port, before it has a number", corev1.ServiceSpec{Type: "NodePort", ExternalTrafficPolicy: "Local"}, false, true, true, ""},
		{"a load balancer", corev1.ServiceSpec{Type: "LoadBalancer"}, false, false, true, ""},
		{"both", corev1.ServiceSpec{Type: "LoadBalancer", InternalTrafficPolicy: &local, ExternalTrafficPolicy: "Local"}, true, true, true, ""},
		{"external IPs", corev1.ServiceSpec{ExternalIPs: []string{"192.0.2.1"}, ExternalTrafficPolicy: "Local"}, false, true, true, ""},
		{"near", near("PreferSameZone"), false, false, false, routing.Zone},
		{"near by its first name", near("PreferClose"), false, false, false, routing.Zone},
		{"nearer", near("PreferSameNode"), false, false, false, routing.Node},
		{"near in a way that does not exist", near("PreferSameRack"), false, false, false, ""},
	} {
		svc := &corev1.Service{Spec: row.spec}
		external, takes := routing.External(svc)
		if got := routing.Internal(svc); got != (routing.Policy{Local: row.internal}) {
			t.Errorf("%s: Internal %+v", row.why, got)
		}
		if external != (routing.Policy{Local: row.external}) || takes != row.takes {
			t.Errorf("%s: External %+v, %v", row.why, external, takes)
		}
		if got := routing.Gateway(svc); got != (routing.Policy{Near: row.near, AnyFamily: true}) {
			t.Errorf("%s: Gateway %+v", row.why, got)
		}
	}
	if external, takes := routing.External(nil); routing.Internal(nil) != (routing.Policy{}) ||
		external != (routing.Policy{}) || takes || routing.Gateway(nil) != (routing.Policy{AnyFamily: true}) {
		t.Error("nil has another policy")
	}
}
