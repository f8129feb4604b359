package routing_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestRouteScenarios runs the scenarios in testdata/route. The commands:
//
//	endpoints    in the block, those of one service port, a line for each slice
//	regions      the region of each zone, such as a=east b=west
//	route        what Route returns: a line for each family
//	failover     the tiers, and after the last one of each family why near ones are there or missing; with
//	             near-only without the tiers that are not near
//	explain      the verdict about each endpoint
//
// The last three take the words node=n1 zone=a region=east for the place,
// no-vote=10.0.0.1+10.0.0.2, and for the policy local near=node+zone+region at-least=2 last-resort
// any-family ignore-hints.
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
		q := question{}
		if err := q.parse(c.Args); err != nil {
			return "", err
		}
		s.candidates(&q)
		return map[string]func() string{"route": q.route, "failover": q.failover, "explain": q.explain}[c.Name](), nil
	}
	return "", fmt.Errorf("unknown command %s", c.Name)
}

// candidates fills in the endpoints.
func (s *routeHandler) candidates(q *question) {
	q.candidates = map[string]routing.Candidate{}
	for i := range s.endpoints {
		name, family := s.endpoints[i].Addresses[0], discoveryv1.AddressTypeIPv4
		if strings.Contains(name, ":") {
			family = discoveryv1.AddressTypeIPv6
		}
		c := routing.CandidatesOf(family)(&s.endpoints[i])
		c.NoVote, c.Region = slices.Contains(q.silent, name), s.regions[c.Zone]
		q.list, q.candidates[name] = append(q.list, name), c
	}
}

// question is a call of Route, Failover or Explain.
type question struct {
	at         routing.Location
	policy     routing.Policy
	nearOnly   bool
	silent     []string
	list       []string
	candidates map[string]routing.Candidate
}

func (q *question) parse(words []string) error {
	nearness := map[string]routing.Nearness{"node": routing.Node, "zone": routing.Zone, "region": routing.Region}
	return scenario.Words(q, words, map[string]func(q *question, key, value string){
		"zone":         func(q *question, _, value string) { q.at.Zone = value },
		"node":         func(q *question, _, value string) { q.at.NodeName = value },
		"region":       func(q *question, _, value string) { q.at.Region = value },
		"no-vote":      func(q *question, _, value string) { q.silent = strings.Split(value, "+") },
		"near-only":    func(q *question, _, _ string) { q.nearOnly = true },
		"local":        func(q *question, _, _ string) { q.policy.Local = true },
		"last-resort":  func(q *question, _, _ string) { q.policy.LastResort = true },
		"any-family":   func(q *question, _, _ string) { q.policy.AnyFamily = true },
		"ignore-hints": func(q *question, _, _ string) { q.policy.IgnoreHints = true },
		"at-least":     func(q *question, _, value string) { q.policy.AtLeast, _ = strconv.Atoi(value) },
		"near": func(q *question, _, value string) {
			for _, place := range strings.Split(value, "+") {
				q.policy.Near |= nearness[place]
			}
		},
	})
}

func (q *question) candidate(name string) routing.Candidate { return q.candidates[name] }

func (q *question) route() (text string) {
	r := routing.Route(q.list, q.candidate, q.at, q.policy)
	for _, f := range r.Families {
		own := keep(r.Endpoints, func(name string) bool {
			return q.policy.AnyFamily || q.candidates[name].AddressType == f.AddressType
		})
		text += fmt.Sprintf("%s%s | %s%s\n", family(f, len(r.Families)), names(own), f.Scope, q.reasons(f))
	}
	return text
}

func (q *question) failover() (text string) {
	tiers := routing.Failover(q.list, q.candidate, q.at, q.policy)
	families := map[discoveryv1.AddressType]bool{}
	for _, tier := range tiers {
		families[tier.Family.AddressType] = true
	}
	for n, tier := range tiers {
		if !q.nearOnly || tier.Scope.Near() {
			text += fmt.Sprintf("%s%s: %s\n", family(tier.Family, len(families)), tier.Scope, names(tier.Endpoints))
		}
		if n+1 == len(tiers) || tiers[n+1].Family != tier.Family {
			text += family(tier.Family, len(families)) + strings.TrimPrefix(q.reasons(tier.Family), ", ") + "\n"
		}
	}
	return cmp.Or(text, "-\n")
}

func (q *question) explain() (text string) {
	for i, v := range routing.Explain(q.list, q.candidate, q.at, q.policy) {
		text += fmt.Sprintf("%s %s: %s, %s\n", q.list[i], map[bool]string{true: "yes", false: "no"}[v.Used], v.Why,
			v.Scope)
	}
	return text
}

// family is a family's name, only if there are others.
func family(f routing.Family, families int) string {
	if families < 2 {
		return ""
	}
	return string(f.AddressType) + ": "
}

func (q *question) reasons(f routing.Family) (text string) {
	for _, place := range []struct {
		name    string
		reason  routing.Reason
		missing int
	}{{"node", f.Node, f.NodeMissing}, {"zone", f.Zone, f.ZoneMissing}, {"region", f.Region, -1}} {
		if place.reason != "" {
			text += fmt.Sprintf(", %s %s", place.name, place.reason)
		}
		if place.missing >= 0 {
			text += " at " + q.list[place.missing]
		}
	}
	return text
}

func names(list []string) string {
	if list == nil {
		return "-"
	}
	return strings.Join(list, " ")
}

// TestPolicies: what Inside, Outside and NearOf read of a Service.
func TestPolicies(t *testing.T) {
	type policies struct {
		inside, outside, ok bool // local, local, and whether there is traffic from outside
		near                routing.Nearness
	}
	local, cluster := corev1.ServiceInternalTrafficPolicyLocal, corev1.ServiceInternalTrafficPolicyCluster
	near := func(d string) corev1.ServiceSpec { return corev1.ServiceSpec{TrafficDistribution: &d} }
	for _, row := range []struct {
		why  string
		spec corev1.ServiceSpec
		want policies
	}{
		{"nothing is set", corev1.ServiceSpec{}, policies{}},
		{"the defaults are set", corev1.ServiceSpec{InternalTrafficPolicy: &cluster, ExternalTrafficPolicy: "Cluster", Type: "ClusterIP"}, policies{}},
		{"internal", corev1.ServiceSpec{InternalTrafficPolicy: &local}, policies{inside: true}},
		{"external, where nothing comes from outside", corev1.ServiceSpec{ExternalTrafficPolicy: "Local"}, policies{}},
		{"a node port, before it has a number", corev1.ServiceSpec{Type: "NodePort", ExternalTrafficPolicy: "Local"}, policies{outside: true, ok: true}},
		{"a load balancer", corev1.ServiceSpec{Type: "LoadBalancer"}, policies{ok: true}},
		{"both", corev1.ServiceSpec{Type: "LoadBalancer", InternalTrafficPolicy: &local,
			ExternalTrafficPolicy: "Local"},
			policies{inside: true, outside: true, ok: true}},
		{"any type with external IPs", corev1.ServiceSpec{Type: "ClusterIP", ExternalIPs: []string{"192.0.2.1"},
			ExternalTrafficPolicy: "Local"},
			policies{outside: true, ok: true}},
		{"near", near("PreferSameZone"), policies{near: routing.Zone}},
		{"near by its first name", near("PreferClose"), policies{near: routing.Zone}},
		{"nearer", near("PreferSameNode"), policies{near: routing.Node | routing.Zone}},
		{"near in a way that does not exist", near("PreferSameRack"), policies{}},
	} {
		svc := &corev1.Service{Spec: row.spec}
		inside, near := routing.Inside(svc), routing.NearOf(svc)
		outside, ok := routing.Outside(svc)
		if got := (policies{inside.Local, outside.Local, ok, near}); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.why, got, row.want)
		}
		inside.Local, outside.Local = false, false
		if inside != (routing.Policy{}) || outside != (routing.Policy{}) {
			t.Errorf("%s: more than Local is set: %+v, %+v", row.why, inside, outside)
		}
	}
	if outside, ok := routing.Outside(nil); routing.Inside(nil) != (routing.Policy{}) ||
		outside != (routing.Policy{}) || ok || routing.NearOf(nil) != 0 {
		t.Error("nil is not the zero Policy")
	}
	if c := routing.CandidatesOf("IPv6")(nil); c.State.Ready || c.ForZones != nil || c.AddressType != "IPv6" {
		t.Errorf("nil: got %+v", c)
	}
}

// TestNilCandidate: without a function that reads endpoints, calls panic with a text that says so.
func TestNilCandidate(t *testing.T) {
	for name, call := range map[string]func(){
		"Route":    func() { routing.Route([]int{1}, nil, routing.Location{}, routing.Policy{}) },
		"Failover": func() { routing.Failover([]int(nil), nil, routing.Location{}, routing.Policy{}) },
		"Explain":  func() { routing.Explain([]int{}, nil, routing.Location{}, routing.Policy{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "candidate function is nil") {
					t.Errorf("a nil candidate function: %q", text)
				}
			}()
			call()
		})
	}
}

// TestManyFamilies: however many address types there are, each is decided alone, wherever its
// endpoints stand in the list.
func TestManyFamilies(t *testing.T) {
	all := make([]int, 40)
	for i := range all {
		all[i] = i
	}
	routes := routing.Route(all, func(i int) routing.Candidate {
		ready := i >= 20 || i == 7
		return routing.Candidate{AddressType: discoveryv1.AddressType(fmt.Sprint(i % 20)),
			State: conditions.State{Ready: ready, Serving: true, Terminating: !ready}}
	}, routing.Location{}, routing.Policy{})
	if want := append([]int{7}, all[20:]...); len(routes.Families) != 20 || !slices.Equal(routes.Endpoints, want) {
		t.Errorf("%d families, and the endpoints %v", len(routes.Families), routes.Endpoints)
	}
}
